# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Utilisations that add up: uniformly distributed over all that keep to bounds.

By ConvolutionalFixedSum (Griffin and Davis, RTAS 2025), in its authors' library.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from convolutionalfixedsum import cfsn

# Below this there is nothing to choose.
_NOTHING = 1e-12


def draw_utilisations(
    total: float, lower: Sequence[float], upper: Sequence[float], chance: random.Random
) -> list[float]:
    """One for each pair of bounds, `total` together; ValueError if the bounds leave none."""
    slack, room = total - math.fsum(lower), math.fsum(upper) - total
    if slack < -_NOTHING or room < -_NOTHING or any(b > a + _NOTHING for b, a in zip(lower, upper, strict=True)):
        raise ValueError(f"nothing within the bounds adds up to {total:g}")
    if len(lower) == 1:
        return [total]
    if slack <= _NOTHING:
        return list(lower)
    if room <= _NOTHING:
        return list(upper)
    # In shares of what there is to choose: the library's tolerances are absolute. What cannot bind is no bound.
    shares = [(end - begin) / slack for begin, end in zip(lower, upper, strict=True)]
    with _seeded(chance):
        drawn = cfsn(len(shares), total=1.0, upper_constraints=[2.0 if share >= 1 else share for share in shares])
    return [min(begin + float(value) * slack, end) for begin, end, value in zip(lower, upper, drawn, strict=True)]


@contextmanager
def _seeded(chance: random.Random) -> Iterator[None]:
    """The library draws from Python's global generator: it draws from `chance` here, and nobody else notices."""
    before = random.getstate()
    random.setstate(chance.getstate())
    try:
        yield
        chance.setstate(random.getstate())
    finally:
        random.setstate(before)
