# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a run's figures on hand-made samples with known answers, and of what these figures must leave out."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from job_samples import FIRST_EXTRA, MS, T0, app, callback, jobs, window
from run_results import SEEN, UNSEEN, host, origin, process
from run_summaries import run_totals

from takt_cli.analysis.counters import AgeCounters, counters
from takt_cli.analysis.dispatch import decision_time_known, dispatch_overhead, handover, release_jitter
from takt_cli.analysis.freshness import data_age, executions_of, reads_within, simulated_reads
from takt_cli.analysis.grid import Fate, outcomes
from takt_cli.analysis.misses import host_misses, overlaps, unforced_misses, unforced_skips
from takt_cli.analysis.slices import slices_of_outcomes
from takt_cli.analysis.verdict import (
    application_faults,
    throttle_windows,
    unobserved_host_effects,
    verdict,
    was_throttled,
)
from takt_cli.results.json_file import plain
from takt_cli.results.origin import RealtimeThread
from takt_cli.results.program import Probe
from takt_cli.results.sample_files import (
    EXTRA,
    JOBS,
    LATE,
    PUBLISHES,
    READS,
    SKIPPED,
    STALLS,
    UNFINISHED,
    Rows,
)
from takt_cli.results.verdict import TOO_SHORT, Verdict
from takt_cli.spec.application import Topic
from takt_cli.statistics.confidence import share_interval
from takt_cli.statistics.percentiles import percentiles
from takt_cli.statistics.slope import DRIFT_FROM, slope

# ---- the grid and misses ------------------------------------------------------------------------------------


def test_every_release_on_the_grid_has_a_fate() -> None:
    rows = jobs(
        (0, 0, 0, 0, 5),  # warm-up: outside the window
        (0, 1, 0, 10, 15),  # on time
        (0, 2, LATE, 20, 31),  # late
        (0, 3, SKIPPED, -1, -1),  # skipped
        (0, 4, 0, 40, 50),  # finishes at its deadline: on time
        # 5 left no row: skipped
        (0, 6, UNFINISHED, 60, -1),  # its deadline passes before the end
        (0, 7, UNFINISHED, -1, -1),  # its deadline is behind the end
    )
    out = outcomes(app(callback()), window(10, 75), rows)
    assert out.index.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert [Fate(f) for f in out.fate] == [
        Fate.on_time, Fate.late, Fate.skipped, Fate.on_time, Fate.skipped, Fate.unfinished, Fate.open
    ]  # fmt: skip
    assert out.missed.sum() == 4


def test_the_flag_of_the_executor_does_not_decide_lateness() -> None:
    rows = jobs((0, 0, LATE, 0, 5), (0, 1, 0, 10, 20.000001))
    out = outcomes(app(callback()), window(0, 20), rows)
    assert out.fate.tolist() == [Fate.on_time, Fate.late]


def test_phase_and_long_deadlines_are_on_the_grid() -> None:
    task = callback(period=10 * MS, phase=3 * MS, deadline=25 * MS, queue=2)
    out = outcomes(app(task), window(0, 23), np.empty(0, JOBS))
    assert out.release.tolist() == [T0 + 3 * MS, T0 + 13 * MS]
    assert out.deadline.tolist() == [T0 + 28 * MS, T0 + 38 * MS]
    # Jobs without a row whose deadlines are after the end are open.
    assert out.fate.tolist() == [Fate.open, Fate.open]


def test_a_queued_job_is_late_by_its_own_deadline() -> None:
    task = callback(deadline=25 * MS, queue=2)
    out = outcomes(app(task), window(0, 20), jobs((0, 0, 0, 0, 24), (0, 1, 0, 24, 36)))
    assert out.fate.tolist() == [Fate.on_time, Fate.late]


def stalls(*pairs: tuple[float, float], cpu: int = 0) -> Rows:
    return np.array([(cpu, T0 + int(a * MS), T0 + int(b * MS)) for a, b in pairs], STALLS)


def test_a_host_miss_overlaps_a_stall() -> None:
    rows = jobs((0, 0, 0, 0, 5), (0, 1, 0, 10, 21), (0, 2, 0, 21, 31), (0, 3, SKIPPED, -1, -1))
    out = outcomes(app(callback()), window(0, 40), rows)
    assert host_misses(out, stalls((12, 13))).tolist() == [False, True, False, False]
    # These stalls overlap no miss: one is before the release, one is during a job that was on time.
    assert host_misses(out, stalls((2, 3), (4, 10))).tolist() == [False, False, False, False]
    # A long stall that began early, with a short one inside it.
    assert host_misses(out, stalls((0, 22), (1, 2))).tolist() == [False, True, True, False]
    # A skipped release has no finish: release to deadline counts.
    assert host_misses(out, stalls((35, 36))).tolist() == [False, False, False, True]
    assert not host_misses(out, stalls()).any()


def test_a_stall_concerns_the_tasks_of_its_cpu() -> None:
    rows = jobs((0, 0, 0, 0, 11), (1, 0, 0, 0, 11))
    out = outcomes(app(callback(), callback()), window(0, 10), rows, task_cpus=(4, 7))
    assert host_misses(out, stalls((2, 3), cpu=7)).tolist() == [False, True]
    assert host_misses(out, stalls((2, 3), cpu=4)).tolist() == [True, False]
    assert not host_misses(out, stalls((2, 3), cpu=0)).any()


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=8),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)), max_size=8),
)
def test_overlaps_agrees_with_trying_all(stretches: list[tuple[int, int]], paused: list[tuple[int, int]]) -> None:
    begin = np.array([b for b, _ in stretches], np.int64)
    end = begin + np.array([n for _, n in stretches], np.int64)
    table = np.array([(0, b, b + n) for b, n in paused], STALLS)
    expected = [any(a < e and z > b for _, a, z in table.tolist()) for b, e in zip(begin, end, strict=True)]
    assert overlaps(begin, end, table).tolist() == expected


def test_an_unforced_miss_is_late_in_the_run_and_on_time_in_the_model() -> None:
    run = jobs((0, 0, 0, 0, 11), (0, 1, 0, 11, 22), (0, 2, 0, 22, 31), (0, 3, 0, 31, 35), (0, 4, SKIPPED, -1, -1))
    model = jobs((0, 0, 0, 0, 5), (0, 1, 0, 10, 21), (0, 2, 0, 21, 25), (0, 3, 0, 30, 41), (0, 4, 0, 41, 44))
    out = outcomes(app(callback()), window(0, 50), run)
    none = np.zeros(5, np.bool_)
    # Jobs 0 and 2: unforced. 1: late in the model, too. 3: on time in the run. 4: skipped, counted separately.
    assert unforced_misses(out, model, none).tolist() == [True, False, True, False, False]
    assert unforced_skips(out, model, none).tolist() == [False, False, False, False, True]
    host = host_misses(out, stalls((1, 2)))
    assert unforced_misses(out, model, host).tolist() == [False, False, True, False, False]


def test_a_job_the_model_did_not_finish_is_no_unforced_miss() -> None:
    out = outcomes(app(callback()), window(0, 20), jobs((0, 0, 0, 0, 11), (0, 1, 0, 11, 22)))
    none = np.zeros(2, np.bool_)
    for model in (jobs((0, 0, SKIPPED, -1, -1), (0, 1, UNFINISHED, 10, -1)), np.empty(0, JOBS)):
        assert not unforced_misses(out, model, none).any()


def test_the_model_may_keep_a_time_base_of_its_own() -> None:
    out = outcomes(app(callback()), window(0, 10), jobs((0, 0, 0, 0, 11)))
    model = np.array([(0, 0, 0, 0, 0, 5 * MS, 5 * MS, -1, -1)], JOBS)
    assert unforced_misses(out, model, np.zeros(1, np.bool_)).tolist() == [True]


def test_extra_jobs_are_on_no_grid() -> None:
    extra = (0, EXTRA, FIRST_EXTRA, T0 + 4 * MS, T0 + 5 * MS, T0 + 6 * MS, MS, -1, -1)
    rows = np.concatenate([jobs((0, 0, 0, 0, 11)), np.array([extra], JOBS)])
    out = outcomes(app(callback()), window(0, 10), rows)
    assert (len(out), out.index.tolist()) == (1, [0])
    # An extra job of the model is not taken for the job on the grid of the run.
    model = np.array([(0, EXTRA, FIRST_EXTRA, 0, 0, 5 * MS, 5 * MS, -1, -1)], JOBS)
    assert unforced_misses(out, model, np.zeros(1, np.bool_)).tolist() == [False]


# ---- freshness ----------------------------------------------------------------------------------------------

TOPICS = (Topic("t", 8), Topic("outside", 8, external=True))


def read_row(job: int, start: float, sequence: int, published: float = -1, topic: int = 0) -> tuple[int, ...]:
    return (0, topic, job, T0 + int(start * MS), sequence, T0 + int(published * MS) if published >= 0 else -1)


def publish_row(sequence: int, returned: float, topic: int = 0) -> tuple[int, ...]:
    return (topic, 1, sequence, sequence, T0 + int((returned - 0.1) * MS), T0 + int(returned * MS))


def stale(reads: list[tuple[int, ...]], publishes: list[tuple[int, ...]]) -> list[bool]:
    both = app(callback(reads=(0,)), callback(publishes=(0,)), topics=TOPICS)
    found: list[bool] = executions_of(both, np.array(reads, READS), np.array(publishes, PUBLISHES)).stale.tolist()
    return found


def test_a_read_is_stale_if_the_publish_of_a_newer_message_had_returned() -> None:
    publishes = [publish_row(0, 1), publish_row(1, 5), publish_row(2, 9)]
    assert stale([read_row(0, 4, 0)], publishes) == [False]
    assert stale([read_row(0, 6, 0)], publishes) == [True]
    assert stale([read_row(0, 10, 1)], publishes) == [True]
    # The publish of the newer message returns exactly at the start of the job, not before it.
    assert stale([read_row(0, 5, 0)], publishes) == [False]
    # The message is used before its publish has returned, so no message that counts is newer: fresh.
    assert stale([read_row(0, 8, 2)], publishes) == [False]
    # No message was used although one had been published (stale), and none had been published (fresh).
    assert stale([read_row(0, 2, -1)], publishes) == [True]
    assert stale([read_row(0, 0.5, -1)], publishes) == [False]


def test_a_lost_message_is_not_a_fresh_one() -> None:
    # Message 1 was published but lost, so jobs that use message 0 use old data.
    assert stale([read_row(0, 6, 0), read_row(1, 8, 0)], [publish_row(0, 1), publish_row(1, 5)]) == [True, True]


def test_a_publish_that_never_returned_does_not_count() -> None:
    lost = (0, 1, 1, 1, T0, -1)
    assert stale([read_row(0, 6, 0)], [publish_row(0, 1), lost]) == [False]


def test_a_late_return_of_an_older_message_does_not_hide_a_newer_one() -> None:
    assert stale([read_row(0, 9, 1)], [publish_row(1, 8), publish_row(2, 3)]) == [True]


def test_topics_from_outside_are_not_judged_and_jobs_count_once() -> None:
    assert stale([read_row(0, 6, 0, topic=1)], [publish_row(3, 1, topic=1)]) == []
    three = (Topic("t", 8), Topic("u", 8))
    both = app(callback(reads=(0, 1)), callback(publishes=(0, 1)), topics=three)
    reads = np.array(
        [read_row(0, 6, 0), read_row(0, 6, 5, topic=1), read_row(1, 7, 0), read_row(1, 7, 0, topic=1)], READS
    )
    publishes = np.array([publish_row(0, 1), publish_row(5, 2, topic=1)], PUBLISHES)
    assert executions_of(both, reads, publishes).stale.tolist() == [False, True]


def test_only_reads_of_jobs_in_the_window_count() -> None:
    both = app(callback(reads=(0,)), callback(publishes=(0,)), topics=TOPICS)
    reads = np.array([read_row(k, 10 * k + 1, 0) for k in range(5)], READS)
    assert reads_within(both, window(10, 40), reads)["index"].tolist() == [1, 2, 3]


def test_data_age_is_start_minus_publishing_and_infinite_without_a_message() -> None:
    ages = data_age(np.array([read_row(0, 6, 0, published=2), read_row(1, 7, -1)], READS)) / MS
    assert ages.tolist() == [4.0, np.inf]
    figures = percentiles(ages)
    assert (figures.n, figures.p50, figures.max, figures.infinite) == (2, 4.0, None, 1)


def test_in_a_simulation_jobs_publish_as_they_finish() -> None:
    both = app(callback(reads=(0, 1)), callback(publishes=(0,)), topics=TOPICS)
    reads = simulated_reads(both, jobs((1, 0, 0, 1, 2), (0, 0, 0, 1.5, 3), (0, 1, 0, 2, 4), (1, 1, 0, 12, 13)))
    assert reads["sequence"].tolist() == [-1, 0]
    assert data_age(reads).tolist() == [np.inf, 0]
    assert len(simulated_reads(app(callback()), jobs((0, 0, 0, 1, 2)))) == 0


def test_counters_of_data_ages_are_the_executors() -> None:
    entry = {"task": 1, "refreshed": 3, "extra_releases": 0, "stale_skipped": 2, "stale_reported": 1}
    processes = [process(statistics={"tasks": [entry, entry | {"task": 0}]}), process(statistics=None)]
    assert plain(counters(processes, AgeCounters, 1)) == {
        "refreshed": 3,
        "extra_releases": 0,
        "stale_skipped": 2,
        "stale_reported": 1,
    }
    assert counters(processes, AgeCounters) == AgeCounters(6, 0, 4, 2)
    assert counters([process(statistics={"tasks": [{"task": 0, "missed": 0}]})], AgeCounters) is None


# ---- cost ---------------------------------------------------------------------------------------------------


def test_dispatch_overhead_is_what_is_not_inside_callbacks() -> None:
    threads = [
        {"name": "", "class": "executor", "cpu_ns": 1_200_000},
        {"name": "", "class": "middleware", "cpu_ns": 250_000},
        {"name": "", "class": "other", "cpu_ns": 10_000},
    ]
    report = process(jobs=100, process_cpu_ns=1_500_000, callback_cpu_ns=1_000_000, threads=threads)
    none = outcomes(app(callback()), window(0, 0), np.empty(0, JOBS))
    cost = dispatch_overhead([report], none)
    assert (cost.jobs, cost.per_job, cost.executor, cost.middleware, cost.other) == (100, 5.0, 2.0, 2.5, 0.5)
    assert (cost.n, cost.p50, cost.p50_95, cost.max) == (0, None, None, None)
    assert dispatch_overhead([report, report], none).per_job == 5.0
    assert dispatch_overhead([msgspec.structs.replace(report, jobs=0)], none).per_job is None


def test_percentiles_of_dispatch_and_decisions_are_of_the_jobs_of_the_window_that_have_them() -> None:
    rows = jobs(
        (0, 0, 0, 0, 5),  # warm-up
        (0, 1, 0, 10, 15),  # its thread's first
        (0, 2, UNFINISHED, 20, -1),  # started all the same
        (0, 3, SKIPPED, -1, -1),
        (0, 4, 0, 40, 45),
    )
    rows["decision"] = [10, 20, 30, 40, 50]
    rows["dispatch_cpu"] = [1000, -1, 3000, 4000, 5000]
    out = outcomes(app(callback()), window(10, 50), rows)
    assert decision_time_known(out).decision.tolist() == [20, 30, 50]
    figures = dispatch_overhead([process(jobs=2, process_cpu_ns=9000, callback_cpu_ns=1000)], out)
    assert (figures.per_job, figures.jobs) == (4.0, 2)
    assert (figures.n, figures.p50, figures.max) == (2, 3.0, 5.0)


def test_handover_counts_only_jobs_that_were_waiting() -> None:
    rows = np.array(
        [
            (0, 0, 0, T0, T0, T0 + 4 * MS, 1, -1, -1),
            (1, 0, 0, T0, T0 + 4 * MS + 700, T0 + 6 * MS, 1, -1, -1),  # waited for the first: 700 ns
            (0, 0, 1, T0 + 10 * MS, T0 + 10 * MS + 90, T0 + 11 * MS, 1, -1, -1),  # the CPU was idle
        ],
        JOBS,
    )
    out = outcomes(app(callback(), callback(period=20 * MS)), window(0, 20), rows)
    assert handover(out).tolist() == [700.0]


def test_release_jitter_is_that_of_jobs_that_found_the_cpu_free() -> None:
    low, high = callback(period=40 * MS), callback()
    rows = jobs(
        (1, 0, 0, 0.02, 1),  # both released at 0: this one found the CPU free,
        (0, 0, 0, 1, 15),  # this one waited for it
        (1, 1, 0, 10.5, 11),  # preempted the other, which ran at its release
        (1, 2, 0, 20.03, 21),
        (1, 3, SKIPPED, -1, -1),
    )
    out = outcomes(app(low, high), window(0, 40), rows)
    assert sorted(release_jitter(out).tolist()) == [0.02 * MS, 0.03 * MS]
    assert len(release_jitter(outcomes(app(low), window(0, 40), np.empty(0, JOBS)))) == 0


def test_slices_follow_preemption() -> None:
    low, high = callback(period=40 * MS), callback()
    rows = jobs((0, 0, 0, 0, 10), (1, 0, 0, 2, 4), (1, 1, 0, 10, 11))
    out = outcomes(app(low, high), window(0, 20), rows)
    pieces = [(t, (a - T0) / MS, (b - T0) / MS) for t, _, a, b in slices_of_outcomes(out).tolist()]
    assert pieces == [(0, 0, 2), (1, 2, 4), (0, 4, 10), (1, 10, 11)]


def test_each_cpu_has_its_own_handovers_jitter_and_slices() -> None:
    rows = jobs((0, 0, 0, 0.5, 4), (1, 0, 0, 0.25, 3), (1, 1, 0, 10, 11))
    both = app(callback(period=20 * MS), callback())
    one, two = (outcomes(both, window(0, 20), rows, on) for on in ((0, 0), (0, 1)))
    assert sorted(release_jitter(one).tolist()) == [0.0, 0.25 * MS]
    assert sorted(release_jitter(two).tolist()) == [0.0, 0.25 * MS, 0.5 * MS]
    assert len(handover(two)) == 0
    pieces = [(t, (a - T0) / MS, (b - T0) / MS) for t, _, a, b in slices_of_outcomes(two).tolist()]
    assert pieces == [(0, 0.5, 4), (1, 0.25, 3), (1, 10, 11)]


# ---- statistics ---------------------------------------------------------------------------------------------


def test_percentiles_are_samples_and_need_enough_of_them() -> None:
    figures = percentiles(np.arange(1, 101, dtype=np.float64))
    assert plain(figures) == {"n": 100, "p50": 50.0, "p90": 90.0, "p99": 99.0, "max": 100.0}
    assert percentiles(np.array([])).max is None
    few = percentiles(np.arange(50.0))
    assert (few.p50, few.p99, few.max) == (24.0, None, 49.0)
    many = percentiles(np.arange(1, 10_001.0))
    assert many.p99_99 == many.figure("p99.99") == plain(many)["p99.99"] == 9999.0


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=300))
def test_percentiles_do_not_care_about_order(values: list[float]) -> None:
    assert percentiles(np.array(values)) == percentiles(np.array(values[::-1]))


def test_the_interval_holds_the_ratio_and_repeats() -> None:
    hits = np.random.default_rng(1).random(1000) < 0.1
    instants = np.arange(1000, dtype=np.int64)
    interval = share_interval(hits, instants)
    assert isinstance(interval, tuple)
    assert interval[0] <= hits.mean() <= interval[1]
    assert interval == share_interval(hits, instants)
    # Misses in bursts are fewer independent events: the interval is wider, and there is none for a single burst.
    wide = share_interval(np.repeat(hits[:100], 10), instants)
    assert isinstance(wide, tuple)
    assert wide[1] - wide[0] > interval[1] - interval[0]
    assert share_interval(np.arange(1000) < 100, instants) == TOO_SHORT
    for alike in (np.zeros(1000, np.bool_), np.ones(1000, np.bool_)):
        assert share_interval(alike, instants) is None


def test_drift_is_found_and_its_absence_too() -> None:
    rng = np.random.default_rng(1)
    release = np.arange(0, 600_000, dtype=np.int64) * MS  # ten minutes at 1 kHz
    noise = rng.exponential(5000, len(release)) + (rng.random(len(release)) < 0.001) * 1e6
    steady: Any = slope([(release, noise)], DRIFT_FROM)
    assert steady.low < 0 < steady.high
    assert abs(steady.slope) < 0.1
    minutes = release / 60e9
    moving: Any = slope([(release, noise + 3000 * minutes)], DRIFT_FROM)
    assert moving.slope == pytest.approx(3.0, abs=0.1)
    assert moving.low < 3.0 < moving.high
    assert slope([(release[:3], noise[:3])], DRIFT_FROM).slope is None
    assert slope([(release[:0], noise[:0])], DRIFT_FROM).n == 0


# ---- the verdict --------------------------------------------------------------------------------------------

CLEAN = {"jobs": 10_000, "host_misses": 0, "unforced_misses": 0, "unforced_skipped": 0, "stale": 0, "stale_n": 10}


def test_a_run_is_not_judged_if_effects_of_the_host_were_not_observed() -> None:
    second = window(0, 1000)
    assert unobserved_host_effects(False, origin(), [SEEN], second) == []
    assert "throttling" in unobserved_host_effects(True, origin(), [SEEN], second)[0]
    assert "stall probe" in unobserved_host_effects(False, origin(), [SEEN, UNSEEN], second)[0]
    full = [SEEN, Probe(99, 99, dropped=3)]
    assert "3 stalls of the host were not recorded" in unobserved_host_effects(False, origin(), full, second)[0]

    def beside(cpu_ms: float) -> list[str]:
        other = RealtimeThread(7, "jackd", "FIFO", 70, cpu_ms)
        return unobserved_host_effects(False, origin(other_realtime=[other]), [SEEN], second)

    assert "jackd (FIFO 70)" in beside(11.0)[0]
    assert beside(9.0) == []

    def outcome(blind: list[str], **totals: int) -> str:
        return verdict(run_totals(**CLEAN | totals), blind).outcome

    assert outcome([]) == "pass"
    assert outcome([], host_misses=10) == "pass"
    assert outcome([], host_misses=11) == "inconclusive"
    assert outcome(["because"]) == "inconclusive"
    assert outcome(["because"], stale=5000) == "inconclusive"
    for fault in ("unforced_misses", "unforced_skipped", "stale"):
        assert outcome([], **{fault: 1}) == "fail"
        assert outcome([], host_misses=11, **{fault: 110}) == "inconclusive"
        # This is more than ten times the number of host misses.
        assert outcome([], host_misses=11, **{fault: 111}) == "fail"


def test_forced_misses_are_reported_and_do_not_fail_a_run() -> None:
    full = app(callback(wcet=25 * MS), callback())
    assert application_faults(full, 0) == application_faults(full, None) == []
    aside = application_faults(full, 75)
    assert aside == [
        "75 deadlines were missed that rm could not have met with the spec's priorities and groups, these execution "
        "times and the stalls of the host (utilisation 2.6); `takt check` names the cause"
    ]
    reasons = ["the executor caused no miss and no stale execution", *aside]
    assert verdict(run_totals(**CLEAN), [], aside) == Verdict("pass", reasons)
    assert verdict(run_totals(**CLEAN), ["because"], aside).why == ["because", *aside]
    assert verdict(run_totals(**CLEAN | {"stale": 1}), [], aside).why == [
        "1 of 10 reading jobs ran on old data",
        *aside,
    ]


def test_a_stall_counts_as_throttling_if_it_is_as_long_as_the_kernels_pause() -> None:
    throttling = host(rt_runtime_us=950_000, rt_period_us=1_000_000)
    assert was_throttled(stalls((100, 150)), window(0, 1000), throttling)
    assert not was_throttled(stalls((100, 130)), window(0, 1000), throttling)
    assert not was_throttled(stalls((2000, 2050)), window(0, 1000), throttling)
    assert not was_throttled(stalls((100, 150)), window(0, 1000), host(rt_runtime_us=-1, rt_period_us=1_000_000))


def test_stalls_by_the_fair_server_are_attributed_to_the_kernel() -> None:
    """On Linux 6.12 and later, the fair server takes time from real-time threads even if throttling is off."""
    off: dict[str, Any] = {"kernel": "6.12.9", "rt_runtime_us": -1, "rt_period_us": 1_000_000}

    def effects(facts: dict[str, Any], *seen: tuple[float, float]) -> list[str]:
        at = window(0, 2000)
        return unobserved_host_effects(was_throttled(stalls(*seen), at, host(**facts)), origin(**facts), [SEEN], at)

    served = off | {"fair_server_ns": [50_000_000], "fair_server_period_ns": [1_000_000_000]}
    assert effects(served, (100, 150)) == ["the kernel's fair server was at work"]
    assert effects(served, (100, 130)) == []
    assert effects(off | {"fair_server_ns": [0]}, (100, 150)) == []
    assert effects(off | {"fair_server_ns": [20_000_000, 0, None]}, (100, 120)) == [
        "the kernel's fair server was at work"
    ]
    # If the fair server's setting was not readable, as in old records, the kernel's default is assumed.
    assert effects(off | {"fair_server_ns": [None]}, (100, 150)) == ["the kernel's fair server was at work"]
    assert effects(off | {"kernel": "6.11.0"}, (100, 150)) == []
    both = served | {"rt_runtime_us": 950_000}
    assert effects(both, (100, 150)) == ["the kernel's real-time throttling or fair server was at work"]
    # Bit by bit within its own period.
    parts = stalls((100, 110), (200, 215), (300, 320), (1400, 1410))
    assert len(throttle_windows(parts, window(0, 2000), host(**served), in_parts=True)) == 3
    short = served | {"fair_server_period_ns": [150_000_000]}
    assert len(throttle_windows(parts, window(0, 2000), host(**short), in_parts=True)) == 0
