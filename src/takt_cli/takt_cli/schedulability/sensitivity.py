# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sensitivity: how much longer execution times may get, or how much shorter they must be, before the answer changes.

Source: E. Bini, M. Di Natale, G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems",
Real-Time Systems 39, 2008, by bisection, as S. Punnekkat, R. Davis, A. Burns, "Sensitivity analysis of
real-time task sets", ASIAN 1997. Bisection is valid for every analysis here: a task set that holds also holds
with less work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

# The common factor is searched in steps of 1 / RESOLUTION.
RESOLUTION = 10_000


def scaled_wcet(wcet: int, steps: int) -> int:
    """Return `wcet` multiplied by steps / RESOLUTION, rounded up."""
    return -(-wcet * steps // RESOLUTION)


def common_factor(most: Fraction, conditions: Sequence[Callable[[int], bool]]) -> Fraction:
    """Return the largest factor, in steps of 1 / RESOLUTION and at most `most`, by which all execution times may be
    multiplied; 0 if no factor helps. `conditions`: functions of the number of steps, all of which must hold."""
    steps = int(most * RESOLUTION)
    for holds in conditions:
        # The limit of an earlier condition often satisfies this one as well, which then needs no search.
        if not holds(steps):
            steps = largest_that_holds(0, steps - 1, _as_trial(holds, steps))
    return Fraction(steps, RESOLUTION)


def _as_trial(holds: Callable[[int], bool], most: int) -> Callable[[int], int | None]:
    return lambda number: most if holds(number) else None


def largest_that_holds(known_to_hold: int, most: int, try_value: Callable[[int], int | None]) -> int:
    """Return the largest number up to `most` that holds, or `known_to_hold` if no number above it does.

    `known_to_hold` holds, or stands for "none". `try_value`: a function that returns None for a number that
    does not hold, and otherwise a number above which none does."""
    # Often nothing above `known` holds.
    guess = known_to_hold + 1
    first = True
    while known_to_hold < most:
        upper_limit = try_value(guess)
        if upper_limit is None:
            most = guess - 1
        else:
            known_to_hold, most = guess, min(most, upper_limit)
        # Next the limit itself at the first time, or if the last result says that it may hold; else the middle.
        guess = most if first or (upper_limit is not None and upper_limit == most) else (known_to_hold + most + 1) // 2
        first = False
    return known_to_hold
