# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far execution times may grow, or must shrink, before the answer changes.

Source: E. Bini, M. Di Natale, G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems",
Real-Time Systems 39, 2008, by bisection, as S. Punnekkat, R. Davis, A. Burns, "Sensitivity analysis of
real-time task sets", ASIAN 1997: what holds goes on to hold when less is to do, for every analysis here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

# Of the common factor.
RESOLUTION = 10_000


def scaled(wcet: int, steps: int) -> int:
    """By so many steps of 1 / RESOLUTION, rounded up."""
    return -(-wcet * steps // RESOLUTION)


def common_factor(most: Fraction, conditions: Sequence[Callable[[int], bool]]) -> Fraction:
    """The largest factor, in steps of 1 / RESOLUTION, by which all execution times may be multiplied; none above
    `most` is tried. 0 if nothing helps. `conditions`: all that has to hold at so many steps."""
    steps = int(most * RESOLUTION)
    for holds in conditions:
        # What another allows is often enough for this one, and then needs no search.
        if not holds(steps):
            steps = largest(0, steps - 1, _told(holds, steps))
    return Fraction(steps, RESOLUTION)


def _told(holds: Callable[[int], bool], most: int) -> Callable[[int], int | None]:
    return lambda number: most if holds(number) else None


def largest(known: int, most: int, tried: Callable[[int], int | None]) -> int:
    """The largest number up to `most` that holds, and `known` if none above that does: it is known to, or nothing
    helps. `tried`: None for one that does not hold, else one above which none does."""
    # What is known is often all there is.
    guess = known + 1
    first = True
    while known < most:
        above = tried(guess)
        if above is None:
            most = guess - 1
        else:
            known, most = guess, min(most, above)
        # Then what is wanted, or what one says that holds.
        guess = most if first or (above is not None and above == most) else (known + most + 1) // 2
        first = False
    return known
