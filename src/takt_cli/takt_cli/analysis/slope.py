# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Slopes over time, with intervals that hold where neighbours are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.confidence import Intervals, ranks, student
from takt_cli.analysis.correlation import LEAST, inefficiency
from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples

# Of a round at most so many stretches, of so many samples at least.
STRETCHES, _LEAST_SAMPLES = 64, 5
_MINUTE, _US = 60e9, 1000
# Of a random walk, in which all is alike, slope times length is with 95 % no more than so many times as far as what
# the line leaves over reaches.
_WALK = 3.0
# A shorter round of cycles, ns, has a slope that means nothing: what warms up looks like one. A shorter run has no
# drift: a slope a minute would be a large figure that means nothing.
SHORTEST, DRIFT_FROM = 19 * 10**9, 9 * 10**9


def slope(rounds: Sequence[tuple[Ints, Samples]], shortest: int = SHORTEST) -> dict[str, Any]:
    """us a minute, from the instants and values (ns) of each round; `too_short` where there is no interval: rounds
    that last for less than `shortest`, ns, or in which too much is alike.

    `spread`: how far apart the quartiles of single values are, us, in the middle of the stretches. `grown`: what the
    slope makes of the longest round, us.
    """
    parts = [blocks(at, value) for at, value in rounds if len(at) and np.ptp(at) >= shortest]
    parts = [each for each in parts if len(each[0]) > 2]
    lengths = [float(np.ptp(minutes)) for minutes, _, _ in parts]
    result: dict[str, Any] = {
        "slope": None, "low": None, "high": None, "n": sum(len(at) for at, _ in rounds),
        "blocks": sum(len(minutes) for minutes, _, _ in parts), "minutes": sum(lengths), "independent": None,
        "spread": None, "grown": None, "too_short": True,
    }  # fmt: skip
    if not parts:
        return result
    found = sen([(minutes, medians) for minutes, medians, _ in parts])
    value, worth = float(found.value), float(found.worth)
    low, high = found.ends() or (None, None)
    return result | {
        "slope": value, "low": low, "high": high, "independent": worth,
        "spread": float(np.median(np.concatenate([apart for _, _, apart in parts]))),
        "grown": value * max(lengths), "too_short": low is None,
    }  # fmt: skip


def sen(rounds: Sequence[tuple[Samples, Samples]]) -> Intervals:
    """Theil and Sen's slope, the median over all pairs of points of one round, which withstands the spikes of a noisy
    host; with Sen's interval, for as many points as they are worth (Hamed and Rao): by the ranks of what the line
    leaves over. Where that is too little it is that of a random walk, if there is no 0 in it and there are seven points
    at least. Along the last axis of the values."""
    every = np.sort(np.concatenate([_pairs(x, y) for x, y in rounds], axis=-1), axis=-1)
    value: Samples = np.median(every, axis=-1)
    left = [y - value[..., None] * x for x, y in rounds]
    alike = inefficiency([ranks(each) for each in left], fitted=2)
    sizes = np.array([len(x) for x, _ in rounds], np.float64)
    # One level for each round, and the slope.
    worth = np.asarray(sizes.sum() / alike) - len(rounds)
    variance = (sizes * (sizes - 1) * (2 * sizes + 5)).sum() / 18
    count = every.shape[-1]
    with np.errstate(invalid="ignore"):
        reach = student(np.maximum(worth, 2)) * np.sqrt(variance * alike)
    first = np.floor((count - np.minimum(reach, 2.0 * count)) / 2).astype(np.int64) - 1
    given = (worth >= LEAST - 1) & (first >= 0)
    place = np.clip(first, 0, (count - 1) // 2)[..., None]
    low, high = (np.take_along_axis(every, each, axis=-1)[..., 0] for each in (place, count - 1 - place))
    walk = _WALK * np.max(
        [np.ptp(each, axis=-1) / np.ptp(x) for each, (x, _) in zip(left, rounds, strict=True)], axis=0
    )
    low, high = np.where(given, low, value - walk), np.where(given, high, value + walk)
    return Intervals(value, low, high, worth, given | ((np.abs(value) > walk) & (sizes.max() > LEAST)))


def blocks(at: Ints, value: Samples, most: int = STRETCHES) -> tuple[Samples, Samples, Samples]:
    """Of stretches of equal length, in order: minutes since the first, median, and how far apart the quartiles are,
    us."""
    if len(at) == 0:
        return np.empty(0), np.empty(0), np.empty(0)
    since = at - at.min()
    # A median of fewer samples is no more than one of them.
    count = max(min(most, len(at) // _LEAST_SAMPLES), 1)
    number = since * count // (int(since.max()) + 1)
    order = np.argsort(number, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    minutes = np.array([np.mean(since[group]) for group in groups]) / _MINUTE
    low, middle, high = np.array([np.quantile(value[group], (0.25, 0.5, 0.75)) for group in groups]).T / _US
    return minutes, middle, high - low


def _pairs(x: Samples, y: Samples) -> Samples:
    """The slopes between all pairs of points."""
    i, j = np.triu_indices(len(x), 1)
    slopes: Samples = (y[..., j] - y[..., i]) / (x[j] - x[i])
    return slopes
