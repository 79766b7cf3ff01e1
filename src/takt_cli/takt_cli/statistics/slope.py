# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Slopes over time, with intervals that are valid for correlated samples."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from takt_cli.results.sample_files import Ints
from takt_cli.statistics.confidence import ConfidenceIntervals, ranks, student_half_width
from takt_cli.statistics.correlation import LEAST_INDEPENDENT, inefficiency
from takt_cli.statistics.percentiles import Samples

# A round is cut into at most this many stretches, of at least this many samples.
STRETCHES, _LEAST_SAMPLES = 64, 5
_MINUTE, _US = 60e9, 1000
# For a random walk, the most strongly correlated series, slope times length exceeds the range of the residuals by at
# most this factor with a probability of 95 %.
_RANDOM_WALK_FACTOR = 3.0
# Shorter rounds of cycles, in ns, have no meaningful slope, because warming up looks like one. Shorter runs have no
# drift: a slope per minute would be a large but meaningless figure.
SHORTEST, DRIFT_FROM = 19 * 10**9, 9 * 10**9


class Slope(msgspec.Struct, frozen=True, kw_only=True):
    """A slope in us per minute with its interval; None if the rounds are too short for one.

    `too_short`: there is no interval, because the rounds are too short or too correlated. `n`: the samples; `blocks`:
    the stretches; `minutes`: the length of all rounds. `independent`: the independent values that the slope rests on.
    `spread`: the distance of the quartiles of single values in us, the median over the stretches. `grown`: the slope
    times the length of the longest round, in us.
    """

    slope: float | None = None
    low: float | None = None
    high: float | None = None
    n: int
    blocks: int
    minutes: float
    independent: float | None = None
    spread: float | None = None
    grown: float | None = None
    too_short: bool = True


def slope(rounds: Sequence[tuple[Ints, Samples]], shortest: int = SHORTEST) -> Slope:
    """Return the slope, from the instants and values (both in ns) of each round. There is none if no round is longer
    than `shortest` ns."""
    parts = [stretch_medians(at, value) for at, value in rounds if len(at) and np.ptp(at) >= shortest]
    parts = [each for each in parts if len(each[0]) > 2]
    lengths = [float(np.ptp(minutes)) for minutes, _, _ in parts]
    count, blocks = sum(len(at) for at, _ in rounds), sum(len(minutes) for minutes, _, _ in parts)
    if not parts:
        return Slope(n=count, blocks=blocks, minutes=sum(lengths))
    fit = theil_sen_slope([(minutes, medians) for minutes, medians, _ in parts])
    low, high = fit.ends() or (None, None)
    return Slope(
        slope=float(fit.value),
        low=low,
        high=high,
        n=count,
        blocks=blocks,
        minutes=sum(lengths),
        independent=float(fit.independent_values),
        spread=float(np.median(np.concatenate([apart for _, _, apart in parts]))),
        grown=float(fit.value) * max(lengths),
        too_short=low is None,
    )


def theil_sen_slope(rounds: Sequence[tuple[Samples, Samples]]) -> ConfidenceIntervals:
    """Return the slope by Theil and Sen, the median over all pairs of points of the same round, which is robust against
    outliers caused by the host. It works along the last axis of the values.

    The interval is Sen's, for the effective number of points by the ranks of the residuals (Hamed and Rao). If that is
    too small, it is the interval for a random walk, provided that it does not contain 0 and there are at least seven
    points."""
    pair_slopes = np.sort(np.concatenate([_slopes_of_pairs(x, y) for x, y in rounds], axis=-1), axis=-1)
    value: Samples = np.median(pair_slopes, axis=-1)
    residuals = [y - value[..., None] * x for x, y in rounds]
    inefficiency_of_residuals = inefficiency([ranks(each) for each in residuals], fitted=2)
    sizes = np.array([len(x) for x, _ in rounds], np.float64)
    # One level per round and the slope are fitted parameters.
    independent_values = np.asarray(sizes.sum() / inefficiency_of_residuals) - len(rounds)
    variance = (sizes * (sizes - 1) * (2 * sizes + 5)).sum() / 18
    count = pair_slopes.shape[-1]
    with np.errstate(invalid="ignore"):
        half_width = student_half_width(np.maximum(independent_values, 2)) * np.sqrt(
            variance * inefficiency_of_residuals
        )
    first = np.floor((count - np.minimum(half_width, 2.0 * count)) / 2).astype(np.int64) - 1
    has_interval = (independent_values >= LEAST_INDEPENDENT - 1) & (first >= 0)
    place = np.clip(first, 0, (count - 1) // 2)[..., None]
    low, high = (np.take_along_axis(pair_slopes, each, axis=-1)[..., 0] for each in (place, count - 1 - place))
    walk = _RANDOM_WALK_FACTOR * np.max(
        [np.ptp(each, axis=-1) / np.ptp(x) for each, (x, _) in zip(residuals, rounds, strict=True)], axis=0
    )
    low, high = np.where(has_interval, low, value - walk), np.where(has_interval, high, value + walk)
    return ConfidenceIntervals(
        value,
        low,
        high,
        independent_values,
        has_interval | ((np.abs(value) > walk) & (sizes.max() > LEAST_INDEPENDENT)),
    )


def stretch_medians(instants: Ints, value: Samples, max_stretches: int = STRETCHES) -> tuple[Samples, Samples, Samples]:
    """Return for stretches of equal length, in order: minutes since the first sample, the median in us, and the
    distance of the quartiles in us."""
    if len(instants) == 0:
        return np.empty(0), np.empty(0), np.empty(0)
    time_since_start = instants - instants.min()
    # The median of fewer samples would just be one of them.
    count = max(min(max_stretches, len(instants) // _LEAST_SAMPLES), 1)
    number = time_since_start * count // (int(time_since_start.max()) + 1)
    order = np.argsort(number, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    minutes = np.array([np.mean(time_since_start[group]) for group in groups]) / _MINUTE
    low, middle, high = np.array([np.quantile(value[group], (0.25, 0.5, 0.75)) for group in groups]).T / _US
    return minutes, middle, high - low


def _slopes_of_pairs(x: Samples, y: Samples) -> Samples:
    """Return the slopes between all pairs of points."""
    i, j = np.triu_indices(len(x), 1)
    slopes: Samples = (y[..., j] - y[..., i]) / (x[j] - x[i])
    return slopes
