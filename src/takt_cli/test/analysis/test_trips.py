# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the outcome of messages on a grid, on rows with known answers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from takt_cli.analysis.grid import Window
from takt_cli.analysis.intervals import covered, union
from takt_cli.analysis.trips import Count, SkippedCount, Timing, Trips, outcome_counts
from takt_cli.results.sample_files import STALLS, TRIPS, Rows

MS = 10**6
T0 = 10**12
TIMING = Timing(10 * MS, 10 * MS, 500 * MS)


def rows(*found: tuple[float, float, float | None]) -> Rows:
    """Return rows of (intended, sent, received), in ms; None means that there was no reply."""
    made = [
        (n, T0 + round(i * MS), T0 + round(s * MS), 0 if r is None else T0 + round(r * MS))
        for n, (i, s, r) in enumerate(found)
    ]
    return np.array(made, TRIPS)


def stalls(*found: tuple[float, float]) -> Rows:
    return np.array([(0, T0 + round(a * MS), T0 + round(b * MS)) for a, b in found], STALLS)


def trips(
    trip_rows: Rows, end: float, stalls_seen: Rows | None = None, begin: float = 0, on_grid: bool = False
) -> Trips:
    window = Window(T0, T0 + round(begin * MS), T0 + round(end * MS))
    return Trips(trip_rows, window, TIMING, stalls() if stalls_seen is None else stalls_seen, on_grid)


def test_a_reply_above_the_period_is_missed_and_the_cycles_it_took_are_skipped() -> None:
    found = trips(rows((0, 0, 1), (10, 10, 31), (40, 40, 41), (50, 50, 51)), 60)
    counts = outcome_counts([found])
    assert counts.missed == Count(n=1, host=0, other=1, explained=0)
    assert counts.lost.n == 0
    assert [(at - T0) // MS for at in found.skipped] == [20, 30]
    assert (counts.skipped.waiting, counts.skipped.starved) == (2, 0)
    assert found.times.tolist() == [MS, 21 * MS, MS, MS]


def test_a_client_that_was_starved_is_no_missed_deadline_but_from_the_intended_instant() -> None:
    # The client woke 25 ms late, so that two cycles passed without a message in transit.
    counts = outcome_counts([trips(rows((0, 0, 1), (10, 35, 36), (40, 40, 41)), 50)])
    assert counts.missed.n == 0
    assert counts.missed_from_intended.n == 1
    assert (counts.skipped.waiting, counts.skipped.starved) == (0, 2)
    assert outcome_counts([trips(rows((0, 0, 1), (10, 35, 36), (40, 40, 41)), 50, on_grid=True)]).missed.n == 1


def test_a_loss_is_infinitely_late_and_so_is_a_last_message_without_a_reply() -> None:
    lossy = trips(rows((0, 0, None), (500, 500, 501), (510, 510, None)), 520)
    counts = outcome_counts([lossy])
    assert (counts.sent, counts.lost.n, counts.missed.n) == (3, 2, 0)
    assert counts.skipped == SkippedCount(n=49, host=0, other=49, explained=0, waiting=49, starved=0)
    assert np.isinf(lossy.times).tolist() == [True, False, True]


def test_a_reply_past_the_time_out_is_a_loss_however_it_was_seen() -> None:
    for back, missed, lost in ((500, 1, 0), (501, 0, 1)):
        found = trips(rows((0, 0, back), (510, 510, 511)), 520)
        counts = outcome_counts([found])
        assert (counts.missed.n, counts.lost.n) == (missed, lost)
        assert np.isinf(found.times).tolist() == [bool(lost), False]
        assert [(at - T0) // MS for at in found.skipped] == list(range(10, 510, 10))


def test_a_stall_counts_from_the_intended_instant_until_the_deadline() -> None:
    # The reply takes 24 ms instead of at most 10; the cycles at 20 and 30 ms are skipped meanwhile.
    late = rows((0, 0, 1), (10, 11, 35), (40, 40, 41))
    for seen, host, explained in (
        ([(15, 29)], 1, 1),
        ([(12, 20), (21, 27)], 1, 1),
        # The stall may have begun up to a millisecond before the instant that the probe recorded.
        ([(15, 28.1)], 1, 1),
        ([(15, 27.9)], 1, 0),
        ([(15, 16)], 1, 0),
        # These stalls are too short to have an effect, or after the deadline, or outside of the trip.
        ([(15, 15.9)], 0, 0),
        ([(22, 34)], 0, 0),
        ([(0, 9), (36, 60)], 0, 0),
    ):
        counts = outcome_counts([trips(late, 50, stalls(*seen))])
        assert counts.missed == Count(n=1, host=host, other=1 - host, explained=explained), seen


def test_skipped_cycles_are_the_hosts_if_it_delayed_the_reply_they_waited_for() -> None:
    late = rows((0, 0, 1), (10, 11, 35), (40, 40, 41))
    for seen, host, explained in (((12, 34), 2, 2), ((22, 26), 1, 1), ((36, 39), 0, 0)):
        counts = outcome_counts([trips(late, 50, stalls(seen))]).skipped
        assert (counts.n, counts.host, counts.explained) == (2, host, explained), seen
    asleep = rows((0, 0, 1), (10, 10, 11), (40, 40, 41))
    for stall, host in (((19.5, 39.5), 2), ((45, 46), 0)):
        counts = outcome_counts([trips(asleep, 50, stalls(stall))]).skipped
        assert (counts.n, counts.starved, counts.host) == (2, 2, host)
    delayed = outcome_counts([trips(rows((0, 0, 1), (10, 35, 36), (40, 40, 41)), 50, stalls((10, 34)))])
    assert (delayed.skipped.host, delayed.skipped.explained) == (2, 2)
    assert delayed.missed_from_intended == Count(n=1, host=1, other=0, explained=1)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.integers(1, 10**8)), max_size=12),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
)
def test_stalled_time_adds_up(holes: list[tuple[int, int]], one: int, other: int) -> None:
    seen = np.array([(0, T0 + a, T0 + a + n) for a, n in holes], STALLS)
    begin, end = sorted((T0 + one, T0 + other))
    middle = (begin + end) // 2
    found = union(seen["from"], seen["to"])

    def time(a: int, b: int) -> int:
        return int(covered(found, np.array([a]), np.array([b]))[0])

    assert 0 <= time(begin, end) <= end - begin
    assert time(begin, end) == time(begin, middle) + time(middle, end)
    assert time(end, begin) == 0 or begin == end
    for _, a, b in seen.tolist():
        assert time(a, b) == b - a


def test_cycles_before_the_first_and_after_the_last_message_count() -> None:
    found = trips(rows((20, 20, 21), (30, 30, 31)), 60, begin=10)
    assert [(at - T0) // MS for at in found.skipped] == [10, 40, 50]
    assert outcome_counts([trips(rows(), 50)]).skipped.n == 5
    # The warm-up does not count.
    assert outcome_counts([trips(rows((0, 0, 9.5), (10, 10, 11), (20, 20, 21)), 30, begin=10)]).sent == 2


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 30), st.one_of(st.none(), st.floats(0.001, 60))), max_size=40),
    st.lists(st.tuples(st.floats(0, 900), st.floats(0.01, 20)), max_size=8),
)
def test_every_cycle_has_one_fate(
    steps: list[tuple[int, float, float | None]], holes: list[tuple[float, float]]
) -> None:
    at, made = 0, []
    for gap, delay, back in steps:
        at += 10 * gap
        made.append((at, at + delay, None if back is None else at + delay + back))
        at += 10 * (1 + int(delay + (500 if back is None else back)) // 10)
    end = 10 * (at // 10 + 3)
    found = trips(rows(*made), end, stalls(*((a, a + n) for a, n in holes)))
    counts = outcome_counts([found])
    assert counts.sent + counts.skipped.n == end // 10
    assert counts.skipped.waiting + counts.skipped.starved == counts.skipped.n
    for kind in (counts.missed, counts.lost, counts.skipped, counts.missed_from_intended):
        assert kind.host + kind.other == kind.n >= kind.explained
    assert counts.missed_from_intended.n >= counts.missed.n
    assert len(found.times) == counts.sent
    assert counts.lost.n == sum(np.isinf(found.times))
    if not holes:
        assert all(kind.host == 0 for kind in (counts.missed, counts.lost, counts.skipped))
