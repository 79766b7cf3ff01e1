# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The command with the real C++ programs: that both sides keep the agreement. No timing is asserted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from spec_samples import GOOD
from stand_ins import PROGRAMS

from takt_cli.analysis.bootstrap import LEAST_BLOCKS
from takt_cli.analysis.result import read_result
from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program
from takt_cli.schedulability.model import Costs


def missing() -> list[str]:
    names = []
    for name in PROGRAMS:
        try:
            find_program(name)
        except HostError:
            names.append(name)
    return names


pytestmark = [pytest.mark.programs, pytest.mark.rights]


@pytest.fixture(autouse=True, scope="module")
def _the_programs_are_there() -> None:
    """Skips where takt_lab is not built; fails where who runs the tests has built it (`make test`)."""
    if not (names := missing()):
        return
    reason = f"programs of takt_lab are not built: {', '.join(names)}"
    if os.environ.get("TAKT_REQUIRE_PROGRAMS"):
        pytest.fail(reason)
    pytest.skip(reason)


def takt(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("app.yaml").write_text(GOOD, "utf-8")
    return "app.yaml"


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
    # A busy host may keep it from running at all.
    if less_urgent["skipped"] + less_urgent["unfinished"] < less_urgent["jobs"]:
        assert less_urgent["data_age_ms"]["n"] > 0
    if executor == "takt":
        assert totals["stale"] == 0


ROOT = Path(__file__).parents[3]


def test_the_example_meets_its_deadlines(app: str) -> None:
    example = str(ROOT / "examples" / "planner.yaml")
    assert takt("simulate", example)["deadline_misses"] == 0
    summary = takt("run", example, "--executor", "takt", "--duration", "0.5", "--out", "out")
    assert summary["application"] == "planner"
    assert summary["tasks"][1]["data_age_ms"]["n"] > 0


def test_a_run_without_rights_says_what_it_ran_as(app: str) -> None:
    command = [str(ROOT / "setup" / "without_rights.sh"), sys.executable, "-m", "takt_cli", "run", app]
    command += ["--executor", "takt", "--duration", "0.5"]
    result = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    summary = json.loads(result.stdout)
    assert (summary["policy"], summary["policy_in_use"]) == ("fp", "np-fp")
    assert any("SCHED_FIFO refused" in line for line in summary["refused"])
    assert len(result.stderr.splitlines()) == 1
    assert "takt ran without preemption, as np-fp instead of fp" in result.stderr
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "three under takt (np-fp, without preemption, instead of fp)" in told
    assert "refused" in next(line for line in told.splitlines() if line.startswith("priorities: "))


def test_a_run_of_too_much_says_so(app: str) -> None:
    Path(app).write_text(GOOD.replace("wcet: 1ms", "wcet: 10ms"), "utf-8")
    summary = takt("run", app, "--executor", "takt", "--duration", "0.5", "--warmup", "0")
    totals = summary["totals"]
    kinds = ("host_misses", "unforced_misses", "unforced_skipped", "forced_misses")
    assert totals["deadline_misses"] == sum(totals[kind] for kind in kinds)
    assert totals["forced_misses"] > 0
    assert any("that no schedule of fp could avoid (utilisation 1.02)" in why for why in summary["verdict"]["why"])


def test_two_cores_hold_what_one_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task set of utilisation 1.6, in short: who ran where, and that all messages arrived.
    Whether its deadlines hold is for a run of one's own."""
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
    assert sorted(set(result.on)) == cpus
    tasks = result.application.tasks
    # As the model partitions it, and groups whole.
    for cpu in cpus:
        load = sum(t.callback.utilisation for t, on in zip(tasks, result.on, strict=True) if on == cpu)
        assert load == pytest.approx(0.8, abs=0.01)
    assert result.on[0] == result.on[1]
    assert result.on[2] == result.on[3]
    (process,) = result.processes
    if process["grants"]["pinned"]:
        for place in process["places"]:
            assert place["cpu"] in (result.on[place["task"]], -1)
            assert place["elsewhere"] == 0
    # No job twice, none on two processors: counted once among all.
    jobs = list(zip(result.jobs["task"].tolist(), result.jobs["index"].tolist(), strict=True))
    assert len(set(jobs)) == len(jobs)
    own = [each["statistics"]["jobs"] for each in process["processors"]]
    assert sum(own) == process["statistics"]["jobs"] >= np.count_nonzero(result.jobs["finish"] >= 0)
    # What was published was delivered or made room for a newer one, whichever processor it came from. How many were
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
    # 9 ms every 10 leave 1 ms: the lower one starts at 9 ms and needs three gaps, to 39 ms and so on.
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
    assert model["tasks"][1]["data_age_ms"]["max"] <= 5
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
    # It burns 1 ms.
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
    # What the policy holds is a matter of the model alone.
    assert [task["task"] for task in data["tasks"] if task["held"]] == data["held"]["tasks"]
    assert len(data["held"]["tasks"]) == 8
    assert data["held"]["utilisation"] == pytest.approx(0.875)
    assert [task["jobs"] for task in data["tasks"][:3]] == [60, 60, 30]
    # Who is least urgent gets nothing: whatever the host did, there was no time for it.
    assert data["others"]["late"] + data["others"]["skipped"] > 0
    held = data["held"]
    result = read_result(Path("out/run"))
    assert held["jobs"] == sum(140 * 10 // p for p in (10, 10, 20, 20, 20, 40, 40, 40))
    assert all(held[kind] >= 0 for kind in ("unforced", "throttled", "host", "forced"))
    recovery = data["recovery"]
    assert recovery["simulated_ms"] <= recovery["simulated_bound_ms"]
    assert recovery["replayed_ms"] is None or recovery["replayed_ms"] <= recovery["bound_ms"]
    assert result.gauges is not None
    assert data["gauges"]["resident"]["n"] == 20
    assert data["gauges"]["threads"]["first"] > 1
    assert data["messages"]["published"] > 0
    assert data["messages"]["pool_exhausted"] == 0
    published = {m["topic"]: m["count"] for m in result.processes[0]["messages"] if m["role"] == "publisher"}
    for reader in (m for m in result.processes[0]["messages"] if m["role"] == "subscription"):
        # Delivered, replaced by newer ones, or waiting in a queue of bounded length.
        assert 0 <= published[reader["topic"]] - reader["count"] - reader["replaced"] <= 4
    assert data["verdict"]["outcome"] in {"pass", "fail", "inconclusive"}
    assert data["verdict"]["why"]


def test_a_soak_is_recorded_replayed_and_judged(app: str) -> None:
    arguments = ["soak", "--duration", "1.6", "--warmup", "0.4", "--load", "none", "--out", "out"]
    data = takt(*arguments)
    misses = data["misses"]
    # Each is of one kind.
    assert misses["late"] == sum(misses[kind] for kind in misses if kind != "late")
    assert data["jobs"] > 0
    assert data["drift_us_per_min"]["off_grid"] == 0
    assert data["scenarios"]["switches"] >= 1
    assert data["guests"] >= 1
    assert data["received"] > 0
    assert data["gauges"]["threads"]["n"] >= 1
    assert data["stress"] is None
    assert data["verdict"]["outcome"] in {"pass", "fail", "inconclusive"}
    jobs, replay = np.load("out/jobs.npy"), np.load("out/replay.npy")
    assert len(jobs) == len(replay) >= data["jobs"]
    assert np.all(np.diff(jobs["release"]) >= 0)
    assert np.all(replay["finish"] >= jobs["release"] + jobs["cpu"])
    assert {p.name for p in Path("out").iterdir()} >= {"run.json", "summary.json", "soak.svg", "gauges.npy"}
    shown = CliRunner().invoke(cli, [*arguments[:-1], "shown"])
    assert shown.exit_code == 0, shown.stderr
    assert "scenario switches" in shown.stdout


def test_timers_are_measured_with_their_floors(app: str) -> None:
    arguments = ["measure", "timers", "--callbacks", "6", "--nodes", "3", "--period", "10ms", "--duration", "0.4"]
    summary = takt(*arguments, "--rounds", "1", "--out", "out")
    assert set(summary["executors"]) == {"takt", "takt:np-rm", "baseline0"}
    for figures in {**summary["executors"], **summary["floors"]}.values():
        jobs = figures["jobs"]
        assert jobs["released"] == 240
        assert jobs["run"] + jobs["skipped"] + jobs["unfinished"] == 240
        assert figures["cpu_us_per_callback"]["own"]["median"] > 0


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
    record = json.loads(Path("out/run.json").read_text("utf-8"))
    trace = record["processes"][0]["trace"]
    assert trace["events"] > 100
    assert (record["kernel"]["refused"] is None) == Path("out/kernel.npy").exists()
    if trace["dropped"]:
        assert summary["verdict"]["outcome"] == "inconclusive"
        return
    shown = takt("trace", "show", "out")
    tasks = {task["task"]: task for task in shown["tasks"]}
    counted = {task["task"]: task for task in summary["tasks"]}
    for name in ("hog/eat", "victim/wait"):
        assert tasks[name]["jobs"] == counted[name]["jobs"]
    # Every job of the victim is released with one that takes twice its deadline: late, or where the host has kept it
    # for long, skipped.
    missed = [miss for miss in shown["misses"] if miss["task"] == "victim/wait"]
    late = [miss for miss in missed if miss["how"] == "late"]
    assert len(missed) >= 20
    assert late
    # Without real-time rights nothing preempts, and its job is under way. What else a late job met is the host's.
    parts = {part["words"] for miss in late for part in miss["parts"]}
    assert parts & {"waited for hog/eat", "blocked by hog/eat (which is not preempted)"}
    for kind in ("perfetto", "mcap"):
        assert takt("trace", "export", "out", "--format", kind)["records"] > 50


def test_the_example_of_a_blocked_callback_shows_by_whom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = str(ROOT / "examples" / "blocked.yaml")
    takt("run", spec, "--executor", "takt", "--duration", "1", "--trace", "--out", "out")
    if json.loads(Path("out/run.json").read_text("utf-8"))["processes"][0]["trace"]["dropped"]:
        return
    shown = takt("trace", "show", "out")
    deadlines = {task.id: task.callback.deadline / 1e6 for task in read_result(Path("out")).application.tasks}
    late = [miss for miss in shown["misses"] if miss["how"] == "late"]
    for miss in late:
        response = deadlines[miss["task"]] + miss["late_ms"]
        assert sum(part["ms"] for part in miss["parts"]) == pytest.approx(response, abs=1e-5)
    # In 200 ms two of the arm, while its slow one has begun, and one of the camera.
    assert late
    assert len(shown["misses"]) >= 10
    parts = {part["words"] for miss in late if miss["task"] == "arm/fast" for part in miss["parts"]}
    why = "both in the group of arm" if realtime() else "which is not preempted"
    assert f"blocked by arm/slow ({why})" in parts
    assert Path(takt("trace", "plot", "out")["file"]).stat().st_size > 1000


def realtime() -> bool:
    """Whether this process may have a real-time priority."""
    child = subprocess.run(["chrt", "--fifo", "49", "true"], capture_output=True, check=False)
    return child.returncode == 0


@pytest.mark.parametrize(
    "kind", ["dispatch", "preemption", "exchange", "crossing", "switch", "section", "trace", "nodes"]
)
def test_benchmarks_are_ratios_with_intervals(kind: str, app: str) -> None:
    if kind == "crossing" and len(allowed_cpus()) < 2:
        pytest.skip("this process may use one CPU")
    # Many thousand tasks take their time to start, and a thousand nodes to be made.
    rounds = 1 if kind in ("dispatch", "nodes") else 5
    arguments = ["measure", kind, "--rounds", str(rounds), "--turn", "40ms", "--out", "out", "--json"]
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
        # On a host that keeps a variant from its turn, fewer.
        assert 1 <= ratio["rounds"] <= rounds
        if ratio["rounds"] < LEAST_BLOCKS:
            assert (ratio["low"], ratio["high"]) == (None, None)
        else:
            assert ratio["low"] <= ratio["median"] <= ratio["high"]
    assert all(1 <= growth["exponent"]["rounds"] <= rounds for growth in summary["growth"])
    assert [limit["below"] for limit in summary["limits"]] == ([1.5] if kind == "preemption" else [])
    if kind == "preemption":
        assert summary["cyclictest"]["n"] > 0
    assert {p.name for p in Path("out").iterdir()} == {
        "run.json", "samples.npy", "summary.json", "fastdds.xml", f"{kind}.svg"
    }  # fmt: skip


def test_a_program_says_itself_what_it_cannot_do(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMW_IMPLEMENTATION", "rmw_nonsense_cpp")
    result = CliRunner().invoke(cli, ["run", app, "--executor", "takt", "--out", "out"])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert not Path("out").exists()


def test_real_runs_are_laid_beside_their_bounds(app: str) -> None:
    """Three short ones. That all is within is for a measurement; here, that the answer fits what was seen."""
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
    # One of them by itself, in the plot of `takt check`.
    single = ["check", "out/set-01-fp/spec.yaml", "--from", "out/set-01-fp", "--out", "one"]
    assert CliRunner().invoke(cli, single).exit_code in {0, 1}
    plot = Path("one/responses.svg").read_text("utf-8")
    assert all(words in plot for words in (">bound<", "longest simulated", "longest measured"))


def test_a_real_run_above_a_bound_that_is_wrong_is_caught(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis is told that all jobs take half of what they do."""
    halved = lambda application: tuple(task.callback.wcet // 2 for task in application.tasks)  # noqa: E731
    monkeypatch.setattr("takt_cli.run.bounds.declared", halved)
    monkeypatch.setattr("takt_cli.cli.bounds.measure_costs", lambda *_: (Costs(), []))
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
