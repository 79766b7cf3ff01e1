# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of messages in one direction with the real programs, between processes, inside one and over a link. No time is
asserted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program
from takt_cli.paper.thesis2021.message_ways import (
    BETWEEN,
    WAYS,
    MessageWaysSettings,
    read_message_ways,
    run_message_ways,
)
from takt_cli.run.progress import Progress

pytestmark = [pytest.mark.programs, pytest.mark.exchange]


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        find_program("one_way")
    except HostError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)


def measure(*arguments: str) -> dict[str, Any]:
    short = ("--duration", "0.6", "--warmup", "0.2", "--rounds", "1", "--turn", "5", "--json")
    result = CliRunner().invoke(cli, ["measure", "one-way", *arguments, *short])
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


def check(variant: dict[str, Any], sizes: list[int], receivers: int) -> None:
    """Check that messages of every size arrived, however busy the host is."""
    assert [each["bytes"] for each in variant["sizes"]] == sizes
    for figures in variant["sizes"]:
        assert figures["messages"] % receivers == 0
        assert figures["messages"] > figures["lost"], "not one message arrived"
        assert figures["latency_us"]["p50"] is None or figures["latency_us"]["p50"] > 0
        assert figures["publish_us"]["p50"] > 0
        assert figures["cpu_us"]["sender"] > 0


@pytest.mark.rights
def test_messages_of_every_size_reach_all_receivers_between_processes() -> None:
    transports = ("--transport", "takt", "fastdds", "udp")
    options = ("--place", "process", "--receivers", "2", "--payload", "256,40KiB", "--reliable")
    for variant in measure(*transports, *options)["variants"].values():
        check(variant, [256, 40 << 10], 2)
        assert variant["sizes"][0]["cpu_us"]["receiver"] > 0


def test_messages_stay_inside_a_process_or_go_over_the_middleware() -> None:
    options = ("--place", "same-process", "--transport", "takt", "baseline0", "--through-middleware")
    variants = measure(*options, "--payload", "1KiB,1MiB")["variants"]
    assert sum("through the middleware" in name for name in variants) == 2
    assert len(variants) == 4
    for variant in variants.values():
        check(variant, [1 << 10, 1 << 20], 1)


def test_the_ways_of_the_thesis_are_measured() -> None:
    folder = Path("ways")
    folder.mkdir()
    settings = MessageWaysSettings((512, 1 << 20), tuple(WAYS), 1, 100_000_000, (0,))
    with Progress(settings.parts, settings.seconds) as progress:
        run_message_ways(settings, folder, ["takt"], progress)
    result = read_message_ways(folder)
    assert all(len(result.times(way, size)) > 0 for way in (BETWEEN, *WAYS) for size in settings.sizes)
