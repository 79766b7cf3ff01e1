# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether delays accumulate: their slope over time with an interval that neighbours' likeness does not narrow,
and whether it lies within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples

INSIDE, OUTSIDE, OPEN = "inside", "outside", "inconclusive"
LEVEL = 0.95
BLOCKS, _LEAST_BLOCKS = 64, 12
_DRAWS, _STRETCHES = 500, 8
_MINUTE = 60e9
# A round shorter than this, ns, has a slope that means nothing: what warms up looks like one.
_SHORTEST = 19 * 10**9
_US = 1000


def slope(rounds: Sequence[tuple[Ints, Samples]], seed: int = 0) -> dict[str, Any]:
    """us a minute, from the instants and delays (ns) of each round; None where there is too little to say, as
    in rounds of less than 20 s.

    The samples of a round are cut into blocks of time. The slope is Theil and Sen's, the median over all pairs
    of blocks of one round, of the blocks' medians, which withstands the spikes of a noisy host. What is
    left of it is drawn anew in stretches of an eighth of a round: a host that is slower for some seconds is so
    in a stretch, and widens the interval. `accumulated`: what the slope makes of the time, us.
    """
    parts = [
        blocks(at, delay, max(BLOCKS // max(len(rounds), 1), _LEAST_BLOCKS))
        for at, delay in rounds
        if len(at) and np.ptp(at) >= _SHORTEST
    ]
    parts = [(x, y) for x, y in parts if len(x) >= _LEAST_BLOCKS]
    result: dict[str, Any] = {
        "slope": None, "low": None, "high": None, "n": sum(len(at) for at, _ in rounds),
        "blocks": sum(len(x) for x, _ in parts), "minutes": sum(float(np.ptp(x)) for x, _ in parts),
    }  # fmt: skip
    if not parts:
        return result | {"accumulated": None}
    fitted = float(np.median(np.concatenate([_pairs(x, y[None])[0] for x, y in parts])))
    random = np.random.default_rng(seed)
    drawn = np.median(np.concatenate([_drawn(x, y, fitted, random) for x, y in parts], axis=1), axis=1)
    # There are only so many stretches to draw from.
    reach = float(stats.t.ppf((1 + LEVEL) / 2, _STRETCHES * len(parts) - 2) * drawn.std(ddof=1))
    ends = {"slope": fitted, "low": fitted - reach, "high": fitted + reach}
    return result | ends | {"accumulated": fitted * result["minutes"]}


def equivalent(figures: dict[str, Any], bound: float) -> str:
    """Whether the slope lies within +-`bound`: inside if its whole interval does (two one-sided tests, each
    at 2.5 %), outside if none of it does, else inconclusive."""
    low, high = figures["low"], figures["high"]
    if low is None or high is None:
        return OPEN
    if -bound < low and high < bound:
        return INSIDE
    return OUTSIDE if low >= bound or high <= -bound else OPEN


def blocks(at: Ints, delay: Samples, most: int = BLOCKS) -> tuple[Samples, Samples]:
    """Minutes and medians, us, of stretches of equal length, in order."""
    if len(at) == 0:
        return np.empty(0), np.empty(0)
    since = at - at.min()
    # A median of fewer samples is no more than one of them.
    count = max(min(most, len(at) // 5), 1)
    number = since * count // (int(since.max()) + 1)
    order = np.argsort(number, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    x = np.array([np.mean(since[group]) for group in groups]) / _MINUTE
    return x, np.array([np.median(delay[group]) for group in groups]) / _US


def _pairs(x: Samples, y: Samples) -> Samples:
    """The slopes between all pairs of points, for each row of `y`."""
    i, j = np.triu_indices(len(x), 1)
    slopes: Samples = (y[:, j] - y[:, i]) / (x[j] - x[i])
    return slopes


def _drawn(x: Samples, y: Samples, fitted: float, random: np.random.Generator) -> Samples:
    """The same for each of many draws of stretches of what the line leaves over, round the end."""
    n = len(x)
    left = y - fitted * x
    length = max(n // _STRETCHES, 2)
    starts = random.integers(0, n, (_DRAWS, -(-n // length)))
    places = (starts[:, :, None] + np.arange(length)).reshape(_DRAWS, -1)[:, :n] % n
    return _pairs(x, fitted * x + left[places])
