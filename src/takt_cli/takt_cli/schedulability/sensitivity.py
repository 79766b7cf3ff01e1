# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far execution times may grow, or must shrink, before the answer changes.

Source: E. Bini, M. Di Natale, G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems",
Real-Time Systems 39, 2008, by bisection, as S. Punnekkat, R. Davis, A. Burns, "Sensitivity analysis of
real-time task sets", ASIAN 1997: what holds goes on to hold when less is to do, for every analysis here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

# Of the common factor.
RESOLUTION = 10_000

Holds = Callable[[list[int]], bool]


def common_factor(wcets: list[int], most: Fraction, holds: Holds) -> Fraction:
    """The largest factor, in steps of 1 / RESOLUTION, by which all may be multiplied; none above `most`
    is tried. 0 if nothing helps."""

    def scaled(steps: int) -> list[int]:
        return [math.ceil(wcet * Fraction(steps, RESOLUTION)) for wcet in wcets]

    return Fraction(_most(math.floor(most * RESOLUTION), lambda steps: holds(scaled(steps))), RESOLUTION)


def largest_wcet(wcets: list[int], index: int, most: int, holds: Holds) -> int | None:
    """The longest that jobs of one task may take while all others take what they do, at most `most`; None
    if nothing holds even if they take no time at all."""

    def with_one(wcet: int) -> list[int]:
        return [*wcets[:index], wcet, *wcets[index + 1 :]]

    if not holds(with_one(0)):
        return None
    return _most(most, lambda wcet: holds(with_one(wcet)))


def _most(high: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `high` that holds; 0 needs none to."""
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
