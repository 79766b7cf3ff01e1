# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether delays accumulate: slopes of known truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter

from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples
from takt_cli.analysis.slope import INSIDE, OPEN, OUTSIDE, equivalent, slope

MINUTE = 60 * 10**9


def walk(seed: int, per_minute: float, minutes: float = 1, memory: float = 0.0) -> tuple[Ints, Samples]:
    """A delay of 5 us that grows by so many us a minute, with noise of 2 us that remembers what it was."""
    random = np.random.default_rng(seed)
    at = np.arange(0, int(minutes * MINUTE), 10**7)
    noise = lfilter([np.sqrt(1 - memory**2)], [1, -memory], random.normal(0, 2000, len(at)))
    return 10**12 + at, 5000 + noise + per_minute * 1000 * at / MINUTE


@pytest.mark.parametrize("truth", [0.4, -250.0])
@pytest.mark.parametrize("memory", [0.0, 0.98])
def test_the_interval_holds_the_truth_nearly_always(truth: float, memory: float) -> None:
    found = [slope([walk(seed, truth, memory=memory)]) for seed in range(16)]
    held = sum(each["low"] <= truth <= each["high"] for each in found)
    assert held >= 12, f"{held} of 16"
    assert found[0]["accumulated"] == pytest.approx(found[0]["slope"] * found[0]["minutes"])


def test_likeness_of_neighbours_widens_the_interval() -> None:
    plain, alike = (slope([walk(1, 0, memory=memory)]) for memory in (0.0, 0.98))
    assert alike["high"] - alike["low"] > 3 * (plain["high"] - plain["low"])


def test_rounds_have_grids_and_levels_of_their_own() -> None:
    one, other = walk(1, 5), walk(2, 5)
    later = other[0] + 10 * MINUTE, other[1] + 1e6
    both = slope([one, later])
    assert both["slope"] == pytest.approx(5, abs=1)
    assert both["minutes"] == pytest.approx(2, rel=0.05)
    assert both["high"] - both["low"] < 2


def test_spikes_are_no_slope() -> None:
    at, delay = walk(1, 0)
    delay[-len(delay) // 5 :: 7] += 5e6
    assert abs(slope([(at, delay)])["slope"]) < 1


def test_the_same_samples_give_the_same_interval_and_few_give_none() -> None:
    assert slope([walk(1, 2)]) == slope([walk(1, 2)])
    at, delay = walk(1, 2)
    nothing = slope([(at[:20], delay[:20]), (at[:0], delay[:0])])
    assert (nothing["slope"], nothing["low"], nothing["n"]) == (None, None, 20)
    assert equivalent(nothing, 1) == OPEN
    assert slope([])["slope"] is None


@settings(deadline=None)
@given(st.floats(-5, 5), st.floats(0, 5))
def test_equivalence_is_no_lack_of_evidence(low: float, width: float) -> None:
    told = equivalent({"low": low, "high": low + width}, 1)
    assert (told == INSIDE) == (low > -1 and low + width < 1)
    # An interval that contains zero and more than the bounds says nothing.
    if low < -1 and low + width > 1:
        assert told == OPEN
    if low >= 1 or low + width <= -1:
        assert told == OUTSIDE


@settings(max_examples=10, deadline=None)
@given(st.floats(-20, 20), st.floats(-1e4, 1e4))
def test_a_shift_is_no_slope_and_a_slope_adds(more: float, shift: float) -> None:
    at, delay = walk(3, 0)
    before = slope([(at, delay)])
    after = slope([(at, delay + shift + more * 1000 * (at - at[0]) / MINUTE)])
    assert after["slope"] == pytest.approx(before["slope"] + more, abs=0.05)
