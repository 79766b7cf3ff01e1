# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of benchmarks and timers with the real programs. No timing is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from real_programs import realtime, takt

from takt_cli.cli.main import cli
from takt_cli.host.cpus import allowed_cpus

pytestmark = [pytest.mark.programs, pytest.mark.rights, pytest.mark.usefixtures("real_programs")]


def test_timers_are_measured_with_their_floors(app: str) -> None:
    arguments = ["measure", "timers", "--callbacks", "6", "--nodes", "3", "--period", "10ms", "--duration", "0.4"]
    summary = takt(*arguments, "--rounds", "1", "--out", "out")
    assert set(summary["executors"]) == {"takt", "takt:np-rm", "baseline0"}
    for figures in {**summary["executors"], **summary["floors"]}.values():
        jobs = figures["jobs"]
        assert jobs["released"] == 240
        assert jobs["run"] + jobs["skipped"] + jobs["unfinished"] == 240
        assert figures["cpu_us_per_callback"]["own"]["median"] > 0


@pytest.mark.parametrize(
    "kind", ["dispatch", "preemption", "exchange", "crossing", "switch", "section", "trace", "nodes"]
)
def test_benchmarks_are_ratios_with_intervals(kind: str, app: str) -> None:
    if kind == "crossing" and len(allowed_cpus()) < 2:
        pytest.skip("this process may use one CPU")
    # Starting many thousand tasks and creating a thousand nodes takes long, so these have only one round.
    rounds = 1 if kind in ("dispatch", "nodes") else 5
    turn = [] if kind == "nodes" else ["--turn", "40ms"]
    arguments = ["measure", kind, "--rounds", str(rounds), *turn, "--out", "out", "--json"]
    result = CliRunner().invoke(cli, arguments)
    if kind in ("preemption", "switch") and not realtime():
        assert result.exit_code == 1
        assert "SCHED_FIFO refused" in result.stderr
        assert not Path("out").exists()
        return
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert (summary["kind"], summary["rounds"]) == (kind, rounds)
    assert summary["ratios"]
    for ratio in summary["ratios"]:
        # A variant may lack some rounds if the host was too busy.
        assert 1 <= ratio["rounds"] <= rounds
        if ratio["too_short"]:
            assert (ratio["low"], ratio["high"]) == (None, None)
        else:
            assert ratio["low"] <= ratio["median"] <= ratio["high"]
    assert all(1 <= growth["exponent"]["rounds"] <= rounds for growth in summary["growth"])
    assert [limit["below"] for limit in summary["limits"]] == ([1.5] if kind == "preemption" else [])
    assert (summary["cyclictest"] is not None) == (kind == "preemption")
    if kind == "preemption":
        assert summary["cyclictest"]["n"] > 0
    assert {p.name for p in Path("out").iterdir()} == {
        "result.json", "summary.json", "fastdds.xml", f"{kind}.svg", *(f"pass-{n + 1}" for n in range(min(rounds, 3)))
    }  # fmt: skip
