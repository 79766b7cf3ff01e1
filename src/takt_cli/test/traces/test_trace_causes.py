# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the causes of late jobs: each cause once, from a hand-written trace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trace_samples import MS, TraceSample

from takt_cli.report.tables.trace import trace_report
from takt_cli.results.kernel_file import SWITCHES
from takt_cli.results.sample_files import STALLS, Rows
from takt_cli.results.trace_file import LOWERED, Kind, read_trace
from takt_cli.traces.jobs import Activity
from takt_cli.traces.misses import MissedJob
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis

A, B, C = 0, 1, 2


def analyse(
    sample: TraceSample,
    path: Path,
    stalls: Rows | None = None,
    kernel: Rows | None = None,
    workers: frozenset[int] = frozenset(),
) -> TraceAnalysis:
    sample.close()
    return TraceAnalysis(RecordedTrace(read_trace(sample.write(path / "t")), stalls, None, kernel, workers))


def only_missed_job(analysis: TraceAnalysis) -> MissedJob:
    assert len(analysis.missed) == 1
    return analysis.missed[0]


def parts(missed: MissedJob) -> dict[str, float]:
    return {part.description(): part.ns / MS for part in missed.parts}


def test_preempted_after_its_start_and_waiting_before_it(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(C, 0, 0, 3 * MS, 100 * MS)
    sample.release(A, MS)
    sample.start(A, 3 * MS, 10 * MS)
    sample.job(B, 5 * MS, 5 * MS, 11 * MS, 100 * MS)
    sample.finish(A, 13 * MS, late=True)
    missed = only_missed_job(analyse(sample, tmp_path))
    assert (missed.task, missed.kind, missed.finish - missed.deadline) == (A, "late", 3 * MS)
    assert parts(missed) == {"preempted by n/b": 6.0, "waited for n/c": 2.0, "ran": 4.0}
    assert missed.main_part is not None
    assert missed.main_part.description() == "preempted by n/b"


def keep_waiting(sample: TraceSample, task: int) -> None:
    """Add events to the trace: a job of A has the processor for 9 ms, and a job of `task`, released at 1 ms, waits for
    it and is late."""
    sample.release(A, 0)
    sample.start(A, 0, 100 * MS)
    sample.release(task, MS)
    sample.finish(A, 9 * MS)
    sample.start(task, 9 * MS, 8 * MS)
    sample.finish(task, 10 * MS, late=True)


def test_blocked_by_a_less_urgent_job_of_its_group(tmp_path: Path) -> None:
    sample = TraceSample(groups=[5, 1, 5])
    keep_waiting(sample, C)
    assert parts(only_missed_job(analyse(sample, tmp_path))) == {
        "blocked by n/a (both in the group of n)": 8.0,
        "ran": 1.0,
    }


def test_blocked_by_the_ceiling_of_a_group_that_is_not_its_own(tmp_path: Path) -> None:
    sample = TraceSample(groups=[5, 1, 5])
    keep_waiting(sample, B)
    assert "blocked by n/a (the group of n is busy)" in parts(only_missed_job(analyse(sample, tmp_path)))


def test_blocked_by_what_is_not_preempted(tmp_path: Path) -> None:
    sample = TraceSample(preempts=False)
    keep_waiting(sample, C)
    assert "blocked by n/a (which is not preempted)" in parts(only_missed_job(analyse(sample, tmp_path)))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("np-fp", "blocked by n/a (which is not preempted)"),
        ("np-dm", "waited for n/a"),
        ("np-edf", "waited for n/a"),
        ("fifo", "waited for n/a"),
    ],
)
def test_a_release_noticed_late_for_a_job_that_is_not_preempted(policy: str, words: str, tmp_path: Path) -> None:
    sample = TraceSample()
    # All tasks have one level, so the release is noticed only after the job has ended.
    sample.define("processor", first_task=0, cpu=1, policy=policy, preempts=False)
    sample.event(0, Kind.release, A, 0, 0, 1)
    sample.start(A, 0, 7 * MS)
    sample.finish(A, 9 * MS, late=True)
    sample.event(9 * MS + 100, Kind.release, C, 0, MS, 1)
    sample.start(C, 9 * MS + 300, 8 * MS, took=100)
    sample.finish(C, 10 * MS, late=True)
    found = parts(analyse(sample, tmp_path).missed[1])
    assert found == {words: 8.0, "late release": 1e-4, "no job had the CPU": 1e-4, "wake-up": 1e-4, "ran": 0.9997}


def test_under_edf_a_job_waits_for_one_that_is_due_earlier(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.define("processor", first_task=0, cpu=1, policy="edf", preempts=True)
    sample.job(A, 0, 0, 9 * MS, 9 * MS)
    sample.release(C, MS)
    sample.start(C, 9 * MS, 9 * MS)
    sample.finish(C, 10 * MS, late=True)
    assert "waited for n/a" in parts(only_missed_job(analyse(sample, tmp_path)))


def test_a_middleware_section_is_blamed_only_if_it_put_a_start_off(tmp_path: Path) -> None:
    def made(deferred: bool) -> TraceAnalysis:
        sample = TraceSample()
        sample.job(A, 0, 0, 9 * MS, 100 * MS)
        sample.release(C, MS)
        if deferred:
            sample.event(MS, Kind.deferral)
        sample.start(C, 9 * MS, 8 * MS)
        sample.finish(C, 10 * MS, late=True)
        return analyse(sample, tmp_path)

    assert "blocked by n/a (in a middleware section)" in parts(only_missed_job(made(True)))
    assert "waited for n/a" in parts(only_missed_job(made(False)))


def test_waiting_for_a_refresh_is_named(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(C, 0)
    sample.release(A, 0)
    sample.event(0, Kind.refresh, A, 0, C, 3)
    sample.start(A, 0, 100 * MS)
    sample.finish(A, 9 * MS)
    sample.start(C, 9 * MS, 8 * MS)
    sample.finish(C, 10 * MS, late=True)
    assert "blocked by n/a (to refresh its data)" in parts(only_missed_job(analyse(sample, tmp_path)))


def test_released_late_and_handed_over_slowly(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0, late=5 * MS)
    sample.start(A, 7 * MS, 6 * MS, took=2 * MS)
    sample.finish(A, 8 * MS, late=True)
    assert parts(only_missed_job(analyse(sample, tmp_path))) == {"late release": 5.0, "wake-up": 2.0, "ran": 1.0}


def test_longer_than_usual(tmp_path: Path) -> None:
    sample = TraceSample()
    for k in range(5):
        long = 9 * MS if k == 3 else 2 * MS
        sample.job(A, k * 20 * MS, k * 20 * MS, k * 20 * MS + long, k * 20 * MS + 5 * MS, k)
    missed = only_missed_job(analyse(sample, tmp_path))
    assert missed.index == 3
    assert parts(missed) == {"ran longer than usual": 7.0, "ran": 2.0}


def test_a_skipped_release_names_what_delayed_the_job_before_it(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 100 * MS)
    sample.job(B, MS, MS, 30 * MS, 100 * MS)
    sample.event(20 * MS, Kind.skip, A, 1, 20 * MS, 1)
    sample.finish(A, 31 * MS)
    missed = only_missed_job(analyse(sample, tmp_path))
    assert (missed.kind, missed.index) == ("skipped", 1)
    assert parts(missed)["preempted by n/b"] == 29.0


def test_what_was_released_and_then_given_up_was_stale(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.event(MS, Kind.skip, A, 0, 0, 1)
    assert only_missed_job(analyse(sample, tmp_path)).kind == "stale"


def test_what_never_finished_is_a_miss_only_past_its_deadline(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 10 * MS)
    sample.event(50 * MS, Kind.spin)
    missed = only_missed_job(analyse(sample, tmp_path))
    assert (missed.kind, missed.finish) == ("unfinished", -1)
    open_ = TraceSample()
    open_.release(A, 0)
    open_.start(A, 0, 60 * MS)
    open_.event(50 * MS, Kind.spin)
    assert analyse(open_, tmp_path).missed == []


def test_jobs_of_a_killed_program_that_may_have_finished_do_not_count_as_unfinished(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 10 * MS)
    sample.job(B, 8 * MS, 8 * MS, 9 * MS, 100 * MS)
    # The worker's ring contains later events: A may have finished before its deadline.
    sample.event(12 * MS, Kind.section, 0, 0, 11 * MS, ring=2)
    made = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, None))
    assert made.missed == []
    sample.release(B, 11 * MS, 1)
    made = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, None))
    assert [(each.task, each.kind) for each in made.missed] == [(A, "unfinished")]


def test_stalls_and_other_threads_take_their_part(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, MS, 20 * MS, 10 * MS)
    stalls = np.array([(1, 2 * MS, 6 * MS), (0, 0, 20 * MS)], STALLS)
    rows = [
        (0, 1, 7, 50, b"takt.w1", b"S"),
        (8 * MS, 1, 9, 50, b"irq/33-eth", b"S"),
        (11 * MS, 1, 7, 50, b"takt.w1", b"S"),
    ]
    rows += [(12 * MS, 0, 8, 50, b"elsewhere", b"S"), (30 * MS, 1, 0, 120, b"swapper/1", b"S")]
    made = only_missed_job(analyse(sample, tmp_path, stalls, np.array(rows, SWITCHES)))
    found = parts(made)
    assert found["stalled by the host"] == 4.0
    assert found["thread irq/33-eth had the CPU"] == 3.0
    assert found["no job had the CPU"] == 1.0
    assert sum(found.values()) == 20.0


def test_a_stall_is_attributed_to_a_thread_that_may_delay_the_probe(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, 20 * MS, 10 * MS)
    stalls = np.array([(1, 2 * MS, 6 * MS), (1, 10 * MS, 13 * MS), (1, 15 * MS, 17 * MS)], STALLS)
    rows = [(0, 1, 7, 56, b"takt.w1", b"S"), (MS, 1, 5, 1, b"lab.probe", b"S"), (2 * MS, 1, 9, 0, b"watchdog", b"S")]
    # In the kernel's records, a thread continues to run while the host has stopped it.
    rows += [
        (7 * MS, 1, 7, 56, b"takt.w1", b"S"),
        (9 * MS, 1, 8, 50, b"irq/33-eth", b"S"),
        (14 * MS, 1, 7, 56, b"takt.w1", b"S"),
    ]
    found = parts(
        only_missed_job(
            analyse(sample, tmp_path, stalls, np.array([*rows, (30 * MS, 1, 0, 120, b"idle", b"S")], SWITCHES))
        )
    )
    assert found == {
        "thread watchdog had the CPU": 5.0,
        "stalled by the host": 5.0,
        "thread irq/33-eth had the CPU": 2.0,
        "thread lab.probe had the CPU": 1.0,
        "ran": 7.0,
    }


def test_a_job_that_leaves_the_cpu_idle_slept(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, 9 * MS, 20 * MS)
    sample.release(C, MS)
    sample.start(C, 9 * MS, 8 * MS)
    sample.finish(C, 12 * MS, late=True)
    rows = [
        (0, 1, 7, 56, b"takt.w1", b"S"),
        (2 * MS, 1, 0, 120, b"swapper/1", b"S"),
        (6 * MS, 1, 7, 56, b"takt.w1", b"S"),
    ]
    rows += [
        (10 * MS, 1, 0, 120, b"swapper/1", b"S"),
        (11 * MS, 1, 7, 56, b"takt.w3", b"S"),
        (30 * MS, 1, 0, 120, b"swapper/1", b"S"),
    ]
    found = parts(only_missed_job(analyse(sample, tmp_path, None, np.array(rows, SWITCHES))))
    assert found == {"n/a slept": 4.0, "waited for n/a": 4.0, "n/c slept": 1.0, "ran": 2.0}


def test_an_ordinary_thread_only_gets_what_a_real_time_job_leaves(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, 20 * MS, 10 * MS)
    for own, words in ((56, "n/a slept"), (120, "thread cc1plus had the CPU")):
        rows = [(0, 1, 7, own, b"takt.w1", b"S"), (8 * MS, 1, 9, 120, b"cc1plus", b"S")]
        rows += [(11 * MS, 1, 7, own, b"takt.w1", b"S"), (30 * MS, 1, 0, 120, b"idle", b"S")]
        found = parts(only_missed_job(analyse(sample, tmp_path, None, np.array(rows, SWITCHES))))
        assert found == {words: 3.0, "ran": 17.0}


def test_workers_of_another_executor_are_foreign(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, 20 * MS, 10 * MS)
    rows = [
        (0, 1, 7, 56, b"takt.w1", b"S"),
        (8 * MS, 1, 9, 55, b"takt.w1", b"S"),
        (11 * MS, 1, 7, 56, b"takt.w1", b"S"),
    ]
    kernel = np.array([*rows, (30 * MS, 1, 0, 120, b"idle", b"S")], SWITCHES)
    found = parts(only_missed_job(analyse(sample, tmp_path, None, kernel, frozenset({7}))))
    assert found == {"thread takt.w1 of another executor had the CPU": 3.0, "ran": 17.0}
    assert parts(only_missed_job(analyse(sample, tmp_path, None, kernel))) == {"ran": 20.0}


LARGE = "/a/topic/of/more/than/one/record"


def test_a_wait_for_what_another_job_uses_is_neither_its_run_nor_sleep(tmp_path: Path) -> None:
    sample = TraceSample()
    for k in range(3):
        # The second job of C waits for 6 ms; the job of A, which it has preempted, has the CPU meanwhile.
        at, waited = k * 200 * MS, 6 * MS if k == 1 else 0
        sample.release(A, at, k)
        sample.start(A, at, at + (8 * MS if k == 1 else 100 * MS), k)
        sample.release(C, at + MS, k)
        sample.start(C, at + MS, at + 5 * MS, k)
        if waited:
            sample.wait(C, at + 2 * MS, at + 2 * MS + waited, LARGE, A)
        sample.finish(C, at + 3 * MS + waited, k, late=k == 1)
        sample.finish(A, at + 4 * MS + waited, k, late=k == 1)
    lower, upper = analyse(sample, tmp_path).missed
    assert (upper.task, parts(upper)) == (C, {f"waited for {LARGE}, which n/a used": 6.0, "ran": 2.0})
    assert upper.main_part is not None
    assert upper.main_part.kind == "entity"
    # The time in which C waits for A does not count as preemption of A.
    found = parts(lower)
    assert found["preempted by n/c"] == 2.0
    assert sum(found.values()) == 10.0


def test_an_idle_cpu_is_no_sleep_of_a_job_that_waits_for_an_entity(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 5 * MS)
    sample.wait(A, 2 * MS, 8 * MS, "/x")
    sample.job(B, 4 * MS, 4 * MS, 5 * MS, 100 * MS)
    sample.finish(A, 9 * MS, late=True)
    rows = [
        (0, 1, 7, 56, b"takt.w1", b"S"),
        (2 * MS, 1, 0, 120, b"swapper/1", b"S"),
        (4 * MS, 1, 9, 56, b"takt.w2", b"S"),
        (5 * MS, 1, 0, 120, b"swapper/1", b"S"),
        (6 * MS, 1, 8, 48, b"irq/33-eth", b"S"),
        (7 * MS, 1, 0, 120, b"swapper/1", b"S"),
        (8 * MS, 1, 7, 56, b"takt.w1", b"S"),
        (30 * MS, 1, 0, 120, b"swapper/1", b"S"),
    ]
    found = parts(only_missed_job(analyse(sample, tmp_path, None, np.array(rows, SWITCHES))))
    assert found == {
        "waited for /x, which a thread outside of callbacks used": 4.0,
        "preempted by n/b": 1.0,
        "thread irq/33-eth had the CPU": 1.0,
        "ran": 3.0,
    }


def test_waits_and_sections_that_reach_their_bound_are_counted(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.define("processor", first_task=0, cpu=1, policy="fp", preempts=True, max_section=200_000)
    sample.job(A, 0, 0, 5 * MS, 100 * MS)
    sample.event(MS, Kind.expiry, A, 0, C, 1)
    sample.job(C, 5 * MS, 5 * MS, 9 * MS, 100 * MS)
    sample.wait(C, 6 * MS, 8 * MS, "/x", A)
    made = analyse(sample, tmp_path)
    summary = made.summary()
    assert (summary.max_section_ms, summary.expired_sections, summary.entity_waits) == (0.2, 1, 1)
    assert summary.longest_wait_ms == 2.0
    last = trace_report(summary, 5)[-1]
    assert isinstance(last, str)
    assert "1 sections that reached max_section (0.2" in last
    assert "1 waits for entities of the middleware that others used, the longest 2" in last


def test_raised_jobs_run_above_and_lowered_ones_below_all_others(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 100 * MS)
    sample.job(B, 2 * MS, 2 * MS, 12 * MS, 100 * MS)
    sample.event(4 * MS, Kind.raise_, A, 0, B, 2)
    sample.event(6 * MS, Kind.lower, A, 0, 0, 2)
    sample.event(15 * MS, Kind.finish, A, 0, 0, 0, LOWERED)
    slices = analyse(sample, tmp_path).slices
    rows = list(zip(slices.task.tolist(), (slices.begin // MS).tolist(), (slices.end // MS).tolist(), strict=True))
    assert rows == [(A, 0, 2), (B, 2, 4), (A, 4, 6), (B, 6, 12), (A, 12, 15)]
    assert slices.activity.tolist() == [Activity.runs] * 4 + [Activity.background]


def test_a_trace_with_drops_gives_no_figures_that_may_be_wrong(tmp_path: Path) -> None:
    sample = TraceSample()
    for k in range(3):
        # The trace lacks all finishes of C, and the one of A's second job.
        at = 100 * MS * k
        sample.release(A, at, k)
        sample.start(A, at, at + 10 * MS, k)
        sample.release(C, at + MS, k)
        sample.start(C, at + MS, at + 2 * MS, k)
        if k != 1:
            sample.finish(A, at + 20 * MS, k, late=True)
    sample.event(300 * MS, Kind.skip, B, 0, 300 * MS, 2)
    sample.define("end", written=0, dropped=4, rings_refused=0)
    made = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, None))
    assert [(m.task, m.index, m.kind, m.parts) for m in made.missed] == [
        (A, 0, "late", ()), (A, 2, "late", ()), (B, 0, "skipped", ())
    ]  # fmt: skip
    assert {(task, index) for task, index in zip(made.slices.task.tolist(), made.slices.index.tolist(), strict=True)}
    assert made.slices.above.max() <= 1


@pytest.mark.parametrize("seed", range(20))
def test_parts_add_up_to_the_time_from_release_to_finish(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    sample, now = TraceSample(), 0
    # Nested jobs of increasing levels, each of which preempts the one before.
    for k in range(30):
        begins = now + np.cumsum(rng.integers(1, 1000, 3))
        ends = begins[-1] + np.cumsum(rng.integers(1, 1000, 3))
        for task in range(3):
            begin = int(begins[task])
            sample.release(task, begin - int(rng.integers(0, 500)), k, late=0)
            sample.start(task, begin, begin + 500, k, took=int(rng.integers(0, 2)))
        for task, end in zip((2, 1, 0), ends.tolist(), strict=True):
            sample.finish(task, end, k)
        now = int(ends[-1]) + 2000
    made = analyse(sample, tmp_path)
    assert made.missed
    for missed in made.missed:
        assert sum(part.ns for part in missed.parts) == missed.finish - missed.release
