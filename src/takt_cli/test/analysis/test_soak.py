# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a soak: the causes of misses, growth of resources, and the verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from origins import origin

from takt_cli.analysis.gauges import Gauge, gauge_figures, grown_gauges
from takt_cli.analysis.soak import (
    KINDS,
    MissesByKind,
    Skipped,
    Soak,
    SoakSummary,
    StallCounts,
    _miss_kinds,
    _skipped,
    read_soak,
    soak_summary,
)
from takt_cli.analysis.stalls.late_starts import Holder
from takt_cli.analysis.stalls.stall_causes import StallsByCause
from takt_cli.analysis.stalls.stalls_by_switches import StolenPieces
from takt_cli.chart.svg import to_svg
from takt_cli.errors import ResultError
from takt_cli.report.kinds.soak import soak_charts, soak_report
from takt_cli.results.origin import RealtimeThread
from takt_cli.results.program import Grants, Probe, SwitchedThread, Switches, UsedPolicy, Window
from takt_cli.results.sample_files import (
    ADDED,
    CPU_TURNS,
    FINISHES,
    GAUGES,
    REMOVED,
    SOAK_EVENTS,
    SOAK_JOBS,
    SOAK_MISSES,
    STALLS,
    Rows,
    write_rows,
)
from takt_cli.results.soak import (
    SOAK_FORMAT,
    ReadOutside,
    SoakCounters,
    SoakProcess,
    SoakRecord,
    SoakSettings,
    SoakStatistics,
    SoakTask,
)
from takt_cli.results.verdict import TOO_SHORT, Verdict

MS = 1_000_000
T0 = 10**12


def at(ms: float) -> int:
    return T0 + int(ms * MS)


def jobs(*rows: tuple[int, float, float, float]) -> Rows:
    """Return jobs from rows of (task, release, deadline, finish) in ms; each job used 1 ms of CPU time."""
    return np.array([(t, i, at(r), at(d), at(r), at(f), MS) for i, (t, r, d, f) in enumerate(rows)], SOAK_JOBS)


def stalls(*pairs: tuple[float, float]) -> Rows:
    return np.array([(0, at(a), at(b)) for a, b in pairs], STALLS)


def of_host(*pairs: tuple[float, float]) -> StallsByCause:
    return StallsByCause(stalls(*pairs), stalls(), {})


def events(*rows: tuple[float, float, int]) -> Rows:
    return np.array([(at(a), at(b), kind, 0) for a, b, kind in rows], SOAK_EVENTS)


def misses(*rows: tuple[int, float, int]) -> Rows:
    return np.array([(at(r), at(r), at(r), task, flag) for task, r, flag in rows], SOAK_MISSES)


def stolen(end: float, took: float) -> StolenPieces:
    """Return one piece that the host took until an instant; both in ms."""
    return StolenPieces(np.array([at(end)]), np.array([0, int(took * MS)]))


NOTHING = stolen(0, 0)


def kinds(
    rows: Rows,
    model: list[float],
    seen: Rows | None = None,
    reported: Rows | None = None,
    taken: StolenPieces = NOTHING,
    kept: Rows | None = None,
) -> list[str]:
    """Return the kind of miss of each job, empty for none. `model` gives when the replay finishes each job, in ms, -1
    for never."""
    finishes = np.array([at(m) if m >= 0 else -1 for m in model], np.int64)
    found = _miss_kinds(
        rows,
        finishes,
        StallsByCause(seen if seen is not None else stalls(), kept if kept is not None else stalls(), {}),
        taken,
        reported if reported is not None else misses(),
    )
    names = [[kind for kind in KINDS if found[kind][i]] for i in range(len(rows))]
    assert all(len(each) <= 1 for each in names)
    return [each[0] if each else "" for each in names]


LATE = jobs((0, 0, 10, 5), (0, 10, 20, 21), (1, 12, 22, 30))


def test_a_late_job_is_unforced_unless_the_model_is_late_too() -> None:
    assert kinds(LATE, [5, 19, 30]) == ["", "unforced", "forced"]
    assert kinds(LATE, [5, -1, 22]) == ["", "forced", "unforced"]
    assert kinds(LATE[:0], []) == []


def test_a_stall_of_the_host_takes_precedence_as_the_cause() -> None:
    reported = misses((0, 10, 1))
    assert kinds(LATE, [5, 19, 20], seen=stalls((20.5, 20.6)), reported=reported) == ["", "host", "host"]
    # The stall is at a time at which no job was pending.
    assert kinds(LATE, [5, 19, 20], seen=stalls((6, 9))) == ["", "unforced", "unforced"]


def test_a_stall_in_which_a_thread_had_the_cpu_is_told_apart_from_the_host_s() -> None:
    assert kinds(LATE, [5, 19, 20], kept=stalls((20.5, 20.6))) == ["", "kept", "kept"]
    assert kinds(LATE, [5, 19, 20], seen=stalls((12.5, 12.6)), kept=stalls((10.5, 10.6))) == ["", "host", "host"]


def test_a_job_that_is_late_by_less_than_the_host_took_is_the_host_s() -> None:
    """The second job is late by 1 ms and the third one by 8."""
    assert kinds(LATE, [5, 19, 20], taken=stolen(15, 1.1)) == ["", "host", "unforced"]
    assert kinds(LATE, [5, 19, 20], taken=stolen(15, 0.9)) == ["", "unforced", "unforced"]
    # The host took it when neither was pending.
    assert kinds(LATE, [5, 19, 20], taken=stolen(31, 9)) == ["", "unforced", "unforced"]
    # The job before the skipped release ended at 21 ms, that is 1 ms after the release.
    rows = jobs((0, 0, 10, 1), (0, 10, 20, 21), (0, 30, 40, 31))
    assert [_skipped(rows, 10 * MS, of_host(), stolen(15, took)).host for took in (1.1, 0.9)] == [1, 0]


def test_a_miss_that_the_executor_reports_as_a_transition_counts_as_one() -> None:
    # Reports are matched by task and release; a report without the transition flag is an ordinary miss.
    reported = misses((0, 10, 1), (1, 12, 0), (1, 10, 1))
    assert kinds(LATE, [5, 19, 20], reported=reported) == ["", "transition", "unforced"]


def test_releases_that_were_skipped_are_the_hosts_only_where_it_stalled() -> None:
    rows = jobs((0, 0, 10, 1), (0, 10, 20, 11), (0, 40, 50, 41), (0, 50, 60, 51), (0, 70, 80, 71))
    assert _skipped(rows, 10 * MS, of_host(), NOTHING) == Skipped(3, 0, 0)
    assert _skipped(rows, 10 * MS, of_host((25, 35)), NOTHING) == Skipped(3, 2, 0)
    assert _skipped(rows, 10 * MS, of_host((5, 6), (61, 62)), NOTHING) == Skipped(3, 1, 0)
    kept = StallsByCause(stalls((25, 26)), stalls((25, 35), (61, 62)), {})
    assert _skipped(rows, 10 * MS, kept, NOTHING) == Skipped(3, 2, 1)
    # It made the job before the skipped releases late.
    assert _skipped(rows, 10 * MS, of_host((10.2, 10.5)), NOTHING) == Skipped(3, 2, 0)
    assert _skipped(rows[:2], 10 * MS, of_host((0, 90)), NOTHING) == Skipped(0, 0, 0)


def gauges_of(n: int, heap: int = 0, threads: int = 0) -> Rows:
    """Return `n` samples in which heap and threads grow by `heap` bytes and `threads` per sample; the heap alternates
    by 0.1 %."""
    return np.array(
        [(at(500 * i), 10**8, 10**7 + (i % 2) * 10**4 + heap * i, 20, 30 + threads * i) for i in range(n)], GAUGES
    )


def test_growth_is_more_at_the_end_than_at_the_beginning() -> None:
    flat = gauge_figures(gauges_of(100))
    assert grown_gauges(flat) == []
    assert flat.heap.per_hour == pytest.approx(0, abs=1)
    assert flat.resident == Gauge(n=100, first=1e8, last=1e8, max=1e8, per_hour=0.0, low=0.0, high=0.0, too_short=False)
    leaks = gauge_figures(gauges_of(100, heap=10**4))
    assert [line.split(" ")[0] for line in grown_gauges(leaks)] == ["heap"]
    low, slope, high = (each or 0.0 for each in (leaks.heap.low, leaks.heap.per_hour, leaks.heap.high))
    assert low <= slope <= high
    assert leaks.heap.per_hour == pytest.approx(7200 * 10**4, rel=0.01)
    assert grown_gauges(gauge_figures(gauges_of(100, threads=1)))[0].startswith("threads grew from 3")
    few = gauge_figures(gauges_of(2, heap=10**6))
    assert few.heap == Gauge(n=2)
    assert grown_gauges(few) == []


PROCESS = SoakProcess(
    rmw="rmw",
    policy=UsedPolicy("edf", "edf"),
    t0=T0,
    window=Window(T0, at(20_000)),
    tasks=[SoakTask(group=0, period_ns=10 * MS, phase_ns=0)] * 2,
    received=7,
    read_outside=ReadOutside(80),
    dropped=0,
    switches=Switches("", 0, [SwitchedThread(1, "urgent", True), SwitchedThread(2, "other", True)]),
    counters=SoakCounters(skipped=0),
    statistics=SoakStatistics(scenario_switches=3, scenario_requests_overwritten=0, longest_switch_ns=5000),
    grants=Grants(realtime=True),
)
SEEING, BLIND = Probe(asked=99, granted=99), Probe(asked=99, granted=0)


def result(
    place: Path, late: int = 0, model: int | None = None, seen: Rows | None = None, gauges: Rows | None = None,
    process: SoakProcess = PROCESS, probe: Probe = SEEING, without: int | None = None, drift: int = 0, noise: int = 0,
    turns: Rows | None = None, others: list[RealtimeThread] | None = None,
) -> Soak:  # fmt: skip
    """Write a soak of 20 s with a job every 10 ms. The first `late` jobs are 1 ms late; the model finishes each job
    after `model` ms. Starts are later by up to `drift` ns, growing over the run, and by a random time up to `noise`
    ns."""
    place.mkdir()
    rows = jobs(*((0, 10 * i, 10 * i + 10, 10 * i + (11 if i < late else 1)) for i in range(2000) if i != without))
    rows["start"] += np.linspace(0, drift, len(rows)).astype(np.int64)
    rows["start"] += np.random.default_rng(1).integers(0, noise + 1, len(rows))
    write_rows(place / "jobs.npy", rows)
    finish = rows["release"] + (model or 1) * MS
    write_rows(place / "replay.npy", np.array([(f,) for f in finish], FINISHES))
    write_rows(place / "events.npy", events((100, 101, ADDED), (200, 201, REMOVED)))
    write_rows(place / "stalls.npy", seen if seen is not None else stalls())
    write_rows(place / "misses.npy", misses())
    write_rows(place / "gauges.npy", gauges if gauges is not None else gauges_of(40))
    write_rows(place / "cpu.npy", turns if turns is not None else np.empty(0, CPU_TURNS))
    settings = SoakSettings(20 * 10**9, 0, 0, None)
    SOAK_FORMAT.write(place, origin(other_realtime=others or []), settings, SoakRecord(process, probe))
    return read_soak(place)


def verdict(soak: Soak) -> str:
    return soak_summary(soak).verdict.outcome


def test_the_verdict_names_everything_that_is_wrong(tmp_path: Path) -> None:
    good = result(tmp_path / "good")
    summary = soak_summary(good)
    assert summary.verdict == Verdict("pass", ["no unforced miss, no drift, and nothing grew"])
    assert (summary.jobs, summary.guests) == (2000, 1)
    assert summary.utilisation == pytest.approx(0.1)
    assert summary.drift_us_per_min.off_grid == 0
    late = result(tmp_path / "late", late=3)
    assert soak_summary(late).misses == MissesByKind(late=3, unforced=3, transition=0, host=0, kept=0, forced=0)
    assert verdict(late) == "fail"
    # The last two of these misses are while a node is added.
    assert soak_summary(result(tmp_path / "later", late=12)).misses.unforced == 12
    gap = result(tmp_path / "gap", without=7)
    assert soak_summary(gap).skipped_most_urgent == Skipped(1, 0, 0)
    assert verdict(gap) == "fail"
    assert verdict(result(tmp_path / "forced", late=3, model=11)) == "pass"
    # The starts become later over the run, by up to 25 us, and scatter more.
    drifting = soak_summary(result(tmp_path / "drift", drift=25_000)).verdict
    assert drifting.outcome == "inconclusive"
    # The drift may be caused by the host, because there was no control that keeps the grid by system calls alone.
    assert "releases drift by +75" in drifting.why[0]
    assert "no control beside it" in drifting.why[0]
    # A drift of more than a period, and a drift together with unforced misses, is a failure.
    gone = soak_summary(result(tmp_path / "gone", drift=12_000_000)).verdict
    assert gone.outcome == "fail"
    assert "more than a fixed grid permits" in " ".join(gone.why)
    assert verdict(result(tmp_path / "both", drift=25_000, late=3)) == "fail"
    noisy = soak_summary(result(tmp_path / "noisy", noise=50_000))
    assert noisy.verdict.outcome == TOO_SHORT
    assert "it cannot be judged yet whether releases drift" in noisy.verdict.why[1]
    assert verdict(result(tmp_path / "leak", gauges=gauges_of(40, heap=10**5))) == "fail"
    assert verdict(result(tmp_path / "short", gauges=gauges_of(2))) == TOO_SHORT


def test_threads_that_had_the_cpu_before_late_starts_are_named(tmp_path: Path) -> None:
    """Only late starts that no stall of the host overlaps are attributed: here one, before which another thread had the
    CPU for 10 ms, no thread for 0.5 ms, and the job's own thread for 0.5 ms."""
    turns = np.array([(at(0), 1, 0), (at(68.5), 2, 1), (at(80), 0, 1), (at(80.5), 1, 0)], CPU_TURNS)
    soak = result(tmp_path / "gap", without=7, turns=turns)
    soak.jobs["start"][7] += MS
    found = soak_summary(soak).late_starts
    assert (found.starts, found.host, found.known) == (1, 0, 1)
    assert found.by == [
        Holder("other", 1, 10.0, 10_000.0),
        Holder("idle", 1, 0.5, 500.0),
        Holder("itself", 1, 0.5, 500.0),
    ]
    text = str(soak_report(soak_summary(soak))[1])
    assert "before the other late starts: other in 1: 10 ms, at most 10\u202f000 us at a time; idle" in text
    stalled = result(tmp_path / "stalled", without=7, turns=turns, seen=stalls((75, 76)))
    stalled.jobs["start"][7] += MS
    found = soak_summary(stalled).late_starts
    assert (found.bound_us, found.starts, found.host, found.kept, found.known, found.by) == (200.0, 1, 0, 1, 0, [])
    assert soak_summary(stalled).stalls.kept_by == {"other": 1}
    assert "threads that had the CPU in stalls: other in 1. Due to host" in str(soak_report(soak_summary(stalled))[1])
    refusal = replace(PROCESS, switches=Switches("no rights", 0, []))
    unseen = soak_summary(result(tmp_path / "refused", without=7, process=refusal)).late_starts
    assert (unseen.starts, unseen.by, unseen.refused) == (1, [], "no rights")


def test_a_late_wake_up_at_a_release_is_a_stall_that_the_probe_did_not_see(tmp_path: Path) -> None:
    """The job at 70 ms starts 0.4 ms late, after `other`, and then the thread that makes the releases, had the CPU."""
    named = [(1, "urgent", True), (2, "other", True), (3, "takt.timer", True), (4, "lab.probe", False)]
    process = replace(PROCESS, switches=Switches("", 0, [SwitchedThread(*each) for each in named]))
    turns = np.array(
        [(at(69), 2, 0), (at(70.38), 4, 1), (at(70.39), 3, 0), (at(70.4), 1, 0), (at(72), 2, 0)], CPU_TURNS
    )

    def read(name: str, turns: Rows, seen: Rows | None = None) -> SoakSummary:
        soak = result(tmp_path / name, turns=turns, process=process, seen=seen)
        soak.jobs["start"][7] = at(70.4)
        return soak_summary(soak)

    found = read("late", turns)
    assert (found.stalls, found.late_starts.starts, found.late_starts.host) == (StallCounts(0, 1, {"other": 1}), 1, 0)
    assert read("seen", turns, stalls((70, 70.3))).stalls == StallCounts(1, 0, {"other": 1})
    # The CPU went to another thread before, so its interrupts were taken.
    interrupted = np.insert(turns, 1, np.array([(at(70.1), 1, 0)], CPU_TURNS))
    assert read("interrupted", interrupted).stalls.late_wakeups == 0
    # The thread that makes the releases had the CPU already.
    releasing = turns.copy()
    releasing["tid"][0] = 3
    assert read("releasing", releasing).stalls.late_wakeups == 0


def test_a_soak_whose_host_was_not_observed_is_not_judged(tmp_path: Path) -> None:
    assert verdict(result(tmp_path / "unseen", late=3, probe=BLIND)) == "inconclusive"
    assert verdict(result(tmp_path / "throttled", late=3, seen=stalls((500, 550)))) == "inconclusive"
    # Two host misses among 2000 jobs are tolerated, three are not.
    assert verdict(result(tmp_path / "two", late=2, seen=stalls((1, 1.5), (15, 15.3)))) == "pass"
    assert verdict(result(tmp_path / "three", late=3, seen=stalls((1, 1.5), (15, 15.3), (25, 26)))) == "inconclusive"
    jackd = RealtimeThread(pid=1, name="jackd", policy="FIFO", priority=70, cpu_ms=300.0)
    disturbed = soak_summary(result(tmp_path / "others", late=3, others=[jackd])).verdict
    assert (disturbed.outcome, "jackd (FIFO 70)" in disturbed.why[0]) == ("inconclusive", True)
    dropped = soak_summary(result(tmp_path / "dropped", process=replace(PROCESS, dropped=4))).verdict
    assert dropped == Verdict("inconclusive", ["4 rows of the record were dropped for lack of room"])
    # Growth is a failure even if the host was not observed.
    assert verdict(result(tmp_path / "grew", probe=BLIND, gauges=gauges_of(40, heap=10**5))) == "fail"


def test_a_folder_without_a_soak_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="holds no result"):
        read_soak(tmp_path)
    good = tmp_path / "good"
    result(good)
    write_rows(good / "replay.npy", np.array([(1,)], FINISHES))
    with pytest.raises(ResultError, match=r"replay\.npy does not belong to jobs\.npy"):
        read_soak(good)


def test_it_is_shown_as_table_and_plot(tmp_path: Path) -> None:
    soak = result(tmp_path / "r", late=2)
    summary = soak_summary(soak)
    assert to_svg(soak_charts(soak, summary)["soak"]).startswith("<svg")
    assert len(soak_report(summary)) == 1
