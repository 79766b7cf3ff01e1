# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What becomes of messages on a grid: rows of known truth."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from takt_cli.analysis.files import STALLS, TRIPS, Rows
from takt_cli.analysis.grid import Window
from takt_cli.analysis.trips import Timing, Trips, counts

MS = 10**6
T0 = 10**12
TIMING = Timing(10 * MS, 10 * MS, 500 * MS)


def rows(*found: tuple[float, float, float | None]) -> Rows:
    """intended, sent and received in ms; None: no reply."""
    made = [
        (n, T0 + round(i * MS), T0 + round(s * MS), 0 if r is None else T0 + round(r * MS))
        for n, (i, s, r) in enumerate(found)
    ]
    return np.array(made, TRIPS)


def stalls(*found: tuple[float, float]) -> Rows:
    return np.array([(0, T0 + round(a * MS), T0 + round(b * MS)) for a, b in found], STALLS)


def trips(made: Rows, end: float, seen: Rows | None = None, begin: float = 0, on_grid: bool = False) -> Trips:
    window = Window(T0, T0 + round(begin * MS), T0 + round(end * MS))
    return Trips(made, window, TIMING, stalls() if seen is None else seen, on_grid)


def test_a_reply_above_the_period_is_missed_and_the_cycles_it_took_are_skipped() -> None:
    found = trips(rows((0, 0, 1), (10, 10, 31), (40, 40, 41), (50, 50, 51)), 60)
    told = counts([found])
    assert told["missed"] == {"n": 1, "host": 0, "other": 1}
    assert told["lost"]["n"] == 0
    assert [(at - T0) // MS for at in found.skipped] == [20, 30]
    assert (told["skipped"]["waiting"], told["skipped"]["starved"]) == (2, 0)
    assert found.times.tolist() == [MS, 21 * MS, MS, MS]


def test_a_client_that_was_starved_is_no_missed_deadline_but_from_the_intended_instant() -> None:
    # Woken 25 ms late: two cycles went by with nothing under way.
    told = counts([trips(rows((0, 0, 1), (10, 35, 36), (40, 40, 41)), 50)])
    assert told["missed"]["n"] == 0
    assert told["missed_from_intended"]["n"] == 1
    assert (told["skipped"]["waiting"], told["skipped"]["starved"]) == (0, 2)
    assert counts([trips(rows((0, 0, 1), (10, 35, 36), (40, 40, 41)), 50, on_grid=True)])["missed"]["n"] == 1


def test_a_loss_is_infinitely_late_and_the_last_message_may_be_open() -> None:
    lossy = trips(rows((0, 0, None), (500, 500, 501), (510, 510, None)), 520)
    told = counts([lossy])
    assert (told["sent"], told["lost"]["n"], told["open"], told["missed"]["n"]) == (3, 1, 1, 0)
    assert told["skipped"] == {"n": 49, "host": 0, "other": 49, "waiting": 49, "starved": 0}
    assert np.isinf(lossy.times).tolist() == [True, False]
    # Long after it went out it is no longer under way.
    assert counts([trips(rows((0, 0, 1), (10, 10, None)), 600)])["lost"]["n"] == 1


def test_a_stall_counts_from_the_intended_instant_until_the_deadline() -> None:
    late = rows((0, 0, 1), (10, 11, 35), (40, 40, 41))
    for seen, host in (((15, 16), 1), ((10.1, 10.2), 1), ((9, 9.5), 0), ((22, 30), 0)):
        found = trips(late, 50, stalls(seen))
        told = counts([found])
        assert told["missed"] == {"n": 1, "host": host, "other": 1 - host}, seen
        # What was skipped while it was waited for shares its fate.
        assert told["skipped"]["host"] == 2 * host, seen


def test_a_starved_clients_cycles_are_the_hosts_where_it_stalled() -> None:
    starved = rows((0, 0, 1), (10, 10, 11), (40, 40, 41))
    assert counts([trips(starved, 50, stalls((22, 25)))])["skipped"] == {
        "n": 2, "host": 2, "other": 0, "waiting": 0, "starved": 2
    }  # fmt: skip
    assert counts([trips(starved, 50, stalls((45, 46)))])["skipped"]["host"] == 0


def test_cycles_before_the_first_and_after_the_last_message_count() -> None:
    found = trips(rows((20, 20, 21), (30, 30, 31)), 60, begin=10)
    assert [(at - T0) // MS for at in found.skipped] == [10, 40, 50]
    assert counts([trips(rows(), 50)])["skipped"]["n"] == 5
    # The warm-up is no part of it.
    assert counts([trips(rows((0, 0, 9.5), (10, 10, 11), (20, 20, 21)), 30, begin=10)])["sent"] == 2


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
    told = counts([found])
    assert told["sent"] + told["skipped"]["n"] == end // 10
    assert told["skipped"]["waiting"] + told["skipped"]["starved"] == told["skipped"]["n"]
    for kind in ("missed", "lost", "skipped", "missed_from_intended"):
        assert told[kind]["host"] + told[kind]["other"] == told[kind]["n"]
    assert told["missed_from_intended"]["n"] >= told["missed"]["n"]
    assert len(found.times) == told["sent"] - told["open"]
    assert told["lost"]["n"] == sum(np.isinf(found.times))
    if not holes:
        assert all(told[kind]["host"] == 0 for kind in ("missed", "lost", "skipped"))
