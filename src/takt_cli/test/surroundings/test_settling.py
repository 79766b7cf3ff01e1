# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the detection of when a load becomes stationary, on series with known answers and on a real load."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from simulated_series import Kind
from tuning_tree import write

from takt_cli.errors import RunError
from takt_cli.host.system import System
from takt_cli.report.conditions import condition_lines
from takt_cli.results.conditions import Conditions, Load
from takt_cli.surroundings.settling import LoadCourse, settle, settled_from, unwritten
from takt_cli.surroundings.setup import running_surroundings

LOOKS = 80


@pytest.mark.parametrize("worth", [0, 20])
def test_a_load_that_rises_at_first_settles_when_it_stops_rising(worth: int) -> None:
    kind = Kind("", worth=worth, ramp=0.25, height=20.0)
    found = [settled_from(series) for series in kind.simulate(LOOKS, 200)]
    known = np.array([each for each in found if each is not None])
    assert len(known) > 150
    # A fifth of the rise is within the usual variation, so its end is not found exactly.
    assert 0.15 * LOOKS < np.median(known) < 0.35 * LOOKS


def test_what_is_the_same_from_the_beginning_has_settled_there() -> None:
    assert settled_from(np.zeros(LOOKS)) == 0
    found = [settled_from(series) for series in Kind("").simulate(LOOKS, 200)]
    assert np.median([each for each in found if each is not None]) < 0.1 * LOOKS


def test_what_goes_on_rising_has_not_settled() -> None:
    assert settled_from(np.arange(LOOKS, dtype=float)) is None


def test_all_of_it_must_have_settled() -> None:
    def course(looks: int, used: Callable[[float], float], waits: Callable[[float], float]) -> LoadCourse:
        """Return the course of a load that is sampled each half second."""
        made = LoadCourse({"cpu": 0.0}, 100.0)
        for k in range(1, looks + 1):
            made.add({"cpu": used(k / 2)}, waits(k / 2), 100 + k / 2)
        return made

    steady = course(20, lambda at: 2 * at, lambda _: 7.0)
    assert (steady.seconds, steady.settled()) == (10, 0)
    assert course(15, lambda at: 2 * at, lambda _: 7.0).settled() is None  # too few samples
    # The amount of data that waits to be written grows for four seconds.
    assert course(40, lambda at: 2 * at, lambda at: min(at, 4.0)).settled() == pytest.approx(4, abs=1)
    # The load uses more and more CPU time.
    assert course(40, lambda at: at**2, lambda _: 7.0).settled() is None
    # A kind of worker that starts later delays the settling.
    late = course(16, lambda at: at, lambda _: 7.0)
    for k in range(17, 80):
        late.add({"cpu": k / 2, "io": float(k - 16)}, 7.0, 100 + k / 2)
    assert late.settled() == pytest.approx(8, abs=1)


def test_a_load_that_dies_meanwhile_is_reported() -> None:
    def check() -> None:
        raise RunError("the load died")

    with pytest.raises(RunError, match="the load died"):
        settle(lambda: {"cpu": 0.0}, check, sample_interval=0.0)


def test_unwritten_data_is_what_waits_for_or_is_under_write_back(tmp_path: Path) -> None:
    assert unwritten(System(tmp_path)) == 0  # the kernel does not report it
    write(tmp_path / "proc/meminfo", "MemTotal: 100 kB\nDirty:   30 kB\nWriteback:  4 kB\nWritebackTmp: 9 kB\n")
    assert unwritten(System(tmp_path)) == 34


@pytest.mark.rights
def test_a_real_load_settles_and_says_when(tmp_path: Path) -> None:
    assert unwritten() >= 0
    with running_surroundings(Conditions(Load({"cpu": 1})), tmp_path) as around:
        seconds = around.steady(sample_interval=0.02)
    achieved = around.achieved()
    assert seconds >= 0
    assert achieved.load is not None
    settling = achieved.load.settling
    assert settling is not None
    assert settling.seconds in (seconds, 2 * seconds)
    said = "settled after" if settling.has_settled else "had not settled after"
    assert said in condition_lines(achieved)[0]
    with running_surroundings(Conditions(), tmp_path) as around:
        assert around.steady() == 0
