# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the estimate of the remaining time, and of the output for the user."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from takt_cli.run.progress import Progress, duration
from takt_cli.run.remaining_time import RemainingTime


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_follows_from_what_parts_took() -> None:
    clock = Clock()
    progress = Progress(4, 40, clock)
    with progress.part("first", 10):
        clock.now += 3  # starting up
        progress.begin("takt", 10)
        clock.now += 10
        progress.end()
        progress.say("replaying in the simulator")
        assert progress.description() == "first (1 of 4): replaying in the simulator"
        clock.now += 2
    assert progress.pace.remaining(clock.now) == pytest.approx(45)
    with progress.part("second", 10):
        clock.now += 6
        progress.begin("takt", 10)
        assert progress.description() == "second (2 of 4)"
        # Starting took long, but the measured 10 s have just begun, so all of them are left.
        assert progress.pace.remaining(clock.now) == pytest.approx(10 + 30)
        clock.now += 4
        progress.at(4)
        assert progress.pace.remaining(clock.now) == pytest.approx(6 + 30)


def test_parts_of_a_single_verb_count_from_end_to_end() -> None:
    clock = Clock()
    progress = Progress(3, 30, clock)
    for number, name in enumerate(("baseline0", "baseline1", "takt"), 1):
        clock.now += 2
        progress.begin(name, 10)
        assert progress.description() == f"{name} ({number} of 3)"
        clock.now += 10
        progress.end()
        clock.now += 1  # replaying
    assert progress.pace.remaining(clock.now) == 0
    # The overheads are 2, 3 and 3 s: before the first part there is no replay of another one.
    assert progress.pace.mean_overhead == pytest.approx(8 / 3)


def test_a_part_that_failed_says_nothing_about_others() -> None:
    clock = Clock()
    progress = Progress(2, 20, clock)
    part = progress.start("first", 10)
    clock.now += 70
    progress.finish(part, succeeded=False)
    before = progress.pace.mean_overhead
    progress.pace.add_parts(1, 10)
    assert progress.pace.remaining(clock.now) == pytest.approx(2 * (10 + before))


def test_a_part_that_is_begun_twice_starts_from_zero() -> None:
    clock = Clock()
    progress = Progress(1, 10, clock)
    progress.begin("takt", 10)
    clock.now += 50
    progress.begin("takt", 10)
    assert progress.pace.remaining(clock.now) == pytest.approx(10 + progress.pace.mean_overhead)
    clock.now += 12
    progress.end()
    assert progress.pace.mean_overhead == 2


def test_parts_beside_each_other_share_the_time() -> None:
    clock = Clock()
    progress = Progress(6, 60, clock)
    progress.pace.at_once = 2
    parts = [progress.start(name, 10) for name in ("a", "b")]
    assert progress.description() == "a, b (2 of 6)"
    clock.now += 14
    for part in parts:
        progress.finish(part)
    assert progress.pace.remaining(clock.now) == pytest.approx(4 * 14 / 2)


def test_a_batch_that_goes_on_counts_what_was_done() -> None:
    clock = Clock()
    progress = Progress(10, 100, clock)
    progress.expect(10, 30, before=7)
    with progress.part("x", 10):
        assert progress.description() == "x (8 of 10)"


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.1, 100), st.floats(0, 50)), min_size=1, max_size=12))
def test_an_estimate_is_never_negative_and_ends_at_nothing(parts: list[tuple[float, float]]) -> None:
    pace = RemainingTime(len(parts), sum(length for length, _ in parts))
    now = 0.0
    for length, on_top in parts:
        running = pace.start("x", length, now)
        assert pace.remaining(now) >= length - 1e-6
        now += length + on_top
        assert pace.remaining(now) >= 0
        pace.finish(running, now)
    assert pace.remaining(now) == pytest.approx(0, abs=1e-6)


def test_durations_read_well() -> None:
    assert [duration(s) for s in (0, 59.4, 59.6, 250, 3900, 90_000)] == [
        "0 s", "59 s", "1 min 00 s", "4 min 10 s", "1 h 05 min", "25 h 00 min"
    ]  # fmt: skip
