# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the latency of messages by size and way, as the thesis has it: its laps and ratios from written samples, and
its runs with a stand-in program."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from message_way_samples import write_message_ways

from takt_cli.paper.thesis2021.message_ways import (
    BETWEEN,
    WAYS,
    MessageWaysSettings,
    read_message_ways,
    run_message_ways,
)
from takt_cli.run.progress import Progress

SIZES = (512, 1 << 20)


def test_ratios_are_of_the_same_laps(tmp_path: Path) -> None:
    # Each lap is slower than the one before, for all ways alike, which the ratios do not see.
    cost = {BETWEEN: 40_000.0, "baseline0": 20_000.0, "takt": 4_000.0, "copy": 1_000.0}
    write_message_ways(tmp_path, SIZES, 3, 4, lambda way, _size, lap: cost[way] * (1 + lap))
    result = read_message_ways(tmp_path)
    assert sorted(result.laps("takt", 512)) == list(range(12))
    times = result.times("takt", 512)
    assert (len(times), float(np.max(times))) == (12, 48_000.0)
    assert result.ratios(BETWEEN, "takt", 512) == [10.0] * 12
    assert result.ratios("takt", "copy", 1 << 20) == [4.0] * 12


def test_ways_take_turns_and_each_is_a_process_of_its_own(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    folder = Path("a")
    folder.mkdir()
    settings = MessageWaysSettings((1024, 4096), tuple(WAYS), 2, 500_000_000, (0,))
    with Progress(settings.parts, settings.seconds) as progress:
        run_message_ways(settings, folder, ["takt"], progress)
    assert {path.name for path in folder.iterdir()} == {"result.json", "fastdds.xml", "round-1", "round-2"}
    assert len(read_message_ways(folder).laps("takt", 4096)) == 20
    arguments = [json.loads(line)["args"] for line in Path("log").read_text("utf-8").splitlines()]
    near = [each for each in arguments if "--rounds" in each]
    ways = list(WAYS.values())
    assert [each["--way"] for each in near] == [*ways, *ways[1:], ways[0]]
    far = [each for each in arguments if each.get("--side") == "far"]
    assert [each["--way"] for each in far] == ["middleware"] * 2
    # Between processes it is measured for longer.
    assert {each["--way"]: int(each["--turn-ns"]) // 10**6 for each in near} == dict.fromkeys(ways, 50) | {
        "middleware": 250
    }
