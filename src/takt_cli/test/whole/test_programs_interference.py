# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of interference with the real program: the analysis can read what it leaves, with real-time rights and without.
No time is asserted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.cpus import another_cpu, choose_cpu
from takt_cli.host.programs import find_program
from takt_cli.results.interference import InterferenceProcess
from takt_cli.results.json_file import read_json
from takt_cli.results.sample_files import JOBS, read_rows
from takt_cli.run.transports import missing_transports
from takt_cli.spec.executors import TAKT_RCLCPP

pytestmark = [pytest.mark.programs, pytest.mark.exchange]

CASES = """\
cases:
  - name: stopped
    does: publish
    every: 5ms
    reader: stopped
  - name: added
    does: add
    every: 100ms
    busy: 50ms
    callbacks: 3
    tasks: 5
    programs: 1
  - name: removed
    does: remove
    every: 100ms
    busy: 50ms
  - name: shared
    does: publish
    size: 1MiB
    every: 50ms
    sends: same-publisher
    middle: 10ms
  - name: across
    does: publish
    size: 1MiB
    every: 50ms
    sends: other-topic
    cpu: other
"""


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        find_program("interference")
    except HostError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)
    Path("cases.yaml").write_text(CASES, "utf-8")


def measure(*arguments: str, turn: str = "300ms") -> dict[str, Any]:
    short = ("--cases", "cases.yaml", "--turn", turn, "--rounds", "1", "--out", "result")
    result = CliRunner().invoke(cli, ["measure", "interference", *arguments, *short, "--json"])
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    assert {"result.json", "summary.json", "interference.svg"} <= {path.name for path in Path("result").iterdir()}
    return summary


def measure_until(did_something: Callable[[dict[str, Any]], bool], *arguments: str) -> dict[str, Any]:
    """Measure in longer and longer turns until the other activity took place: on a busy host nothing may fit into a
    short one."""
    for turn in ("300ms", "1s", "3s", "10s"):
        summary = measure(*arguments, turn=turn)
        if did_something(summary):
            break
        shutil.rmtree("result")
    return summary


def added_nodes(summary: dict[str, Any]) -> bool:
    return all(case["did"]["added"] > 0 for case in summary["cases"] if case["case"] == "added")


@pytest.mark.rights
def test_each_case_did_what_it_says() -> None:
    summary = measure_until(added_nodes, "--front-end", "takt")
    cases = {case["case"]: case for case in summary["cases"]}
    beside = ["across"] if another_cpu(choose_cpu(None)) is not None else []
    assert list(cases) == ["stopped", "added", "removed", "shared", *beside]
    for case in cases.values():
        for which in ("with", "without"):
            figures = case[which]
            assert figures["releases"] >= 300
            assert figures["missed"] == figures["late"] + figures["skipped"]
            assert figures["start_delay_us"]["n"] == figures["releases"]
    did = cases["stopped"]["did"]
    assert did["turns_stopped"] == 1
    assert did["peers"]["reader"]["times"] == did["published"] - did["failed"] > 0
    assert cases["added"]["did"]["added"] > 0
    assert cases["removed"]["did"]["removed"] > 0
    # The ordinary program had the CPU at times, by the kernel's records of context switches, where there are any.
    switches = read_json(Path("result/added-takt.json"), InterferenceProcess).switches
    assert switches.refused or "sh" in {thread.name for thread in switches.threads}
    shared = cases["shared"]
    assert shared["did"]["bytes"] == shared["did"]["published"] * 2**20 > 0
    assert shared["did"]["middle_jobs"] > 0
    jobs = read_rows(Path("result/shared-takt.jobs.npy"), JOBS)
    assert 0 < shared["publish_us"]["with"]["n"] <= len(jobs)
    assert cases["added"]["publish_us"] is None
    assert CliRunner().invoke(cli, ["report", "result"]).exit_code == 0
    page = Path("result/report.html").read_text("utf-8")
    assert all(name in page for name in cases)


def test_nodes_of_rclcpp_have_the_same_done_to_them() -> None:
    if TAKT_RCLCPP in missing_transports("round_trip"):
        result = CliRunner().invoke(cli, ["measure", "interference", "--front-end", TAKT_RCLCPP])
        assert (result.exit_code, "built without rclcpp" in result.stderr) == (1, True)
        return
    summary = measure_until(added_nodes, "stopped", "added", "--front-end", TAKT_RCLCPP)
    stopped, added = summary["cases"]
    assert (stopped["front_end"], added["front_end"]) == (TAKT_RCLCPP, TAKT_RCLCPP)
    did = stopped["did"]
    assert did["peers"]["reader"]["times"] == did["published"] - did["failed"] > 0
    assert added["did"]["added"] > 0


def test_waits_for_mutexes_are_only_counted_if_mutexes_inherit() -> None:
    summary = measure("shared", "--front-end", "takt", "--mutexes", "plain", "--mutexes", "inherit")
    assert [case["mutexes"] for case in summary["cases"]] == ["plain", "inherit"]
    assert [set(case["waits"]["with"]) >= {"lock_waits", "longest_lock_wait_ns"} for case in summary["cases"]] == [
        False,
        True,
    ]
