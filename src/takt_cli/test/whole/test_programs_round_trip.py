# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of round trips with the real programs: the analysis can read what they leave, with real-time rights and
without. No time is asserted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rights import is_short_of_rights

import takt_cli
from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program
from takt_cli.results.communication import ROUND_TRIP_FORMAT
from takt_cli.results.sample_files import TRIPS, read_rows
from takt_cli.run.transports import missing_transports

pytestmark = [pytest.mark.programs, pytest.mark.exchange]


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        find_program("round_trip")
    except HostError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)


def measure(*arguments: str) -> dict[str, Any]:
    short = ("--duration", "1", "--warmup", "0.2", "--rounds", "1", "--out", "result", "--json")
    result = CliRunner().invoke(cli, ["measure", "round-trip", *arguments, *short])
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


def reported(tag: str) -> dict[str, Any]:
    """Return what a process wrote about itself."""
    content: dict[str, Any] = json.loads(Path(f"result/round-1/{tag}.json").read_text("utf-8"))
    return content


@pytest.mark.rights
def test_two_processes_over_ros_and_raw() -> None:
    summary = measure("--transport", "takt", "fastdds", "udp")
    for variant in ROUND_TRIP_FORMAT.read(Path("result")).settings.variants:
        figures = summary["variants"][variant.name]
        rows = read_rows(Path("result/round-1") / f"{variant.tag}.trips.npy", TRIPS)
        client, server = (reported(variant.tag + side) for side in ("", ".server"))
        window = client["window"]
        # Messages are on the grid and in order; cycles without a message were skipped.
        assert ((rows["intended"] - window["from"]) % 10_000_000 == 0).all()
        assert (np.diff(rows["intended"]) > 0).all()
        assert (rows["sent"] >= rows["intended"]).all()
        assert figures["sent"] + figures["skipped"]["n"] == 100
        assert figures["sent"] > figures["lost"]["n"], "not one reply"
        assert (client["side"], server["side"]) == ("client", "server")
        # With rights everything is granted; without them the refusals are reported, and no verdict is `pass`.
        if is_short_of_rights(figures):
            assert figures["verdict"]["outcome"] != "pass"


@pytest.mark.rights
def test_settings_are_those_of_the_variant() -> None:
    summary = measure("--server", "same-node", "--transport", "takt", "--rt", "none", "--rt", "awake,tlsf")
    plain, some = summary["variants"].values()
    assert not plain["real_time"]["asked"]
    assert some["real_time"]["asked"] == ["tlsf", "awake"]
    bare, set_up = (reported(each.tag) for each in ROUND_TRIP_FORMAT.read(Path("result")).settings.variants)
    assert not bare["awake"]
    assert set_up["awake"]
    assert bare["same_node"] is True


def test_the_program_reports_transports_that_the_build_lacks() -> None:
    assert "udp" not in missing_transports("round_trip")


SSH = '#!/bin/sh\nfor last; do :; done\nexec sh -c "exec $last"\n'
TAKT = '#!/bin/sh\nexec "{python}" -m takt_cli "$@"\n'


def test_a_server_is_started_over_ssh_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for ssh runs the command on this host, with the arguments that another machine would get."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("ssh", SSH), ("takt", TAKT.format(python=sys.executable))):
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(Path(takt_cli.__file__).parents[1]), prepend=os.pathsep)
    summary = measure("--server", "ssh:127.0.0.1", "--transport", "takt")
    (figures,) = summary["variants"].values()
    assert figures["sent"] > figures["lost"]["n"]
    assert summary["server"] == "ssh 127.0.0.1"
