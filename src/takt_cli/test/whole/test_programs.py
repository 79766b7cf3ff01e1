# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the command with the real C++ programs: that both sides agree on arguments and files. No timing is
asserted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from real_programs import takt
from repository import ROOT
from spec_samples import GOOD

from takt_cli.analysis.result import read_result
from takt_cli.cli.main import cli
from takt_cli.host.cpus import allowed_cpus

pytestmark = [pytest.mark.programs, pytest.mark.rights, pytest.mark.usefixtures("real_programs")]


@pytest.mark.exchange
@pytest.mark.parametrize("executor", ["takt", "baseline0", "baseline1"])
def test_a_run_records_every_release_on_the_grid(executor: str, app: str) -> None:
    summary = takt("run", app, "--executor", executor, "--duration", "0.6", "--warmup", "0.2", "--out", "out")
    assert summary["rmw"] == os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp")
    # Within 0.6 s: 60 releases every 10 ms, 30 every 20 ms.
    assert [task["jobs"] for task in summary["tasks"]] == [60, 30]
    totals = summary["totals"]
    assert totals["deadline_misses"] == totals["late"] + totals["skipped"] + totals["unfinished"]
    result = read_result(Path("out"))
    assert len(result.jobs) == 120  # the warm-up, too
    assert set(zip(result.jobs["task"].tolist(), result.jobs["index"].tolist(), strict=True)) == (
        {(0, k) for k in range(80)} | {(1, k) for k in range(40)}
    )
    ran = result.jobs[result.jobs["finish"] >= 0]
    assert np.all(ran["start"] >= ran["release"])
    wcet = np.array([task.callback.wcet for task in result.application.tasks])
    assert np.all(ran["cpu"] >= 0.99 * wcet[ran["task"]])
    assert len(result.processes) == (2 if executor == "baseline1" else 1)
    less_urgent = summary["tasks"][1]
    # On a busy host, the less urgent task may not run at all.
    if less_urgent["skipped"] + less_urgent["unfinished"] < less_urgent["jobs"]:
        assert less_urgent["data_age_ms"]["n"] > 0
    if executor == "takt":
        assert totals["stale"] == 0


def test_the_example_meets_its_deadlines(app: str) -> None:
    example = str(ROOT / "examples" / "planner.yaml")
    assert takt("simulate", example)["deadline_misses"] == 0
    summary = takt("run", example, "--executor", "takt", "--duration", "0.5", "--out", "out")
    assert summary["application"] == "planner"
    assert summary["tasks"][1]["data_age_ms"]["n"] > 0


def test_a_run_without_rights_names_the_policy_in_use(app: str) -> None:
    command = [str(ROOT / "setup" / "without_rights.sh"), sys.executable, "-m", "takt_cli", "run", app]
    command += ["--executor", "takt", "--duration", "0.5"]
    result = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    summary = json.loads(result.stdout)
    assert (summary["policy"], summary["policy_in_use"]) == ("fp", "np-fp")
    assert any("SCHED_FIFO refused" in line for line in summary["refused"])
    assert len(result.stderr.splitlines()) == 1
    assert "takt ran without preemption, as np-fp instead of fp" in result.stderr
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "three under takt (np-fp, without preemption, instead of fp)" in output
    assert "refused" in next(line for line in output.splitlines() if line.startswith("priorities: "))


def test_a_run_of_too_much_says_so(app: str) -> None:
    Path(app).write_text(GOOD.replace("wcet: 1ms", "wcet: 10ms"), "utf-8")
    summary = takt("run", app, "--executor", "takt", "--duration", "0.5", "--warmup", "0")
    totals = summary["totals"]
    kinds = ("host_misses", "unforced_misses", "unforced_skipped", "forced_misses")
    assert totals["deadline_misses"] == sum(totals[kind] for kind in kinds)
    assert totals["forced_misses"] > 0
    reasons = [why for why in summary["verdict"]["why"] if "that fp could not have met" in why]
    assert ["(utilisation 1.02)" in why for why in reasons] == [True]


def test_two_cores_hold_what_one_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task set of utilisation 1.6 is run briefly: tasks run on the right CPUs, and all messages arrive. Whether
    deadlines are met is not asserted here."""
    cpus = allowed_cpus()[:2]
    if len(cpus) < 2:
        pytest.skip("this process may use one CPU")
    monkeypatch.chdir(tmp_path)
    spec = str(ROOT / "examples" / "two_cores.yaml")
    assert takt("simulate", spec, "--processors", "2")["deadline_misses"] == 0
    assert takt("simulate", spec, "--processors", "1")["deadline_misses"] > 0
    both = ",".join(map(str, cpus))
    takt("run", spec, "--executor", "takt", "--duration", "0.6", "--warmup", "0.2", "--cpu", both, "--out", "out")
    result = read_result(Path("out"))
    assert sorted(set(result.task_cpus)) == cpus
    tasks = result.application.tasks
    # The tasks are placed as in the model, and each group is on one processor.
    for cpu in cpus:
        load = sum(t.callback.utilisation for t, on in zip(tasks, result.task_cpus, strict=True) if on == cpu)
        assert load == pytest.approx(0.8, abs=0.01)
    assert result.task_cpus[0] == result.task_cpus[1]
    assert result.task_cpus[2] == result.task_cpus[3]
    process = json.loads(Path("out/programs/takt.json").read_text("utf-8"))
    if process["grants"]["pinned"]:
        for place in process["places"]:
            assert place["cpu"] in (result.task_cpus[place["task"]], -1)
            assert place["elsewhere"] == 0
    # No job was recorded twice or on two processors, and the counts of the processors add up.
    jobs = list(zip(result.jobs["task"].tolist(), result.jobs["index"].tolist(), strict=True))
    assert len(set(jobs)) == len(jobs)
    own = [each["statistics"]["jobs"] for each in process["processors"]]
    assert sum(own) == process["statistics"]["jobs"] >= np.count_nonzero(result.jobs["finish"] >= 0)
    # Each published message was delivered or replaced by a newer one, even between processors. How many were
    # delivered is not asked: a host that takes most of both processors leaves some tasks no time.
    published = {m["topic"]: m["count"] for m in process["messages"] if m["role"] == "publisher"}
    readers = [m for m in process["messages"] if m["role"] == "subscription"]
    for reader in readers:
        waiting = published[reader["topic"]] - reader["count"] - reader["replaced"]
        assert waiting in (0, 1), reader
    assert len(readers) == sum(len(task.callback.reads) for task in tasks) > 0


@pytest.mark.exchange
def test_messages_reach_readers_of_other_processes(app: str) -> None:
    takt("run", app, "--executor", "baseline1", "--duration", "0.6", "--out", "out")
    result = read_result(Path("out"))
    inside = result.reads[result.reads["topic"] == 0]
    used = inside["sequence"][inside["sequence"] >= 0]
    assert len(used) > 0
    assert set(used.tolist()) <= set(result.publishes["sequence"].tolist())


def test_the_model_gives_known_response_times(app: str) -> None:
    summary = takt("simulate", app)
    assert summary["deadline_misses"] == 0
    assert [task["response_ms"]["max"] for task in summary["tasks"]] == [1.0, 0.375]
    heavy = GOOD.replace("wcet: 1ms", "wcet: 9ms").replace("phase: 1.5ms", "phase: 0ms")
    Path("heavy.yaml").write_text(heavy.replace("wcet: 375us", "wcet: 3ms"), "utf-8")
    # A job of 9 ms every 10 ms leaves 1 ms: the lower task starts at 9 ms and needs three such gaps.
    summary = takt("simulate", "heavy.yaml", "--duration", "200ms")
    assert summary["tasks"][0]["deadline_misses"] == 0
    assert summary["tasks"][1]["deadline_misses"] > 0
    first = takt("simulate", "heavy.yaml", "--policy", "np-fp", "--duration", "200ms")
    assert first["tasks"][0]["deadline_misses"] > 0


def test_a_run_is_replayed(app: str) -> None:
    takt("run", app, "--executor", "takt", "--duration", "0.5", "--out", "out")
    summary = takt("simulate", app, "--replay", "out")
    assert summary["replay_of"]["executor"] == "takt"
    assert summary["jobs"] == 75
    replay = np.load("out/replay.npy")
    jobs = np.load("out/jobs.npy")
    assert replay["release"].min() == jobs["release"].min()


def test_the_age_of_data_is_bounded(app: str) -> None:
    text = GOOD.replace("publishes: [scan]", "phase: 5ms, publishes: [scan], extra_releases: true")
    text = text.replace("phase: 1.5ms", "phase: 3ms").replace("/gps]", "/gps]\n        max_age: {scan: 5ms}")
    Path(app).write_text(text, "utf-8")
    model = takt("simulate", app)
    assert all(read["data_age_ms"]["max"] <= 5 for read in model["tasks"][1]["reads"])
    summary = takt("run", app, "--executor", "takt", "--duration", "0.6", "--out", "out")
    assert summary["totals"]["ages"]["extra_releases"] > 0
    assert summary["tasks"][0]["ages"]["extra_releases"] == summary["totals"]["ages"]["extra_releases"]
    assert summary["tasks"][1]["ages"]["refreshed"] > 0
    assert summary["tasks"][1]["max_age_ms"] == 5
    # Extra jobs are no releases of the grid.
    assert [task["jobs"] for task in summary["tasks"]] == [60, 30]
    assert takt("simulate", app, "--replay", "out")["jobs"] == 90
    assert takt("run", app, "--executor", "baseline0", "--duration", "0.3", "--out", "b")["totals"]["ages"] is None


def test_budgets_are_kept(app: str) -> None:
    # Each job uses 1 ms of CPU time.
    text = GOOD.replace("publishes: [scan]", "publishes: [scan], budget: 500us, on_budget: background")
    Path(app).write_text(text, "utf-8")
    assert takt("simulate", app)["deadline_misses"] == 0
    summary = takt("run", app, "--executor", "takt", "--duration", "0.6", "--out", "out")
    budgets = summary["tasks"][0]["budgets"]
    assert summary["tasks"][0]["budget_ms"] == 0.5
    assert budgets["exhausted"] > 0
    assert (budgets["lowered"] > 0) == (summary["policy_in_use"] == "fp")
    assert budgets["lowered"] <= budgets["exhausted"]
    assert summary["totals"]["budgets"] == budgets | {"overruns": summary["totals"]["budgets"]["overruns"]}
    assert takt("simulate", app, "--replay", "out")["jobs"] == 90
    assert takt("run", app, "--executor", "baseline0", "--duration", "0.3", "--out", "b")["totals"]["budgets"] is None


def test_an_overload_is_run_replayed_and_judged(app: str) -> None:
    data = takt("measure", "overload", "--duration", "0.6", "--calm", "0.4", "--out", "out")
    assert data["utilisation"] == {"calm": pytest.approx(0.6), "overload": pytest.approx(1.5)}
    # Which tasks count as held is determined by the model alone.
    assert [task["task"] for task in data["tasks"] if task["held"]] == data["held"]["tasks"]
    assert len(data["held"]["tasks"]) == 8
    assert data["held"]["utilisation"] == pytest.approx(0.875)
    assert [task["jobs"] for task in data["tasks"][:3]] == [60, 60, 30]
    # There is no CPU time for the least urgent tasks, whatever the host does.
    assert data["others"]["late"] + data["others"]["skipped"] > 0
    held = data["held"]
    result = read_result(Path("out/run"))
    assert held["jobs"] == sum(140 * 10 // p for p in (10, 10, 20, 20, 20, 40, 40, 40))
    assert all(held[kind] >= 0 for kind in ("unforced", "throttled", "host", "forced"))
    recovery = data["recovery"]
    assert recovery["simulated_ms"] <= recovery["simulated_bound_ms"]
    assert recovery["replayed_ms"] is None or recovery["replayed_ms"] <= recovery["bound_ms"]
    assert result.gauges is not None
    # One sample per 0.1 s by an ordinary thread, some of which may be missing on a busy host.
    assert 0 < data["gauges"]["resident"]["n"] <= 20
    assert data["gauges"]["threads"]["first"] > 1
    assert data["messages"]["published"] > 0
    assert data["messages"]["pool_exhausted"] == 0
    published = {each.topic: each.count for each in result.processes[0].messages if each.role == "publisher"}
    for reader in (each for each in result.processes[0].messages if each.role == "subscription"):
        # Delivered, replaced by newer ones, or waiting in a queue of bounded length.
        assert 0 <= published[reader.topic] - reader.count - reader.replaced <= 4
    assert data["verdict"]["outcome"] in {"pass", "fail", "inconclusive", "too short to judge"}
    assert data["verdict"]["why"]


def test_a_soak_is_recorded_replayed_and_judged(app: str) -> None:
    arguments = ["soak", "--duration", "1.6", "--warmup", "0.4", "--load", "none", "--out", "out"]
    data = takt(*arguments)
    misses = data["misses"]
    # Each late job has exactly one kind.
    assert misses["late"] == sum(misses[kind] for kind in misses if kind != "late")
    assert data["jobs"] > 0
    assert data["drift_us_per_min"]["off_grid"] == 0
    assert data["scenarios"]["switches"] >= 1
    assert data["guests"] >= 1
    assert data["received"] > 0
    assert data["gauges"]["threads"]["n"] >= 1
    assert data["stress"] is None
    assert data["verdict"]["outcome"] in {"pass", "fail", "inconclusive", "too short to judge"}
    jobs, replay = np.load("out/jobs.npy"), np.load("out/replay.npy")
    assert len(jobs) == len(replay) >= data["jobs"]
    assert np.all(np.diff(jobs["release"]) >= 0)
    assert np.all(replay["finish"] >= jobs["release"] + jobs["cpu"])
    assert {p.name for p in Path("out").iterdir()} >= {"result.json", "summary.json", "soak.svg", "gauges.npy"}
    shown = CliRunner().invoke(cli, [*arguments[:-1], "shown", "--application", "urgent"])
    assert shown.exit_code == 0, shown.stderr
    assert "scenario switches" in shown.stdout
    probes = [json.loads(Path(name, "stalls.json").read_text("utf-8")) for name in ("out", "shown")]
    assert [probe["period_ns"] for probe in probes] == [1_000_000, 250_000]


def test_an_rmw_that_does_not_exist_gives_one_line(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMW_IMPLEMENTATION", "rmw_nonsense_cpp")
    result = CliRunner().invoke(cli, ["run", app, "--executor", "takt", "--out", "out"])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert not Path("out").exists()
