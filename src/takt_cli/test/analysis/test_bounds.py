# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of runs against their bounds, on hand-written traces: which jobs exceed their bounds, and what caused it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from run_results import run_envelope
from trace_samples import MS, TraceSample

from takt_cli.analysis.bounds import (
    Agreement,
    AnalysedRun,
    BoundedSet,
    BoundedTask,
    BoundsSummary,
    Part,
    analysed,
    bounded_set,
    bounds_summary,
)
from takt_cli.analysis.grid import Window
from takt_cli.analysis.intervals import clip, intersection, subtract, total_length, union
from takt_cli.analysis.result import Result
from takt_cli.analysis.run_costs import run_costs
from takt_cli.analysis.stalls.host_time import HostTime
from takt_cli.chart.svg import to_svg
from takt_cli.report.kinds.bounds import bounds_chart, bounds_report
from takt_cli.results.kernel_file import SWITCHES
from takt_cli.results.run import RunRequest
from takt_cli.results.sample_files import JOBS, PUBLISHES, READS, STALLS, Rows
from takt_cli.results.trace_file import read_trace
from takt_cli.results.verdict import Verdict
from takt_cli.schedulability.check import check
from takt_cli.schedulability.model import Costs, Demands
from takt_cli.spec.load import parse_spec
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis

A, B = 0, 1
US = 1000
# Bounds: b 3 ms, a 7 ms.
SPEC = b"""name: two
policy: fp
nodes:
  - name: n
    group: reentrant
    callbacks:
      - {name: a, period: 100ms, wcet: 4ms, priority: 1}
      - {name: b, period: 100ms, wcet: 3ms, priority: 2}
"""
TIDS = {"takt.w1": 11, "takt.w2": 12, "takt.timer": 13, "dds.ev.0": 14}


def result_of(
    folder: Path,
    jobs: Rows,
    stalls: Rows,
    refused: tuple[str, ...] = (),
    in_use: str = "fp",
    start: int = -50 * MS,
) -> Result:
    application = parse_spec(SPEC, "two.yaml")
    envelope = run_envelope({
        "policy": {"in_use": in_use},
        "grants": {"realtime": True, "refused": list(refused)},
        "threads": [{"tid": tid, "name": name, "class": "executor", "cpu_ns": 0} for name, tid in TIDS.items()],
    }, request=RunRequest(executor="takt", policy="fp", duration=10**9, warmup=0, cpus=(1,)))  # fmt: skip
    none = np.empty(0, READS), np.empty(0, PUBLISHES)
    return Result(folder, envelope, application, Window(0, start, 10**9), jobs, *none, stalls, None, None)


def run_of(
    folder: Path,
    sample: TraceSample,
    stalls: list[tuple[int, int]] | None = None,
    kernel: list[tuple[int, int, int, str]] | None = None,
    wcets: tuple[int, int] = (4 * MS, 3 * MS),
    dropped: int = 0,
    **more: Any,
) -> BoundedSet:
    """Return the summary of a run with this trace. `kernel` are context switches: instant, thread, priority in the
    kernel's numbering, and name. The CPU time of a job is the WCET in SPEC; `wcets` are those that the analysis
    assumes."""
    sample.close(dropped)
    seen = np.array([(1, begin, end) for begin, end in stalls or []], STALLS)
    switches = None
    if kernel is not None:
        switches = np.array([(at, 1, tid, prio, name.encode(), b"R") for at, tid, prio, name in kernel], SWITCHES)
    analysis = TraceAnalysis(RecordedTrace(read_trace(sample.write(folder / "t")), seen, (0, 10**9), switches))
    times = (4 * MS, 3 * MS)
    rows = [(t, 0, i, 0, 0, 1, times[t], -1, -1) for t, i in zip(analysis.jobs.task, analysis.jobs.index, strict=True)]
    application = parse_spec(SPEC, "two.yaml")
    answer = check(application, [0, 0], Demands(wcets))
    bounded = AnalysedRun(
        analysis, result_of(folder, np.array(rows, JOBS), seen, **more), answer, analysed(application, Costs()), {}
    )
    return bounded_set(bounded, "set-01-fp")


def task_of(summary: BoundedSet, name: str) -> BoundedTask:
    return next(task for task in summary.tasks if task.task == f"n/{name}")


def summary_of(*runs: BoundedSet, unknown: tuple[str, ...] = ()) -> BoundsSummary:
    return bounds_summary(list(runs), 7, 1.0, Costs(job=5000), list(unknown))


def both(finish: int = 7 * MS) -> TraceSample:
    """Return a trace in which b and then a run after a simultaneous release at 0, and then each of them once more,
    alone."""
    sample = TraceSample(2)
    sample.release(A, 0)
    sample.job(B, 0, 0, 3 * MS, 100 * MS)
    sample.start(A, 3 * MS, 100 * MS)
    sample.finish(A, finish)
    sample.job(A, 100 * MS, 100 * MS, 104 * MS, 200 * MS, 1)
    return sample


def test_jobs_that_keep_to_their_bounds_are_within(tmp_path: Path) -> None:
    summary = run_of(tmp_path, both())
    assert summary.verdict is Agreement.within
    assert [(t.bound_ns, t.measured_ns, t.jobs) for t in summary.tasks] == [
        (7 * MS, 7 * MS, 2),
        (3 * MS, 3 * MS, 1),
    ]


def test_jobs_at_the_ends_of_what_is_measured_are_left_out(tmp_path: Path) -> None:
    sample = TraceSample(2)
    for i, release in enumerate((0, 9 * MS, 13 * MS, 500 * MS, 997 * MS)):
        sample.job(B, release, release, release + 3 * MS, 2000 * MS, i)
    assert task_of(run_of(tmp_path, sample, start=0), "b").jobs == 2


def test_a_wrong_bound_is_caught_and_the_parts_of_the_job_above_it_are_shown(tmp_path: Path) -> None:
    """The analysis is given half of b's real execution time."""
    summary = run_of(tmp_path, both(), wcets=(4 * MS, 3 * MS // 2))
    assert summary.verdict == Agreement.above
    (job,) = task_of(summary, "a").jobs_above
    assert (job.job, job.response_ns, job.above_ns, job.host) == (0, 7 * MS, 3 * MS // 2, False)
    assert job.parts == [Part("ran", 4 * MS), Part("waited for n/b", 3 * MS)]
    overall = summary_of(summary)
    assert overall.verdict.outcome == "fail"
    assert overall.totals.jobs_above == 2


def test_time_above_a_bound_that_a_stall_explains_is_the_host_s(tmp_path: Path) -> None:
    summary = run_of(tmp_path, both(9 * MS), stalls=[(5 * MS, 7 * MS + 1)])
    task = task_of(summary, "a")
    assert (task.verdict, task.above, task.above_by_host) == (Agreement.host, 1, 1)
    assert (task.measured_ns, task.measured_without_host_ns) == (9 * MS, 4 * MS)

    def judged(jobs: int) -> Verdict:
        """Return the verdict if `a` had so many jobs."""
        tasks = [msgspec.structs.replace(each, jobs=jobs if each is task else each.jobs) for each in summary.tasks]
        return summary_of(msgspec.structs.replace(summary, tasks=tasks)).verdict

    assert judged(1000).outcome == "pass"
    verdict = judged(900)
    assert verdict == Verdict("inconclusive", ["1 of 901 jobs were above by the host alone (0.11 %)"])


@pytest.mark.parametrize("stall", [(5 * MS, 7 * MS - 1), (20 * MS, 30 * MS)])
def test_a_stall_that_is_too_short_or_elsewhere_explains_nothing(tmp_path: Path, stall: tuple[int, int]) -> None:
    summary = run_of(tmp_path, both(9 * MS), stalls=[stall])
    assert task_of(summary, "a").verdict == Agreement.above


def switches(last: int, *others: tuple[int, int, int, str]) -> list[tuple[int, int, int, str]]:
    return sorted([(0, 12, 53, "takt.w2"), (3 * MS, 11, 54, "takt.w1"), *others, (last, 0, 120, "swapper/1")])


def test_cpu_time_that_the_clock_of_a_worker_lacks_is_the_hypervisor_s(tmp_path: Path) -> None:
    summary = run_of(tmp_path, both(9 * MS), kernel=switches(9 * MS))
    task = task_of(summary, "a")
    # The hypervisor's time is a few us less than the time above the bound.
    assert task.verdict == Agreement.above
    assert 1_990 * US < task.jobs_above[0].taken_ns["the hypervisor"] < 2 * MS
    summary = run_of(tmp_path, both(9 * MS), kernel=switches(9 * MS), wcets=(4 * MS + 10 * US, 3 * MS))
    assert task_of(summary, "a").verdict == Agreement.host


def test_a_real_time_thread_of_somebody_else_is_the_host_s_and_one_of_takt_s_is_not(tmp_path: Path) -> None:
    for tid, name, verdict in ((99, "irq/9", Agreement.host), (14, "dds.ev.0", Agreement.above)):
        kernel = switches(9 * MS, (5 * MS, tid, 49, name), (7 * MS + 2, 11, 54, "takt.w1"))
        assert task_of(run_of(tmp_path, both(9 * MS), kernel=kernel), "a").verdict == verdict


def test_the_longest_turn_of_a_thread_above_the_jobs_may_be_interrupted(tmp_path: Path) -> None:
    turns = [(5 * MS, 200), (5 * MS + 900 * US, 100), (20 * MS, 250), (30 * MS, 400)]
    rows: list[tuple[int, int, int, str]] = []
    for i, (at, length) in enumerate(turns):
        # The last turn does not count: the thread still has ordinary priority.
        rows += [(at, 14, 120 if i == 3 else 51, "dds.ev.0"), (at + length * US, 0, 120, "swapper/1")]
    switches = np.array([(at, 1, tid, prio, name.encode(), b"R") for at, tid, prio, name in rows], SWITCHES)
    sample = both()
    sample.close()
    made = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, (0, 10**9), switches))
    result = result_of(tmp_path, np.empty(0, JOBS), np.empty(0, STALLS))
    assert HostTime(made, result, 0).longest_above(0, 10**9) == 300 * US
    assert HostTime(made, result, 0).longest_above(10 * MS, 10**9) == 250 * US
    # A switch from the idle thread to itself shows that a switch in between was not recorded.
    gaps = np.concatenate([switches, switches[-1:]])
    gaps["at"][-1] += MS
    lossy = TraceAnalysis(RecordedTrace(made.trace, None, (0, 10**9), gaps))
    assert HostTime(lossy, result, 0).longest_above(0, 10**9) is None


def test_an_idle_cpu_while_a_job_waits_is_takt_s_fault(tmp_path: Path) -> None:
    for tid, name in ((0, "swapper/1"), (77, "make")):
        kernel = switches(9 * MS, (5 * MS, tid, 120, name), (7 * MS + 2, 11, 54, "takt.w1"))
        task = task_of(run_of(tmp_path, both(9 * MS), kernel=kernel), "a")
        assert task.verdict == Agreement.above
        assert task.jobs_above[0].taken_ns == {}


def test_a_switch_that_was_not_recorded_excuses_nothing(tmp_path: Path) -> None:
    kernel = switches(9 * MS, (7 * MS, 11, 54, "takt.w1"))
    assert task_of(run_of(tmp_path, both(9 * MS), kernel=kernel), "a").verdict == Agreement.above


def test_an_interrupt_that_comes_late_is_the_host_s(tmp_path: Path) -> None:
    sample = TraceSample(2)
    sample.release(B, 0, late=2 * MS)
    sample.start(B, 2 * MS, 100 * MS)
    sample.finish(B, 5 * MS)
    idle, timer = (0, 0, 120, "swapper/1"), (0, 13, 50, "takt.timer")
    for first, verdict in ((idle, Agreement.host), (timer, Agreement.above)):
        kernel = [first, (2 * MS, 12, 53, "takt.w2"), (5 * MS, 0, 120, "swapper/1")]
        assert task_of(run_of(tmp_path, sample, kernel=kernel), "b").verdict == verdict


def test_runs_with_dropped_events_or_refused_rights_are_not_judged(tmp_path: Path) -> None:
    lost = run_of(tmp_path, both(9 * MS), dropped=3)
    line = "SCHED_FIFO refused"
    lacking = run_of(tmp_path, both(9 * MS), refused=(line,), in_use="np-fp")
    for summary, reason in ((lost, "3 events of the trace were dropped"), (lacking, f"np-fp instead of fp: {line}")):
        assert {task.verdict for task in summary.tasks} == {Agreement.unknown}
        verdict = summary_of(summary).verdict
        assert verdict.outcome == "inconclusive"
        assert reason in verdict.why[0]


def test_unknown_costs_make_the_verdict_inconclusive(tmp_path: Path) -> None:
    summary = summary_of(run_of(tmp_path, both()), unknown=("other threads",))
    assert summary.verdict == Verdict("inconclusive", ["other threads"])


def test_the_report_has_every_task_and_every_job_above(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, both()), run_of(tmp_path, both(9 * MS))]
    runs.append(run_of(tmp_path, both(9 * MS), stalls=[(5 * MS, 7 * MS + 1)]))
    summary = summary_of(*runs)
    plot = to_svg(bounds_chart(summary))
    assert "of the deadline" in plot
    assert all(words in plot for words in ("longest simulated", "longest measured", "above the bound"))
    lines = [str(part) for part in bounds_report(summary)]
    assert any("n/a #0 at 0.05 s: 2ms above its bound; taken by the host: nothing" in line for line in lines)
    assert "costs included in the bounds: 5us for each job" in lines


def test_costs_are_read_from_jobs_that_take_longer_than_their_wcets(tmp_path: Path) -> None:
    """The costs in this trace are 5 us per job, 3 us per release, 4 us per preemption and 1 us of each ms."""
    sample = TraceSample(2)
    for i in range(300):
        at, held = 10 * MS * i, (4 * MS + 5 * US, 4 * MS + 12 * US, 4 * MS + 9 * US)[i % 3]
        sample.release(A, at, i, late=US)
        sample.start(A, at + US, at + 9 * MS, i)
        if i % 3 == 1:  # preempted in its middle
            sample.job(B, at + 2 * MS, at + 2 * MS, at + 5 * MS + 8 * US, at + 9 * MS, i)
            sample.finish(A, at + US + held + 3 * MS + 8 * US + 4 * US, i)
        elif i % 3 == 2:  # a release that waits for its end
            sample.release(B, at + 2 * MS, i)
            sample.finish(A, at + US + held + 3 * US, i)
            sample.start(B, at + US + held + 3 * US, at + 9 * MS, i)
            sample.finish(B, at + US + held + 3 * MS + 11 * US, i)
        else:
            sample.finish(A, at + US + held + 4 * US, i)
    sample.close()
    analysis = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, (0, 10**10), None))
    costs = run_costs(analysis, result_of(tmp_path, np.empty(0, JOBS), np.empty(0, STALLS)))
    assert costs.jitter == US
    assert costs.release == pytest.approx(3 * US, abs=100)
    assert costs.preemption == pytest.approx(4 * US, abs=100)
    assert costs.others == pytest.approx(US, abs=100)
    assert costs.job == pytest.approx(5 * US, abs=200)
    assert (costs.section, costs.burst) == (0, 0)


def test_stretches_of_time_are_united_clipped_and_subtracted() -> None:
    some = union([5, 0, 3, 9, 7], [6, 2, 5, 9, 8])
    assert some.tolist() == [[0, 2], [3, 6], [7, 8]]
    assert clip(some, 1, 4).tolist() == [[1, 2], [3, 4]]
    other = union([1, 7], [4, 20])
    assert intersection(some, other).tolist() == [[1, 2], [3, 4], [7, 8]]
    assert subtract(some, other).tolist() == [[0, 1], [4, 6]]
    assert total_length(subtract(some, union([], []))) == 6
