# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws utilisations with a given sum, uniformly distributed over all vectors within given bounds.

The algorithm is ConvolutionalFixedSum (Griffin and Davis, RTAS 2025), in the library of its authors.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from convolutionalfixedsum import cfsn

# Differences below this count as zero, so that nothing is left to draw.
_NOTHING = 1e-12


def draw_utilisations(
    total: float, lower_bounds: Sequence[float], upper_bounds: Sequence[float], chance: random.Random
) -> list[float]:
    """Draw one value for each pair of bounds, with the sum `total`. Raises a ValueError if the bounds exclude it."""
    slack, room = total - math.fsum(lower_bounds), math.fsum(upper_bounds) - total
    if (
        slack < -_NOTHING
        or room < -_NOTHING
        or any(b > a + _NOTHING for b, a in zip(lower_bounds, upper_bounds, strict=True))
    ):
        raise ValueError(f"no values within the bounds add up to {total:g}")
    if len(lower_bounds) == 1:
        return [total]
    if slack <= _NOTHING:
        return list(lower_bounds)
    if room <= _NOTHING:
        return list(upper_bounds)
    # Scaled to a sum of 1, as the library's tolerances are absolute. Bounds that cannot be reached are left out.
    shares = [(end - begin) / slack for begin, end in zip(lower_bounds, upper_bounds, strict=True)]
    with _seeded(chance):
        drawn_shares = cfsn(
            len(shares), total=1.0, upper_constraints=[2.0 if share >= 1 else share for share in shares]
        )
    return [
        min(begin + float(value) * slack, end)
        for begin, end, value in zip(lower_bounds, upper_bounds, drawn_shares, strict=True)
    ]


@contextmanager
def _seeded(chance: random.Random) -> Iterator[None]:
    """Let the library, which draws from Python's global generator, draw from `chance`, and restore the global one."""
    previous_state = random.getstate()
    random.setstate(chance.getstate())
    try:
        yield
        chance.setstate(random.getstate())
    finally:
        random.setstate(previous_state)
