# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the judgement of real runs by their traces and by the bounds of the analysis. No timing is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from real_programs import realtime, takt
from repository import ROOT

from takt_cli.analysis.result import read_result
from takt_cli.cli.main import cli
from takt_cli.results.run import RUN_FORMAT
from takt_cli.schedulability.model import Costs

pytestmark = [pytest.mark.programs, pytest.mark.rights, pytest.mark.usefixtures("real_programs")]


CROWDED = """\
name: crowded
policy: fp
topics: [{name: scan, size: 1KiB}]
nodes:
  - name: hog
    callbacks: [{name: eat, period: 40ms, wcet: 12ms, priority: 9, publishes: [scan]}]
  - name: victim
    callbacks: [{name: wait, period: 40ms, wcet: 2ms, deadline: 6ms, priority: 2, reads: [scan]}]
"""


def test_the_trace_of_a_run_names_what_made_a_task_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crowded.yaml").write_text(CROWDED, "utf-8")
    run = ["run", "crowded.yaml", "--executor", "takt", "--duration", "1", "--warmup", "0.2", "--trace", "--out", "out"]
    summary = takt(*run)
    record = RUN_FORMAT.read(Path("out")).record
    assert json.loads(Path("out/programs/takt.json").read_text("utf-8"))["trace"]["events"] > 100
    assert record.kernel is not None
    assert (record.kernel.refused is None) == Path("out/kernel.npy").exists()
    if record.dropped_events:
        assert summary["verdict"]["outcome"] == "inconclusive"
        return
    shown = takt("trace", "show", "out")
    tasks = {task["task"]: task for task in shown["tasks"]}
    counted = {task["task"]: task for task in summary["tasks"]}
    for name in ("hog/eat", "victim/wait"):
        assert tasks[name]["jobs"] == counted[name]["jobs"]
    # Every job of the victim is released together with a job that takes twice its deadline. So it is late or, after a
    # long stall of the host, skipped.
    missed = [miss for miss in shown["misses"] if miss["task"] == "victim/wait"]
    late = [miss for miss in missed if miss["how"] == "late"]
    assert len(missed) >= 20
    assert late
    # Without real-time rights nothing preempts, and the job of hog is running already. Other causes are the host's.
    parts = {part["words"] for miss in late for part in miss["parts"]}
    assert parts & {"waited for hog/eat", "blocked by hog/eat (which is not preempted)"}
    for kind in ("perfetto", "mcap"):
        assert takt("trace", "export", "out", "--format", kind)["records"] > 50


def test_the_example_of_a_blocked_callback_shows_by_whom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = str(ROOT / "examples" / "blocked.yaml")
    takt("run", spec, "--executor", "takt", "--duration", "1", "--trace", "--out", "out")
    if RUN_FORMAT.read(Path("out")).record.dropped_events:
        return
    shown = takt("trace", "show", "out")
    deadlines = {task.id: task.callback.deadline / 1e6 for task in read_result(Path("out")).application.tasks}
    late = [miss for miss in shown["misses"] if miss["how"] == "late"]
    for miss in late:
        response = deadlines[miss["task"]] + miss["late_ms"]
        assert sum(part["ms"] for part in miss["parts"]) == pytest.approx(response, abs=1e-5)
    # In each 200 ms, two jobs of the arm's fast callback miss, because its slow one runs, and one job of the camera.
    assert late
    assert len(shown["misses"]) >= 10
    parts = {part["words"] for miss in late if miss["task"] == "arm/fast" for part in miss["parts"]}
    why = "both in the group of arm" if realtime() else "which is not preempted"
    assert f"blocked by arm/slow ({why})" in parts
    assert Path(takt("trace", "plot", "out")["file"]).stat().st_size > 1000


def test_real_runs_are_laid_beside_their_bounds(app: str) -> None:
    """Three short runs are made. That all responses are within their bounds is for a measurement to show; here, the
    answer must agree with what was observed."""
    arguments = ["measure", "bounds", "--sets", "3", "--seed", "1", "--duration", "1.5", "--out", "out", "--json"]
    result = CliRunner().invoke(cli, arguments)
    summary = json.loads(result.stdout)
    assert result.exit_code == (0 if summary["verdict"]["outcome"] == "pass" else 1)
    assert [run["policy"] for run in summary["runs"]] == ["fp", "np-fp", "edf"]
    assert summary["totals"]["jobs"] > 100
    for run in summary["runs"]:
        assert (Path("out") / run["folder"] / "takt.trace").exists()
        for task in run["tasks"]:
            assert not task["model_above"]
            assert task["wcet_ns"] <= task["simulated_ns"] <= task["bound_without_costs_ns"]
            assert task["bound_ns"] is None or task["bound_ns"] > task["bound_without_costs_ns"]
            if task["jobs"]:
                assert task["measured_ns"] >= 0.99 * task["wcet_ns"]
    if not realtime():
        assert summary["verdict"]["outcome"] == "inconclusive"
        assert any("SCHED_FIFO refused" in line for line in summary["verdict"]["why"])
        assert {task["verdict"] for run in summary["runs"] for task in run["tasks"]} == {"not judged"}
    assert "<svg" in Path("out/bounds.svg").read_text("utf-8")
    # A single run can be compared in the plot of `takt check`.
    for run in summary["runs"]:
        folder = f"out/{run['folder']}"
        compared = CliRunner().invoke(cli, ["check", f"{folder}/spec.yaml", "--from", folder, "--out", "one"])
        # Without real-time rights other programs may keep a task from finishing any job.
        if "no job of" not in compared.stderr:
            plot = Path("one/responses.svg").read_text("utf-8")
            assert all(words in plot for words in (">bound<", "longest simulated", "longest measured"))
            break
    else:
        assert not realtime(), compared.stderr


def test_a_real_run_above_a_bound_that_is_wrong_is_caught(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis is given half of each job's real execution time."""
    halved = lambda application: tuple(task.callback.wcet // 2 for task in application.tasks)  # noqa: E731
    monkeypatch.setattr("takt_cli.analysis.bounds.declared_wcets", halved)
    monkeypatch.setattr("takt_cli.measurements.bounds.run_costs", lambda *_: Costs())
    monkeypatch.setattr("takt_cli.measurements.bounds.reasons_not_judged", lambda *_: [])
    arguments = ["measure", "bounds", "--sets", "1", "--seed", "1", "--duration", "1", "--json"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 1
    summary = json.loads(result.stdout)
    assert any(task["model_above"] for task in summary["runs"][0]["tasks"])
    assert summary["verdict"]["outcome"] == "fail"
    blind = summary["runs"][0]["not_judged"]
    assert blind or any(task["above"] > task["above_by_host"] for task in summary["runs"][0]["tasks"])
    if not realtime():
        assert any("SCHED_FIFO refused" in line for line in blind)
