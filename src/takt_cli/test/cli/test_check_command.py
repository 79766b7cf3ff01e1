# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt check`, with stand-ins for the C++ programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from run_results import change_result
from spec_samples import GOOD

from takt_cli.analysis.bounds import bounds_summary
from takt_cli.cli.main import cli
from takt_cli.results.benchmark import BENCHMARKS, BenchmarkProcess, BenchmarkRecord, BenchmarkSettings, pass_folder
from takt_cli.results.bounds import BOUNDS_FORMAT, BoundsRecord, BoundsSettings
from takt_cli.results.json_file import write_json
from takt_cli.results.origin import Origin
from takt_cli.results.program import Grants
from takt_cli.results.sample_files import SAMPLES, write_rows
from takt_cli.schedulability.model import Costs

ORIGIN = Origin(command=["takt"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=None)
LATE = GOOD.replace("deadline: 40ms", "deadline: 1.2ms")


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", *arguments])


def summary_of(*arguments: str, status: int = 0) -> dict[str, Any]:
    result = takt(*arguments, "--json")
    assert result.exit_code == status, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def error_of(result: Result) -> str:
    assert result.exit_code in {1, 2}
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


@pytest.fixture
def late_spec(spec: Path) -> Path:
    spec.write_text(LATE, "utf-8")
    return spec


def test_a_set_that_holds_is_shown_with_bounds_and_margins(spec: Path) -> None:
    summary = summary_of(str(spec))
    assert summary["outcome"] == "holds"
    assert [(t["task"], t["bound_ns"], t["margin_ns"]) for t in summary["tasks"]] == [
        ("lidar/grab", 1_000_000, 9_000_000),
        ("planner/plan", 1_375_000, 38_625_000),
    ]
    assert summary["mends"] == []
    words = " ".join(takt(str(spec)).stdout.split())
    assert "it holds" in words
    assert "no overhead is counted" in words
    assert "lidar/grab > planner/plan │ 12.375ms │ 32.375ms" in words


def test_a_set_that_does_not_hold_is_shown_with_task_cause_and_remedy(late_spec: Path) -> None:
    result = takt(str(late_spec))
    assert result.exit_code == 1
    words = " ".join(result.stdout.split())
    # The phases differ, so the worst case may never occur.
    assert "planner/plan: may take 1.375ms, deadline 1.2ms: 375us its own WCET, 1ms from other tasks" in words
    assert "it would hold if lidar/grab took at most 825us, 175us (17.5 %) less" in words
    assert "it would hold if it had other priorities: --assign shows them" in words
    assert "not shown to hold" in words
    late_spec.write_text(LATE.replace("        phase: 1.5ms\n", ""), "utf-8")
    assert "it does not hold" in takt(str(late_spec)).stdout


def test_blocking_is_shown_in_whole_microseconds(late_spec: Path) -> None:
    # The analysis calculates 375 us less 1 ns, because the blocking job must have started before.
    text = GOOD.replace("policy: fp", "policy: np-fp").replace("wcet: 1ms,", "wcet: 1ms, deadline: 1.2ms,")
    late_spec.write_text(text, "utf-8")
    words = " ".join(takt(str(late_spec)).stdout.split())
    assert "lidar/grab: may take 1.375ms, deadline 1.2ms: 1ms its own WCET, 375us blocked by planner/plan, 0ns" in words


TWO_IN_ONE_NODE = """\
name: arm
policy: fp
nodes:
  - name: arm
    callbacks:
      - {name: fast, period: 10ms, wcet: 1ms, priority: 90, deadline: 3ms}
      - {name: slow, period: 50ms, wcet: 8ms, priority: 10}
"""


def test_a_group_of_its_own_is_proposed_where_it_helps(spec: Path) -> None:
    spec.write_text(TWO_IN_ONE_NODE, "utf-8")
    mends = summary_of(str(spec), status=1)["mends"]
    assert any(
        mend.startswith("the callbacks of node arm were in nodes of their own, or in a reentrant") for mend in mends
    )
    spec.write_text(TWO_IN_ONE_NODE.replace("- name: arm", "- name: arm\n    group: reentrant"), "utf-8")
    assert summary_of(str(spec))["outcome"] == "holds"
    # Under a non-preemptive policy, a preemptive one is proposed.
    mends = summary_of(str(spec), "--policy", "np-fp", status=1)["mends"]
    assert [mend for mend in mends if mend.startswith("the policy")] == ["the policy were fp"]
    assert not [mend for mend in mends if "group" in mend]


def test_a_set_with_a_miss_in_the_simulation_does_not_hold(spec: Path) -> None:
    spec.write_text(LATE.replace("wcet: 1ms,", "wcet: 1ms, deadline: 1.001ms,"), "utf-8")
    assert summary_of(str(spec), status=1)["outcome"] == "not shown to hold"
    summary = summary_of(str(spec), "--simulate", status=1)
    assert summary["outcome"] == "does not hold"
    assert [note for note in summary["notes"] if "simulation misses" in note] == [
        "the simulation misses deadlines of lidar/grab: it takes 1.01ms, deadline 1.001ms"
    ]


def test_refreshes_in_the_bounds_are_shown(spec: Path) -> None:
    reads = "reads: [scan, outside/gps]"
    spec.write_text(GOOD.replace(reads, reads + "\n        max_age: {scan: 5ms}"), "utf-8")
    result = takt(str(spec))
    assert "lidar/grab before planner/plan" in " ".join(result.stdout.split()), result.output


def test_priorities_that_are_missing_can_be_found(spec: Path) -> None:
    spec.write_text(TWO_IN_ONE_NODE.replace(", priority: 10", ""), "utf-8")
    assert "or let `takt check SPEC --policy dm --assign` find them" in error_of(takt(str(spec)))


def test_assign_finds_priorities(late_spec: Path) -> None:
    summary = summary_of(str(late_spec), "--assign")
    assert summary["assigned"] == {"lidar/grab": 1, "planner/plan": 2}
    assert summary["outcome"] == "holds"
    none = summary_of(str(late_spec), "--assign", "--policy", "np-fp", status=1)
    assert none["assigned"] is None
    assert "the policy edf uses no priorities" in error_of(takt(str(late_spec), "--assign", "--policy", "edf"))


def test_under_edf_the_work_that_is_due_is_shown(late_spec: Path) -> None:
    late_spec.write_text(LATE.replace("deadline: 1.2ms", "deadline: 0.3ms"), "utf-8")
    summary = summary_of(str(late_spec), "--policy", "edf", status=1)
    (processor,) = summary["processors"]
    assert processor["demand_above_length"]["length_ns"] == 300_000
    assert (
        "within 300us, work of 375us may be due (planner/plan 375us)" in takt(str(late_spec), "--policy", "edf").stdout
    )


def test_policies_without_an_analysis_are_named_as_such(spec: Path) -> None:
    summary = summary_of(str(spec), "--policy", "ros", status=1)
    assert summary["outcome"] == "not analysed"
    assert "there is no analysis of the policy ros" in takt(str(spec), "--policy", "ros").stdout


def test_out_keeps_the_answer_and_a_plot_beside_the_model(spec: Path) -> None:
    summary_of(str(spec), "--out", "kept")
    assert {p.name for p in Path("kept").iterdir()} == {"spec.yaml", "check.json", "responses.svg"}
    kept = json.loads(Path("kept/check.json").read_text("utf-8"))
    assert [task["simulated_ns"] for task in kept["tasks"]] == [1_010_000, 385_000]
    assert "bound, simulated and measured" in Path("kept/responses.svg").read_text("utf-8")


def test_execution_times_come_from_a_run(spec: Path) -> None:
    run = ["run", str(spec), "--executor", "takt", "--duration", "0.2", "--warmup", "0", "--out", "run"]
    assert CliRunner().invoke(cli, run).exit_code == 0
    summary = summary_of(str(spec), "--from", "run", "--margin", "50")
    assert [task["wcet_ns"] for task in summary["tasks"]] == [1_500_000, 562_500]
    assert all(task["measured_ns"] for task in summary["tasks"])
    assert "the longest observed in run (at least 10 jobs of each task), plus 50 %" in summary["notes"][0]
    other = Path("other.yaml")
    other.write_text(GOOD.replace("name: grab", "name: seize"), "utf-8")
    assert "run: has no callback lidar/seize" in error_of(takt(str(other), "--from", "run"))
    assert "holds no result; name the folder of a finished one" in error_of(takt(str(spec), "--from", "nothing"))
    assert "run: is not the result of a benchmark; name one" in error_of(takt(str(spec), "--overheads", "run"))


def test_a_run_above_the_bounds_is_reported(spec: Path) -> None:
    run = ["run", str(spec), "--executor", "takt", "--duration", "0.2", "--warmup", "0", "--out", "run"]
    assert CliRunner().invoke(cli, run).exit_code == 0
    summary = summary_of(str(spec), "--from", "run", "--margin", "0")
    above = [t["task"] for t in summary["tasks"] if t["measured_ns"] > t["bound_ns"]]
    (note,) = [note for note in summary["notes"] if "longer in the run than the bound" in note]
    assert above
    assert all(task in note for task in above)
    assert "for dispatch: see --overheads" in " ".join(summary["notes"])


def benchmark(folder: Path, kind: str, variants: dict[str, dict[int, float]]) -> None:
    place = pass_folder(folder, 0)
    place.mkdir(parents=True)
    rows = [(0, number, x, 0, value) for number, each in enumerate(variants.values()) for x, value in each.items()]
    write_rows(place / f"{kind}.samples.npy", np.array(rows, SAMPLES))
    record = BenchmarkRecord([BenchmarkProcess(list(variants), 0, Grants(True))])
    BENCHMARKS[kind].format.write(folder, ORIGIN, BenchmarkSettings(kind, 0, 1, 10**6), record)


def test_overheads_come_from_benchmarks(spec: Path) -> None:
    benchmark(Path("all/dispatch"), "dispatch", {"executor": {1: 500.0, 10: 800.2, 100: 900.0}})
    benchmark(Path("all/preemption"), "preemption", {"takt": {0: 7000.0}})
    costs = summary_of(str(spec), "--overheads", "all")["costs_ns"]
    assert (costs["job"], costs["preemption"]) == (801, 7000)
    one = summary_of(str(spec), "--overheads", "all/dispatch", "--overhead-job", "2us")["costs_ns"]
    assert (one["job"], one["preemption"]) == (2000, 0)
    benchmark(Path("switch"), "switch", {"thread, start": {0: 1.0}})
    assert "name one of takt measure dispatch" in error_of(takt(str(spec), "--overheads", "switch"))


def test_all_costs_come_from_runs_against_bounds(spec: Path) -> None:
    costs = Costs(job=9000, preemption=1000, section=4000, jitter=7000, release=2000, others=3000, burst=200_000)
    Path("b").mkdir()
    BOUNDS_FORMAT.write(Path("b"), ORIGIN, BoundsSettings(1, 1, 10**9, 0), BoundsRecord({}))
    write_json(Path("b/summary.json"), bounds_summary([], 1, 1.0, costs, []))
    answer = summary_of(str(spec), "--overheads", "b", "--jitter", "1us")
    assert list(answer["costs_ns"].values()) == [9000, 1000, 4000, 1000, 2000, 3000, 200_000]
    # The WCET and cost of its own job, a release of each task, other threads in 2 ms, their longest turn, and a
    # middleware section of the other task.
    plain = 1_000_000 + 10_000 + 1000
    assert answer["tasks"][0]["bound_ns"] == plain + 2 * 2000 + 2 * 3000 + 200_000 + 4000 - 1
    assert "threads above the jobs: 2us per release, 3us per ms, and once 200us" in answer["notes"]
    write_json(Path("b/summary.json"), bounds_summary([], 1, 1.0, costs, ["no rights"]))
    assert error_of(takt(str(spec), "--overheads", "b")).endswith("the costs could not be measured there: no rights")
    change_result(Path("b"), lambda result: result.update(schema_version=99))
    assert "has version 99 of its format" in error_of(takt(str(spec), "--overheads", "b"))


def test_each_processor_is_checked(spec: Path) -> None:
    text = GOOD.replace("wcet: 1ms,", "wcet: 1ms, processor: 0,").replace(
        "wcet: 375us", "wcet: 375us\n        processor: 1"
    )
    spec.write_text(text, "utf-8")
    summary = summary_of(str(spec))
    assert [(task["processor"], task["bound_ns"]) for task in summary["tasks"]] == [(0, 1_000_000), (1, 375_000)]
    assert "places callbacks on 2" in error_of(takt(str(spec), "--processors", "1"))


def test_a_set_that_is_too_much_for_one_processor_is_tried_on_more(spec: Path) -> None:
    spec.write_text(GOOD.replace("wcet: 1ms,", "wcet: 10ms,"), "utf-8")
    result = takt(str(spec))
    words = " ".join(result.stdout.split())
    assert result.exit_code == 1
    assert "has a utilisation of 1.019, which is above 1" in words
    assert "it would hold if it ran on 2 processors: --processors 2" in words
    assert "processors" not in " ".join(summary_of(str(spec), "--processors", "1", status=1)["mends"])


STRATEGY = """\
default: drive
scenarios:
  drive: {}
  dock:
    policy: np-fp
    tasks:
      planner/plan: {period: 10ms, deadline: 1.2ms, priority: 96, subscribes: scan}
  rest:
    tasks:
      grab: {suspended: true}
"""


def test_a_scenario_may_set_on_stale_and_extra_releases(spec: Path) -> None:
    """A reader that is skipped on old data which nothing refreshes has no bound, whether the scenario or the spec says
    so."""
    keys = "planner/plan: {max_age: {outside/gps: 1s}, on_stale: skip}"
    Path("schedule.yaml").write_text(f"scenarios: {{drive: {{}}, dock: {{tasks: {{{keys}}}}}}}\n", "utf-8")
    summary = summary_of(str(spec), "--strategy", "schedule.yaml", status=1)
    bounds = {name: each["tasks"][1]["bound_ns"] for name, each in summary["scenarios"].items()}
    assert bounds["drive"] is not None
    assert bounds["dock"] is None
    grab = "scenarios: {dock: {tasks: {grab: {extra_releases: true}}}}\n"
    Path("schedule.yaml").write_text(grab, "utf-8")
    assert summary_of(str(spec), "--strategy", "schedule.yaml")["scenarios"]["dock"]["outcome"] == "holds"


def test_each_scenario_is_checked_by_itself(spec: Path) -> None:
    Path("schedule.yaml").write_text(STRATEGY, "utf-8")
    summary = summary_of(str(spec), "--strategy", "schedule.yaml", "--out", "kept", status=1)
    outcomes = {name: each["outcome"] for name, each in summary["scenarios"].items()}
    assert outcomes == {"drive": "holds", "dock": "not shown to hold", "rest": "holds"}
    assert summary["scenarios"]["dock"]["tasks"][1]["bound_ns"] == 1_374_999
    assert [task["task"] for task in summary["scenarios"]["rest"]["tasks"]] == ["planner/plan"]
    assert {"check.json", "responses-dock.svg"} < {p.name for p in Path("kept").iterdir()}
    words = " ".join(takt(str(spec), "--strategy", "schedule.yaml").stdout.split())
    assert "2 of 3 scenarios hold" in words
    assert "the analysis does not cover changes of scenario" in words


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("planner/plan", "planner/paln", "schedule.yaml:7: scenarios.dock.tasks.planner/paln: there is no such task"),
        ("period: 10ms", "perio: 10ms", "perio: unknown key; did you mean 'period'?"),
        ("np-fp", "best", "schedule.yaml:5: scenarios.dock.policy: 'best' is not known"),
        ("deadline: 1.2ms", "deadline: 0ms", "must be above 0"),
        ("priority: 96", "priority: 99", "priority: 99 is outside 1 to 98"),
        (
            "priority: 96",
            "on_stale: drop",
            "plan.on_stale: 'drop' is not known; give one of report, skip",
        ),
        ("priority: 96", "extra_releases: 3", "plan.extra_releases: 3 is not true or false"),
        ("subscribes: scan", "max_age: {odom: 10ms}", "'odom' is not among the topics that the callback reads"),
        ("suspended: true", "suspended: true, deadline: 20ms", "above the period"),
    ],
)
def test_strategies_that_do_not_fit_are_refused(spec: Path, old: str, new: str, error: str) -> None:
    Path("schedule.yaml").write_text(STRATEGY.replace(old, new), "utf-8")
    assert error in error_of(takt(str(spec), "--strategy", "schedule.yaml"))


@pytest.mark.parametrize(
    ("max_age", "line"), [("5ms", "may be 12.375ms old, above its max_age of 5ms"), ("12ms", None)]
)
def test_a_max_age_that_may_be_exceeded_is_named(max_age: str, line: str | None, spec: Path) -> None:
    spec.write_text(GOOD.replace("/gps]\n", f"/gps]\n        max_age: {{scan: {max_age}}}\n"), "utf-8")
    result = takt(str(spec))
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert "it holds: no job misses its deadline" in words
    assert ("planner/plan: scan may be" in words) == (line is not None)
    assert line is None or line in words
