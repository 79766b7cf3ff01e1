# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of whether delays accumulate: against a bound, against the spread of single delays, and against the control."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_series import KINDS, SEED, SERIES, WHITE, Kind, autoregressive, simulate_series

from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE, accumulation
from takt_cli.statistics.confidence import ConfidenceIntervals
from takt_cli.statistics.slope import Slope, slope, theil_sen_slope

STRETCHES = 40
# The distance between the quartiles of single delays in us, relative to the scatter of their stretches.
_APART = 1.3


def slope_figures(
    low: float, width: float = 0.2, grown: float = 50.0, spread: float = 5.0, short: bool = False
) -> Slope:
    """Return a slope as it is in a result."""
    ends = (None, None) if short else (low, low + width)
    return Slope(
        slope=low + width / 2, low=ends[0], high=ends[1], grown=grown, spread=spread, blocks=64, minutes=10.0, n=6400,
        independent=30.0, too_short=short,
    )  # fmt: skip


@settings(deadline=None)
@given(st.floats(-5, 5), st.floats(0, 5))
def test_delays_are_within_the_bound_only_if_their_whole_interval_is(low: float, width: float) -> None:
    outcome = accumulation(slope_figures(low, width), 1, period=40.0).outcome
    assert (outcome == INSIDE) == (low > -1 and low + width < 1)
    # An interval that contains both bounds does not allow a verdict.
    if low < -1 and low + width > 1:
        assert outcome == TOO_SHORT
    if low >= 1 or low + width <= -1:
        assert outcome == OUTSIDE


@pytest.mark.parametrize(
    ("own", "control", "outcome", "words"),
    [
        (slope_figures(10), None, TOO_SHORT, "it grew by 50 us, and there is no control beside it"),
        (slope_figures(-10, grown=-50.0), None, TOO_SHORT, "it grew by 50 us, and there is no control beside it"),
        (slope_figures(3e5, grown=1e5), None, OUTSIDE, "more than a fixed grid permits"),
        # 20 us a minute are 7 us in 20 s, where single delays differ by more.
        (slope_figures(20, grown=7.0, spread=9.0), None, TOO_SHORT, "7 us within a round, .* single delays is 9 us"),
        (slope_figures(-20, grown=-7.0, spread=9.0), None, TOO_SHORT, "7 us within a round"),
        # Growth that the control shows as well is caused by the host.
        (slope_figures(10), slope_figures(9.9), INSIDE, r"against the control in the same run \+0.1 us a minute"),
        (slope_figures(10), slope_figures(0.0), OUTSIDE, r"against the control in the same run \+10 us a minute"),
        (slope_figures(10), slope_figures(8, width=6.0), TOO_SHORT, "against the control in the same run"),
        (slope_figures(10), slope_figures(50.0), TOO_SHORT, r"against the control in the same run -40"),
        (slope_figures(10), slope_figures(0, short=True), TOO_SHORT,
         "the slope of the control in this run is itself too short to judge"),
        # A period is more than any host adds where the grid is kept.
        (slope_figures(3e5, grown=1e5, spread=2e5), slope_figures(0, short=True), OUTSIDE,
         "more than a fixed grid permits"),
        (slope_figures(10, short=True), None, TOO_SHORT, "worth only 30 independent ones"),
        (slope_figures(0.0, width=3.0), None, TOO_SHORT, "partly within 1 us a minute and partly beyond"),
        (slope_figures(-0.1), slope_figures(5), INSIDE, None),
    ],
)  # fmt: skip
def test_growth_counts_only_if_it_shows_within_the_run_and_exceeds_the_control(
    own: Slope, control: Slope | None, outcome: str, words: str | None
) -> None:
    found = accumulation(own, 1.0, control, 1000.0)
    assert found.outcome == outcome
    assert re.search(words, found.why or "") if words else found.why is None


# ---- series of known correlation ------------------------------------------------------------------------------


@lru_cache
def fitted(kind: Kind, seed: int) -> ConfidenceIntervals:
    return theil_sen_slope([(np.arange(STRETCHES) / STRETCHES, simulate_series(kind, STRETCHES, seed))])


def slopes(kind: Kind, seed: int, grown: float, scatter: float) -> list[Slope]:
    """Return the slopes of many series of delays that grow by `grown` us per minute and scatter by `scatter` us."""
    found = fitted(kind, seed)
    moved = (scatter * each + grown for each in (found.value, found.low, found.high))
    return [
        Slope(slope=value, low=low if given else None, high=high if given else None, independent=worth, grown=value,
              too_short=not given, spread=_APART * scatter, blocks=STRETCHES, minutes=1.0, n=STRETCHES)
        for value, low, high, worth, given in zip(*moved, found.independent_values, found.is_given, strict=True)
    ]  # fmt: skip


def outcomes(kind: Kind, own: float, control: float | None, scatter: float = 10.0) -> list[str]:
    """Return the outcomes for series that grow by `own` us per minute, beside a control that grows by `control` us per
    minute or, if that is None, is missing."""
    beside = [None] * SERIES if control is None else slopes(kind, SEED + 1, control, scatter)
    pairs = zip(slopes(kind, SEED, own, scatter), beside, strict=True)
    return [accumulation(mine, 1.0, other, 1e6).outcome for mine, other in pairs]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("both", [0.0, 30.0])
def test_growth_that_the_control_shares_gives_no_verdict(kind: Kind, both: float) -> None:
    wrong = outcomes(kind, both, both).count(OUTSIDE)
    assert wrong <= SERIES / 20, f"{wrong} of {SERIES}, seed {SEED}"


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("grown", [0.0, 30.0, 1e3])
def test_without_a_control_nothing_is_said_to_accumulate(kind: Kind, grown: float) -> None:
    """The growth may be caused by the host, even if the slope is certain."""
    assert OUTSIDE not in outcomes(kind, grown, None)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.ramp], ids=str)
def test_growth_above_the_bound_is_rarely_taken_to_lie_within_it(kind: Kind) -> None:
    wrong = outcomes(kind, 1.2, 0.0, scatter=0.2).count(INSIDE)
    assert wrong <= SERIES / 20, f"{wrong} of {SERIES}, seed {SEED}"


def test_growth_and_its_absence_are_both_detected() -> None:
    assert outcomes(WHITE, 60.0, 0.0).count(OUTSIDE) > 0.9 * SERIES
    # Growth that is impossible on a fixed grid needs no control.
    assert outcomes(WHITE, 3e6, None).count(OUTSIDE) > 0.9 * SERIES
    assert outcomes(Kind("worth 20", worth=20), 200.0, 0.0).count(OUTSIDE) > 0.6 * SERIES
    assert outcomes(WHITE, 0.0, 0.0, scatter=0.2).count(INSIDE) > 0.9 * SERIES


def test_delays_correlated_over_seconds_do_not_count_as_accumulating() -> None:
    """Delays under load that are correlated over seconds do not count as accumulating. With earlier intervals one such
    series in five did."""
    random = np.random.default_rng(SEED)
    at = (np.arange(640) * 20e9 / 640).astype(np.int64)
    # The correlation decreases to about a third (1/e) within 1.5 s.
    slow = autoregressive(random, (60, 640), float(np.exp(-20 / 640 / 1.5)))
    delays = 30_000 + 8_000 * slow + 12_000 * random.exponential(1, slow.shape)
    slopes = [slope([(at, row)]) for row in delays]
    outcomes = [accumulation(own, 1.0, control, 1000.0).outcome for own, control in pairwise(slopes)]
    assert OUTSIDE not in outcomes, f"seed {SEED}"
