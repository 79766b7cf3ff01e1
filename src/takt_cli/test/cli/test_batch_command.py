# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt batch` with stand-ins for the C++ programs: its questions, output, files and messages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from run_results import change_result
from spec_samples import GOOD
from waiting import wait_until

from takt_cli.analysis.batch_summary import BatchSummary, OverRuns, over_runs
from takt_cli.analysis.result_set import read_set
from takt_cli.batch.folder import read_plan
from takt_cli.cli.main import cli
from takt_cli.errors import RunError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.report.tables.batch import notes

SMALL = ("--executors", "takt,baseline0", "--runs", "1", "--duration", "1", "--warmup", "0", "--cooldown", "0")


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["batch", *arguments])


def error_of(result: Result, status: int) -> str:
    assert result.exit_code == status, result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


@pytest.fixture
def apps(stand_ins: Path) -> str:
    (stand_ins / "apps").mkdir()
    (stand_ins / "apps/generated.json").write_text('{"seed": 1}', "utf-8")
    for name in ("one", "two"):
        (stand_ins / f"apps/{name}.yaml").write_text(GOOD, "utf-8")
    return "apps"


def test_a_batch_ends_with_a_table_and_is_data(apps: str) -> None:
    result = takt(apps, *SMALL, "--seed", "7", "--out", "out")
    assert (result.exit_code, result.stderr) == (0, "")
    words = " ".join(result.stdout.split())
    assert "4 runs of 1 s" in words
    assert "│ one │ baseline0 │ 1 │ 0 │ 0 │ 0 │" in words
    assert words.endswith("result: out")
    assert json.loads(Path("out/generated.json").read_text("utf-8")) == {"seed": 1}
    results = read_set(Path("out"))
    assert (len(results.runs), read_plan(Path("out")).seed, read_plan(Path("out")).cpus) == (
        4,
        7,
        (allowed_cpus()[-1],),
    )
    again = takt("--resume", "out", "--json")
    assert (again.exit_code, again.stderr) == (0, "")
    summary = json.loads(again.stdout)
    assert summary == json.loads(Path("out/summary.json").read_text("utf-8")) | {"folder": "out"}
    assert (summary["runs"], summary["pending"], summary["failed"]) == (4, 0, [])
    assert [(row["application"], row["executor"], row["runs"]) for row in summary["rows"]] == [
        ("one", "baseline0", 1),
        ("one", "takt", 1),
        ("two", "baseline0", 1),
        ("two", "takt", 1),
    ]
    assert summary["executors"][1]["dispatch_us"] == {"n": 2, "median": 9, "min": 9, "max": 9}
    assert summary["executors"][1]["verdicts"] == {"pass": 2}
    hosts_that_differ(summary)


def hosts_that_differ(summary: dict[str, Any]) -> None:
    """Assert that hosts that differ have rows of their own in the summary."""
    assert [row["host"] for row in summary["executors"]] == [None, None]
    folder = min(Path("out/runs").glob("*/*/1"))

    def move(**facts: Any) -> dict[str, Any]:
        change_result(folder, lambda result: result["origin"]["host"].update(facts))
        return dict(json.loads(takt("--resume", "out", "--json").stdout))

    moved = move(hostname="board-2")
    assert [row["host"] for row in moved["executors"]] == [None, None]
    (line,) = notes(msgspec.convert(moved, BatchSummary))
    assert line.startswith("run on 2 hosts of one kind: ")
    assert "board-2 (1)" in line
    other = move(kernel="7.0-other")
    assert [(row["executor"], row["runs"]) for row in other["executors"]] == [
        ("baseline0", 1),
        ("baseline0", 1),
        ("takt", 2),
    ]
    assert sorted(row["host"] for row in other["executors"][:2]) == ["host 1", "host 2"]
    assert "run on different kinds of hosts" in notes(msgspec.convert(other, BatchSummary))[0]
    assert "7.0-other" in notes(msgspec.convert(other, BatchSummary))[0]
    assert "host 2" in takt("--resume", "out").stdout


def test_a_run_that_is_missing_is_reported(apps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "fail")
    Path("apps/two.yaml").unlink()
    small = [*SMALL, "--executors", "takt", "--out", "out"]
    result = takt(apps, *small)
    assert result.exit_code == 1
    assert "failed: one under takt, run 1, 2 attempts: runner takt failed" in " ".join(result.stdout.split())
    last_line = result.stderr.splitlines()[-1]
    assert last_line.startswith("takt: 1 of 1 runs are missing, such as one under takt, run 1: runner takt failed")
    assert last_line.endswith("takt batch --resume out --retry-failed")
    assert takt("--resume", "out").exit_code == 1
    monkeypatch.delenv("STAND_IN_RUNNER")
    mended = takt("--resume", "out", "--retry-failed")
    assert (mended.exit_code, mended.stderr) == (0, "")


def test_a_single_application_is_announced_to_run_twice_in_a_row(apps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("takt_cli.batch.local.run_and_replay", _no_run)
    Path("apps/two.yaml").unlink()
    errors = takt(apps, *SMALL, "--out", "out").stderr
    assert errors.startswith("takt: there is one application, so it is run twice in a row 1 times\n")


def test_options_that_are_repeated_on_resuming_must_agree(apps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("takt_cli.batch.local.run_and_replay", _no_run)
    assert takt(apps, *SMALL, "--seed", "7", "--out", "out").exit_code == 1
    cpu = str(allowed_cpus()[-1])
    same = takt(apps, *SMALL, "--seed", "7", "--cpu", cpu, "--executors", "baseline0,takt", "--resume", "out")
    assert "4 of 4 runs are missing" in same.stderr
    for option in (
        ("--runs", "2"),
        ("--duration", "2"),
        ("--executors", "takt"),
        ("--policy", "edf"),
        ("--seed", "8"),
        ("--load", "cpu"),
        ("--cpu", "77"),
        ("--out", "other"),
        ("--cooldown", "1"),
    ):
        line = error_of(takt("--resume", "out", *option), 2)
        assert line == (
            f"takt: {option[0]}: the batch in out was begun with another value; leave it out, or begin a new batch"
        )
    Path("apps/one.yaml").write_text(GOOD + "\n", "utf-8")
    assert "apps: its specs are not those of the batch in out" in error_of(takt(apps, "--resume", "out"), 2)


def _no_run(*_: Any) -> None:
    raise RunError("nothing is run here")


def test_bad_command_lines_give_one_line(apps: str) -> None:
    assert "give a folder with specs, or --resume" in error_of(takt(), 2)
    assert "none: is not a folder" in error_of(takt("none"), 2)
    assert "has no specs (*.yaml)" in error_of(takt("."), 2)
    assert "'rclcpp' is not an executor; give some of takt,baseline0" in error_of(
        takt(apps, "--executors", "rclcpp"), 2
    )
    assert "--retry-failed: goes with --resume" in error_of(takt(apps, "--retry-failed"), 2)
    assert "has no CPU 4711" in error_of(takt(apps, "--cpu", "4711"), 1)
    assert "holds no result" in error_of(takt("--resume", "apps"), 1)
    assert "none: holds no result" in error_of(takt("--resume", "none"), 1)
    Path("apps/two.yaml").write_text(GOOD.replace("group: reentrant", "group: reentrant\n    processor: 1"), "utf-8")
    assert "apps/two.yaml: places callbacks on processor 1" in error_of(takt(apps, *SMALL), 2)
    Path("apps/two.yaml").write_text(GOOD.replace("dead", "ded"), "utf-8")
    assert "apps/two.yaml:17: nodes[1].callbacks[0].dedline: unknown key" in error_of(takt(apps), 2)
    assert not Path("results").exists()


def test_a_batch_that_is_stopped_is_kept(apps: str) -> None:
    command = [sys.executable, "-m", "takt_cli", "batch"]
    env = os.environ | {"STAND_IN_RUNNER": "hang"}
    with subprocess.Popen([*command, apps, *SMALL, "--out", "out"], env=env, stderr=subprocess.PIPE) as process:
        begun = "out/runs/*/*/.*.partial/resolved.json"
        wait_until(lambda: list(Path().glob(begun)) or process.poll() is not None, "a run begins")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.decode() == "takt: interrupted; 0 of 4 runs are kept; continue with: takt batch --resume out\n"
    assert {p.name for p in Path("out").iterdir()} == {"result.json", "journal.jsonl", "specs", "generated.json"}
    assert takt("--resume", "out").exit_code == 0


def test_applications_are_in_the_order_of_their_numbers(apps: str) -> None:
    for name in ("n20-u75", "n4-u100", "n4-u75"):
        Path(f"apps/{name}.yaml").write_text(GOOD, "utf-8")
    result = takt(apps, *SMALL, "--executors", "takt", "--out", "out", "--json")
    assert result.exit_code == 0, result.stderr
    applications = [row["application"] for row in json.loads(result.stdout)["rows"]]
    assert applications == ["n4-u75", "n4-u100", "n20-u75", "one", "two"]


# ---- summary ------------------------------------------------------------------------------------------------


def test_figures_over_runs() -> None:
    assert over_runs([]) == over_runs([None]) == OverRuns(0, None, None, None)
    assert over_runs([3.0, None, 1.0]) == OverRuns(2, 2, 1, 3)
    never = float("inf")
    assert over_runs([1.0, never]) == OverRuns(2, None, 1, None, infinite=1)
