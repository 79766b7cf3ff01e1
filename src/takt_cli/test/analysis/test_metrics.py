# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the metrics of a run on hand-made samples: shares by node, preemptions, intervals, tasks that may use any of
several CPUs."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from job_samples import FIRST_EXTRA, MS, T0, app, callback, jobs, window
from rich.console import Console
from run_results import process

from takt_cli.analysis.dispatch import CpuSeconds, handover, release_jitter, seconds_by_class
from takt_cli.analysis.freshness import NodeFreshness, executions_of, mean_share, stale_by_node
from takt_cli.analysis.grid import ANY_CPU, outcomes
from takt_cli.analysis.misses import host_misses
from takt_cli.analysis.preemptions import Preemptions, preemption_figures, preemptions
from takt_cli.analysis.recording_cost import recording_cost
from takt_cli.analysis.simulation_summary import simulation_summary
from takt_cli.analysis.slices import slices_of_outcomes
from takt_cli.report.formatting import format_spread_with_intervals
from takt_cli.report.tables.simulation import simulation_report
from takt_cli.report.values import NONE
from takt_cli.results.sample_files import EXTRA, JOBS, PUBLISHES, READS, STALLS, UNFINISHED
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.spec.application import Topic
from takt_cli.statistics.confidence import PercentilesWithIntervals, percentiles_with_intervals

# ---- stale executions by node -------------------------------------------------------------------------------


def test_with_one_reading_node_of_two_the_worst_mean_share_is_half() -> None:
    read, publish = callback(reads=(0,), max_ages=(0,)), callback(publishes=(0,))
    application = app(read, publish, topics=(Topic("t", 8, False),))
    rows = jobs(*((task, k, 0, 10 * k + 2, 10 * k + 3) for task in (0, 1) for k in range(4)))
    out = outcomes(application, window(0, 40), rows)
    sent = np.array([(0, 1, k, k, T0 + 10 * k * MS, T0 + 10 * k * MS + 1) for k in range(4)], PUBLISHES)

    def shares(behind: int) -> tuple[Any, float | None]:
        used = [(0, 0, k, T0 + (10 * k + 2) * MS, k - behind, 0) for k in range(4)]
        nodes = stale_by_node(application, out, executions_of(application, np.array(used, READS), sent))
        return nodes, mean_share(nodes)

    assert shares(1) == (
        [
            NodeFreshness("n0", 4, 4, 1.0),
            NodeFreshness("n1", 4, 0, 0.0),
        ],
        0.5,
    )
    assert shares(0)[1] == 0.0


def test_a_node_that_did_not_run_has_no_share() -> None:
    application = app(callback(), callback())
    out = outcomes(application, window(0, 10), jobs((0, 0, 0, 0, 1)))
    nothing = executions_of(application, np.empty(0, READS), np.empty(0, PUBLISHES))
    nodes = stale_by_node(application, out, nothing)
    assert [(node.executions, node.stale_share) for node in nodes] == [(1, 0.0), (0, None)]
    assert mean_share(nodes) == 0.0
    assert mean_share(nodes[1:]) is None


# ---- preemptions --------------------------------------------------------------------------------------------


def test_a_job_is_preempted_by_each_that_starts_while_it_is_the_last_started() -> None:
    low, middle, high = callback(period=40 * MS), callback(period=20 * MS), callback()
    rows = jobs(
        (0, 0, 0, 0, 16),  # preempted by the jobs in the next two rows
        (1, 0, 0, 1, 6),  # preempted by the job in the next row
        (2, 0, 0, 2, 3),
        (2, 1, 0, 10, 11),
        (1, 1, 0, 16, 17),  # starts as the first ends
    )
    out = outcomes(app(low, middle, high), window(0, 40), rows)
    times = preemptions(out, rows, (0, 0, 0), T0 + 40 * MS)
    assert times is not None
    by_job = {(t, k): n for t, k, n in zip(out.task.tolist(), out.index.tolist(), times.tolist(), strict=True)}
    assert {job: n for job, n in by_job.items() if n} == {(0, 0): 2, (1, 0): 1}
    assert preemption_figures(times, out.task == 0) == Preemptions(2, 1, 2)
    # With a CPU for each task, no job is preempted.
    apart = preemptions(out, rows, (0, 1, 2), T0 + 40 * MS)
    assert apart is not None
    assert apart.sum() == 0


def test_jobs_of_the_warm_up_and_beyond_the_grid_preempt_but_are_not_counted() -> None:
    application = app(callback(period=40 * MS), callback())
    rows = jobs((0, 0, 0, 0, 30), (1, 0, 0, 1, 2), (0, 1, 0, 45, 60), (1, 5, EXTRA, 50, 51))
    rows["index"][3] = FIRST_EXTRA
    out = outcomes(application, window(40, 80), rows)
    times = preemptions(out, rows, (0, 0), T0 + 80 * MS)
    assert times is not None
    assert (len(times), times.tolist()[0], int(times.sum())) == (5, 1, 1)


def test_jobs_that_start_after_the_window_preempt_nobody() -> None:
    rows = jobs((0, 0, 0, 0, 1), (0, 1, UNFINISHED, 19, -1), (1, 1, UNFINISHED, 21, -1))
    both = app(callback(), callback())
    for cpu in (0, ANY_CPU):
        out = outcomes(both, window(0, 20), rows, (cpu, cpu))
        times = preemptions(out, rows, (cpu, cpu), T0 + 20 * MS)
        assert times is not None
        assert times.sum() == 0
    rows["start"][2] = T0 + 19 * MS + 1
    times = preemptions(out, rows, (0, 0), T0 + 20 * MS)
    assert times is not None
    assert times.sum() == 1


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=30, unique_by=lambda job: job[0]))
def test_preemptions_agree_with_trying_all(stretches: list[tuple[int, int]]) -> None:
    rows = np.zeros(len(stretches), JOBS)
    for row, (start, length) in zip(rows, stretches, strict=True):
        row["index"], row["start"], row["finish"] = start, T0 + start, T0 + start + length
    out = outcomes(app(callback(period=1, deadline=1, wcet=1)), window(0, 100 / MS), rows)
    times = preemptions(out, rows, (0,), T0 + 200)
    assert times is not None
    expected = dict.fromkeys((start for start, _ in stretches), 0)
    for start, _ in stretches:
        if before := [s for s, length in stretches if s < start < s + length]:
            expected[max(before)] += 1
    assert {start: int(times[start]) for start, _ in stretches} == expected


# ---- any of several CPUs ------------------------------------------------------------------------------------


def test_jobs_that_overlap_on_any_of_several_cpus_have_no_slices() -> None:
    both = app(callback(period=20 * MS), callback())
    rows = jobs((0, 0, 0, 0.5, 4), (1, 0, 0, 0.25, 3), (1, 1, 0, 10, 11))
    out = outcomes(both, window(0, 20), rows, (ANY_CPU, ANY_CPU))
    assert len(slices_of_outcomes(out)) == 0
    assert len(handover(out)) == 0
    assert preemptions(out, rows, (ANY_CPU, ANY_CPU), T0 + 20 * MS) is None
    # Only the releases that found both CPUs free count.
    assert sorted(release_jitter(out).tolist()) == [0.0, 0.25 * MS]
    # If jobs do not overlap, as on one thread, slices and handovers are known on any CPU.
    rows = jobs((0, 0, 0, 3, 4), (1, 0, 0, 0.25, 3), (1, 1, 0, 10, 11))
    out = outcomes(both, window(0, 20), rows, (ANY_CPU, ANY_CPU))
    assert len(slices_of_outcomes(out)) == 3
    assert handover(out).tolist() == [0.0]
    alone = preemptions(out, rows, (ANY_CPU, ANY_CPU), T0 + 20 * MS)
    assert alone is not None
    assert alone.sum() == 0


def test_a_stall_excuses_tasks_that_may_use_its_cpu() -> None:
    rows = jobs((0, 0, 0, 1, 12))
    stalls = np.array([(1, T0 + 5 * MS, T0 + 6 * MS)], STALLS)
    for cpu, expected in ((ANY_CPU, 1), (1, 1), (0, 0)):
        out = outcomes(app(callback()), window(0, 10), rows, (cpu,))
        assert host_misses(out, stalls).sum() == expected


# ---- cost ---------------------------------------------------------------------------------------------------


def test_seconds_by_class_add_up_to_the_process() -> None:
    threads = [("executor", 7), ("middleware", 2), ("other", 1)]
    report = process(
        process_cpu_ns=12 * 10**9,
        callback_cpu_ns=4 * 10**9,
        threads=[{"name": "", "class": name, "cpu_ns": n * 10**9} for name, n in threads],
    )
    parts = seconds_by_class([report, report])
    assert parts == CpuSeconds(callbacks=8.0, executor=6.0, middleware=4.0, other=6.0)


def test_the_cost_of_recording_is_over_all_processes_or_missing() -> None:
    costs = {"calls": 100, "repeats": 3, "reads": 1, "publishes": 1, "ns_per_call": [100, 120, 80]}
    figures = recording_cost([process(measuring=costs), process(measuring=costs | {"ns_per_call": [90, 95, 500]})])
    assert figures is not None
    assert (figures.processes, figures.calls, figures.repeats) == (2, 100, 3)
    times = figures.ns_per_call
    assert (times.n, times.p50, times.min, times.max) == (6, 95, 80, 500)
    assert recording_cost([process()]) is None


# ---- intervals ----------------------------------------------------------------------------------------------


def test_an_interval_needs_samples() -> None:
    values = np.random.default_rng(1).permutation(2000).astype(np.float64)
    every: Any = percentiles_with_intervals(values, np.arange(2000))
    assert every == percentiles_with_intervals(values, np.arange(2000))
    assert all(low < high for low, high in (every.p50_95, every.p90_95, every.p99_95))
    assert every.p50_95[0] < every.p50 == 999 < every.p50_95[1]
    few = percentiles_with_intervals(values[:150], np.arange(150))
    assert few.p99_95 == TOO_SHORT
    assert TOO_SHORT not in (few.p50_95, few.p90_95)
    nothing = percentiles_with_intervals(values[:0], np.arange(0))
    assert (nothing.p50_95, nothing.p90_95, nothing.p99_95) == (None, None, None)
    values[values >= 1000] = np.inf
    assert percentiles_with_intervals(values, np.arange(2000)).p99_95 == (None, None)


def test_a_spread_shows_how_sure_it_is() -> None:
    figures = PercentilesWithIntervals(
        n=9, p50=1.0, p90=None, p99=None, max=9.0, p50_95=(0.5, 2.0), p90_95=None, p99_95=(3.0, None)
    )
    assert format_spread_with_intervals(figures, "ms") == f"1 [0.5, 2] · {NONE} [3, ∞] · 9 ms"
    unsure = msgspec.structs.replace(figures, p50_95=TOO_SHORT)
    assert format_spread_with_intervals(unsure, "ms").startswith("1 [too short to judge] · ")
    assert format_spread_with_intervals(msgspec.structs.replace(figures, n=0), "ms") == NONE


# ---- a simulation -------------------------------------------------------------------------------------------


def test_each_topic_that_a_task_reads_has_its_own_age() -> None:
    reader = callback(reads=(0, 1), max_ages=(0, 0))
    topics = (Topic("near", 8, False), Topic("far", 8, False))
    application = app(callback(publishes=(0,)), callback(publishes=(1,)), reader, topics=topics)
    # The first topic's messages come 1 ms before each job of the reader, the second's only before the second job.
    rows = [(0, 0, 0, 0, 2), (2, 0, 0, 3, 4), (1, 0, 0, 4, 5), (0, 1, 0, 10, 12), (2, 1, 0, 13, 14)]
    summary = simulation_summary(application, window(0, 20), jobs(*rows), (0,), (0, 0, 0))
    near, far = summary.tasks[2].reads
    assert (near.topic, near.data_age_ms.n, near.data_age_ms.max) == ("near", 2, 1.0)
    assert near.without_message == 0
    assert (far.topic, far.data_age_ms.n, far.data_age_ms.max) == ("far", 1, 8.0)
    assert far.without_message == 1
    shown = io.StringIO()
    Console(file=shown, width=200).print(*simulation_report(summary, None))
    assert ["n2/c", "far", "8", "8", "1"] in [[c.strip() for c in line.split("\u2502") if c.strip() not in {"", NONE}]
                                         for line in shown.getvalue().splitlines()]  # fmt: skip
