# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of slopes with known true values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter

from takt_cli.results.sample_files import Ints
from takt_cli.statistics.percentiles import Samples
from takt_cli.statistics.slope import slope as slope_of_rounds

MINUTE = 60 * 10**9


def slope(rounds: Any) -> Any:
    """Return the slope; its figures may be None, and are not here."""
    return slope_of_rounds(rounds)


def walk(seed: int, per_minute: float, minutes: float = 1, memory: float = 0.0) -> tuple[Ints, Samples]:
    """Return instants and delays in ns: 5 us, growing by `per_minute` us per minute, with noise of 2 us whose
    neighbours have the correlation `memory`."""
    random = np.random.default_rng(seed)
    at = np.arange(0, int(minutes * MINUTE), 10**7)
    noise = lfilter([np.sqrt(1 - memory**2)], [1, -memory], random.normal(0, 2000, len(at)))
    return 10**12 + at, 5000 + noise + per_minute * 1000 * at / MINUTE


@pytest.mark.parametrize("truth", [0.4, -250.0])
@pytest.mark.parametrize("memory", [0.0, 0.98])
def test_the_interval_holds_the_truth_nearly_always(truth: float, memory: float) -> None:
    found = [slope([walk(seed, truth, memory=memory)]) for seed in range(16)]
    given = [each for each in found if not each.too_short]
    held = sum(each.low <= truth <= each.high for each in given)
    assert held >= 12, f"{held} of {len(given)}"
    assert found[0].grown == pytest.approx(found[0].slope * found[0].minutes)


def test_correlation_of_neighbours_widens_the_interval() -> None:
    plain, alike = ([slope([walk(seed, 0, memory=memory)]) for seed in range(2, 6)] for memory in (0.0, 0.98))
    widths = [np.median([each.high - each.low for each in some]) for some in (plain, alike)]
    assert widths[1] > 3 * widths[0]


def test_rounds_have_grids_and_levels_of_their_own() -> None:
    one, other = walk(1, 5), walk(2, 5)
    later = other[0] + 10 * MINUTE, other[1] + 1e6
    both = slope([one, later])
    assert both.slope == pytest.approx(5, abs=1)
    assert both.minutes == pytest.approx(2, rel=0.05)
    assert both.high - both.low < 2


def test_spikes_are_no_slope() -> None:
    at, delay = walk(1, 0)
    delay[-len(delay) // 5 :: 7] += 5e6
    assert abs(slope([(at, delay)]).slope) < 1


def test_the_same_samples_give_the_same_interval_and_few_give_none() -> None:
    assert slope([walk(1, 2)]) == slope([walk(1, 2)])
    at, delay = walk(1, 2)
    nothing = slope([(at[:20], delay[:20]), (at[:0], delay[:0])])
    assert (nothing.slope, nothing.low, nothing.n) == (None, None, 20)
    assert nothing.too_short
    assert slope([]).slope is None


def test_steady_growth_is_found_despite_strong_correlation() -> None:
    random = np.random.default_rng(1)
    at = 10**12 + np.arange(0, MINUTE, 10**8)
    walks = 100 * np.cumsum(random.standard_normal((200, len(at))), axis=1)
    found = [slope([(at, row)]) for row in walks]
    misled = sum(not each.too_short and not each.low <= 0 <= each.high for each in found)
    assert misled <= 20, f"{misled} of 200"
    assert sum(each.too_short for each in found) > 150
    grown = slope([(at, walks[0] + 1e6 * (at - at[0]) / MINUTE)])
    assert 500 < grown.low < grown.high < 1500


@settings(max_examples=10, deadline=None)
@given(st.floats(-20, 20), st.floats(-1e4, 1e4))
def test_a_shift_does_not_change_the_slope_and_an_added_slope_does(more: float, shift: float) -> None:
    at, delay = walk(3, 0)
    before = slope([(at, delay)])
    after = slope([(at, delay + shift + more * 1000 * (at - at[0]) / MINUTE)])
    assert after.slope == pytest.approx(before.slope + more, abs=0.05)
