# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether a delay accumulates: its slope against bounds, against what the run makes of it, and against the slope of
the control in the same run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.confidence import Intervals, difference
from takt_cli.analysis.correlation import TOO_SHORT

INSIDE, OUTSIDE = "inside", "outside"
NO_CONTROL = "no control beside it, so nobody can say whose that is"
Slope = dict[str, Any]
"""As `slope` gives it."""


@dataclass(frozen=True)
class Accumulation:
    """`outcome`: inside the bound, outside, or too short to judge; `why`: not inside, in words. `against`: the slope
    less that of the control, us a minute, with its ends; None where there is none to hold it against. `alone`: it
    grew, and only for want of a control nobody can say whose that is: to measure longer does not help."""

    outcome: str
    why: str | None = None
    against: dict[str, float] | None = None
    alone: bool = False


def accumulation(own: Slope, bound: float, control: Slope | None = None, most: float | None = None) -> Accumulation:
    """Inside if the whole interval lies within +-`bound` us a minute (two one-sided tests, each at 2.5 %). Outside if
    none of it does, and the run shows it: what the slope comes to in the longest round is more than single delays
    differ by anyway, half of which lie as far apart as their quartiles; and the control, which keeps the grid by
    system calls alone, does not grow alike, for that is the host's; without one nobody can say. `most`: what delays on
    a grid that is kept cannot grow by, us, its period: beyond, neither is asked."""
    if own["too_short"]:
        return Accumulation(TOO_SHORT, _little(own))
    low, high = own["low"], own["high"]
    if -bound < low and high < bound:
        return Accumulation(INSIDE)
    if low < bound and high > -bound:
        return Accumulation(TOO_SHORT, f"its interval is not within {bound:g} us a minute, nor beyond")
    grown, spread = abs(own["grown"]), own["spread"]
    if most is not None and grown > most:
        return Accumulation(OUTSIDE, f"it grew by {grown:.3g} us, more than a grid that is kept allows")
    if grown <= spread:
        return Accumulation(TOO_SHORT, f"{grown:.3g} us within a round, and single delays lie {spread:.3g} us apart")
    if control is None:
        return Accumulation(TOO_SHORT, f"it grew by {grown:.3g} us, and there is {NO_CONTROL}", alone=True)
    if control["too_short"]:
        return Accumulation(TOO_SHORT, "what the control does in this run cannot be told")
    found = difference(_interval(own), _interval(control))
    against = {"slope": float(found.value), "low": float(found.low), "high": float(found.high)}
    told = f"{against['slope']:+.3g} us a minute ({against['low']:.3g} to {against['high']:.3g})"
    if -bound < found.low and found.high < bound:
        return Accumulation(INSIDE, f"against the control in the same run {told}", against)
    # The same way as by itself.
    if found.low >= bound if low >= bound else found.high <= -bound:
        return Accumulation(
            OUTSIDE, f"it grew by {grown:.3g} us, and against the control in the same run {told}", against
        )
    return Accumulation(TOO_SHORT, f"against the control in the same run {told}", against)


def _little(own: Slope) -> str:
    if own["slope"] is None:
        return "its rounds are too short for a slope"
    return f"of {own['blocks']} stretches, which are alike, only {max(own['independent'], 0):.2g} count as independent"


def _interval(slope: Slope) -> Intervals:
    value, low, high = (np.asarray(slope[name]) for name in ("slope", "low", "high"))
    return Intervals(value, low, high, np.asarray(slope["independent"]), np.asarray(True))
