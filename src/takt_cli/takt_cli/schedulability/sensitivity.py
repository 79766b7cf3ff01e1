# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far execution times may grow, or must shrink, before the answer changes.

Source: E. Bini, M. Di Natale, G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems",
Real-Time Systems 39, 2008, by bisection, as S. Punnekkat, R. Davis, A. Burns, "Sensitivity analysis of
real-time task sets", ASIAN 1997: what holds goes on to hold when less is to do, for every analysis here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

# Of the common factor.
RESOLUTION = 10_000

Conditions = Sequence[Callable[[list[int]], bool]]
"""All that has to hold for some WCETs; each that does goes on to when less is to do."""


def common_factor(wcets: list[int], most: Fraction, conditions: Conditions) -> Fraction:
    """The largest factor, in steps of 1 / RESOLUTION, by which all may be multiplied; none above `most`
    is tried. 0 if nothing helps."""

    def scaled(steps: int) -> list[int]:
        return [math.ceil(wcet * Fraction(steps, RESOLUTION)) for wcet in wcets]

    return Fraction(_most(math.floor(most * RESOLUTION), scaled, conditions), RESOLUTION)


def largest_wcet(wcets: list[int], index: int, most: int, conditions: Conditions) -> int | None:
    """The longest that jobs of one task may take while all others take what they do, at most `most`; None
    if nothing holds even if they take no time at all."""

    def with_one(wcet: int) -> list[int]:
        return [*wcets[:index], wcet, *wcets[index + 1 :]]

    if not all(holds(with_one(0)) for holds in conditions):
        return None
    return _most(most, with_one, conditions)


def _most(most: int, wcets: Callable[[int], list[int]], conditions: Conditions) -> int:
    """The largest number up to `most` whose WCETs hold; 0 need not."""
    for holds in conditions:
        # What another allows is often enough for this one, and then needs no search.
        if holds(wcets(most)):
            continue
        low, high = 0, max(0, most - 1)
        while low < high:
            middle = (low + high + 1) // 2
            if holds(wcets(middle)):
                low = middle
            else:
                high = middle - 1
        most = low
    return most
