# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Verdict on whether a delay accumulates: its slope compared with a limit, with the spread of single delays, and with
the slope of the control in the same run."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import ConfidenceIntervals, difference
from takt_cli.statistics.slope import Slope

INSIDE, OUTSIDE = "inside", "outside"
NO_CONTROL = "no control beside it, so the cause is unknown"


class SlopeDifference(msgspec.Struct, frozen=True):
    """A slope minus that of the control, in us per minute, with the ends of its interval."""

    slope: float
    low: float
    high: float


@dataclass(frozen=True)
class Accumulation:
    """The verdict on one delay. `outcome`: inside the limit, outside, or too short to judge; `why`: the reason if it is
    not simply inside. `against`: the slope minus that of the control, in us per minute, with its interval; None if it
    was not compared. `alone`: the delay grew, and only the missing control prevents a verdict, so measuring longer does
    not help."""

    outcome: str
    why: str | None = None
    against: SlopeDifference | None = None
    alone: bool = False


def accumulation(slope: Slope, bound: float, control: Slope | None = None, period: float | None = None) -> Accumulation:
    """Return whether a delay accumulates.

    It is inside if the whole interval of the slope lies within +-`bound` us per minute (two one-sided tests, each at
    2.5 %). It is outside if the whole interval lies beyond, and two further conditions hold: the growth over the
    longest round exceeds the spread of single delays (the distance of their quartiles); and the control, which keeps
    the grid by system calls alone, does not grow in the same way, as that would be due to the host. `period`: if the
    delay grew by more than this, in us, these conditions are not needed; it is the period, by which delays on a fixed
    grid cannot grow."""
    if slope.low is None or slope.high is None or slope.grown is None or slope.spread is None:
        return Accumulation(TOO_SHORT, _little(slope))
    low, high = slope.low, slope.high
    if -bound < low and high < bound:
        return Accumulation(INSIDE)
    if low < bound and high > -bound:
        return Accumulation(TOO_SHORT, f"its interval lies partly within {bound:g} us a minute and partly beyond")
    growth, spread = abs(slope.grown), slope.spread
    if period is not None and growth > period:
        return Accumulation(OUTSIDE, f"it grew by {growth:.3g} us, more than a fixed grid permits")
    if growth <= spread:
        reason = f"it grew by {growth:.3g} us within a round, and the spread of single delays is {spread:.3g} us"
        return Accumulation(TOO_SHORT, reason)
    if control is None:
        return Accumulation(TOO_SHORT, f"it grew by {growth:.3g} us, and there is {NO_CONTROL}", alone=True)
    if control.too_short:
        return Accumulation(TOO_SHORT, "the slope of the control in this run is itself too short to judge")
    excess = difference(_interval(slope), _interval(control))
    against = SlopeDifference(float(excess.value), float(excess.low), float(excess.high))
    excess_text = f"{against.slope:+.3g} us a minute ({against.low:.3g} to {against.high:.3g})"
    if -bound < excess.low and excess.high < bound:
        return Accumulation(INSIDE, f"against the control in the same run {excess_text}", against)
    # The difference must lie on the same side as the slope itself.
    if excess.low >= bound if low >= bound else excess.high <= -bound:
        return Accumulation(
            OUTSIDE, f"it grew by {growth:.3g} us, and against the control in the same run {excess_text}", against
        )
    return Accumulation(TOO_SHORT, f"against the control in the same run {excess_text}", against)


def _little(slope: Slope) -> str:
    if slope.independent is None:
        return "its rounds are too short for a slope"
    independent = max(slope.independent, 0)
    return f"its {slope.blocks} stretches are correlated, and worth only {independent:.2g} independent ones"


def _interval(slope: Slope) -> ConfidenceIntervals:
    value, low, high, independent = (
        np.asarray(each, np.float64) for each in (slope.slope, slope.low, slope.high, slope.independent)
    )
    return ConfidenceIntervals(value, low, high, independent, np.asarray(True))
