# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Confidence intervals of 95 % for shares, percentiles and means of correlated series; or that a series is too short to
judge.

All functions work along the last axis, in the order of time, so that many series are processed at once. The
methods and how they are checked are described in docs/decisions/0067.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from takt_cli.results.sample_files import Ints
from takt_cli.results.structures import extended
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.correlation import LEAST_INDEPENDENT, inefficiency
from takt_cli.statistics.percentiles import LEVELS, Percentiles, Samples, percentiles

LEVEL = 0.95
# A series is cut into at most this many stretches, of at least this many samples.
STRETCHES, LEAST_SAMPLES = 100, 5
# The least that is needed for an interval: samples beyond a percentile, independent samples that these are worth, and
# independent hits of a share (or other samples, if these are fewer).
_LEAST_BEYOND, _LEAST_WORTH, _LEAST_HITS = 10, 2.0, 0.7
# An effective number of samples below the limits is still computed, as it may be one of many series, but not below
# this.
_LEAST_SIZE = 1e-3
# Rounds are few, so their correlation is less certain. They must be worth this many independent ones; the error of the
# correlation is weighted by this; and neighbours count as correlated by this factor at least.
_ROUNDS_WORTH, _ROUNDS_DOUBT, _ROUNDS_ALIKE = 5.0, 0.5, 1.5


# The ends of an interval, None if infinite; TOO_SHORT, or None if there is no figure.
Ends: TypeAlias = tuple[float | None, float | None] | str | None


class PercentilesWithIntervals(Percentiles, frozen=True, kw_only=True, omit_defaults=True):
    """Percentiles with their intervals, whose ends are samples."""

    p50_95: Ends
    p90_95: Ends
    p99_95: Ends


class MedianOfRounds(msgspec.Struct, frozen=True, kw_only=True):
    """The median over rounds and its interval. `too_short`: there is none, since the rounds are too few or too
    correlated."""

    median: float
    low: float | None
    high: float | None
    too_short: bool
    rounds: int


@dataclass(frozen=True)
class ConfidenceIntervals:
    """The figure of one or several series, the ends of its interval, and the number of independent values that it rests
    on (`independent_values`). Where `is_given` is false the series is too short to judge, and the ends are meaningless.
    `size`: the effective number of samples of a share, divided by their actual number."""

    value: Samples
    low: Samples
    high: Samples
    independent_values: Samples
    is_given: npt.NDArray[np.bool_]
    size: Samples | None = None

    def ends(self) -> tuple[float, float] | None:
        """Return the ends of the interval of one series; None if it is too short to judge."""
        return (float(self.low), float(self.high)) if self.is_given else None


def student_half_width(independent_values: Samples) -> Samples:
    """Return the half-width of an interval, in standard errors, for this number of independent values."""
    from scipy import special  # noqa: PLC0415 - as long to load as all the rest

    return np.asarray(special.stdtrit(np.maximum(independent_values - 1, 1), (1 + LEVEL) / 2))


# ---- a series -----------------------------------------------------------------------------------------------


def stretch_means(values: Samples | npt.NDArray[np.bool_]) -> Samples:
    """Return the means of stretches with equal numbers of samples."""
    n = values.shape[-1]
    count = _stretch_count(n)
    begins = np.arange(count) * n // count
    return np.asarray(np.add.reduceat(values.astype(np.float64), begins, axis=-1) / np.diff(begins, append=n))


def _stretch_count(n: int) -> int:
    """Return the number of stretches for n samples."""
    return max(min(STRETCHES, n // LEAST_SAMPLES), 1)


def share(hits: npt.NDArray[np.bool_]) -> ConfidenceIntervals:
    """Return the share of hits with the interval by Clopper and Pearson, for the effective number of samples (Korn and
    Graubard)."""
    return _share_of_series(hits.mean(axis=-1), stretch_means(hits), hits.shape[-1])


def mean_share(hits: Samples, samples: Samples) -> ConfidenceIntervals:
    """Return the mean over groups of the share of hits in each.

    `hits` and `samples` are counts by stretch of time and group (the last two axes); groups without any count in
    `samples` are left out. The interval is that of a share to which each stretch contributes what it adds to the mean:
    the jackknife (Tukey)."""

    def mean_of_groups(hit_counts: Samples, sample_counts: Samples) -> Samples:
        has_samples = sample_counts > 0
        shares = np.where(has_samples, hit_counts / np.maximum(sample_counts, 1), 0)
        return np.asarray(shares.sum(axis=-1) / np.maximum(has_samples.sum(axis=-1), 1))

    number = hits.shape[-2]
    mean_of_all = mean_of_groups(hits.sum(axis=-2), samples.sum(axis=-2))
    means_without_stretch = mean_of_groups(
        hits.sum(axis=-2, keepdims=True) - hits, samples.sum(axis=-2, keepdims=True) - samples
    )
    return _share_of_series(
        mean_of_all,
        number * mean_of_all[..., None] - (number - 1) * means_without_stretch,
        int(samples.sum(axis=(-2, -1)).max()),
    )


def interval_without_hits(interval: ConfidenceIntervals, n: int) -> ConfidenceIntervals:
    """Return the interval of a share of n samples also where no sample, or every one, is a hit: each stretch then
    counts as one sample, since events that did not occur may occur in bursts."""
    assert interval.size is not None
    interval_if_none = _no_or_all_hits(interval.value)
    low, high = _clopper_pearson(interval.value, np.full(interval.value.shape, float(_stretch_count(n))))
    return replace(
        interval,
        low=np.where(interval_if_none, low, interval.low),
        high=np.where(interval_if_none, high, interval.high),
        is_given=interval_if_none | interval.is_given,
    )


def share_over_runs(shares: Samples, n: int, in_turns: bool) -> ConfidenceIntervals:
    """Return the mean of the shares of several runs, which have n samples in all, with the interval of a share.

    The effective number of samples follows from the spread of the runs, in which the largest deviation counts twice. If
    the runs do not differ, each stretch counts as one sample, since events that occurred, or did not, may occur in
    bursts. `in_turns`: the runs are independent, as they lay among others in random order; otherwise they are treated
    as in `mean_of_rounds`."""
    runs = shares.shape[-1]
    p = np.asarray(shares.mean(axis=-1))
    inefficiency_of_runs = np.ones(p.shape) if in_turns else inefficiency([shares], doubt=_ROUNDS_DOUBT)
    effective_runs = np.asarray(runs / inefficiency_of_runs)
    variance = _variance(shares, effective_runs)
    runs_differ = np.ptp(shares, axis=-1) > 0
    size = np.divide(p * (1 - p), variance, out=np.full(p.shape, np.inf), where=runs_differ)
    size = np.where(
        runs_differ,
        size * (student_half_width(np.asarray(n)) / student_half_width(effective_runs)) ** 2,
        float(_stretch_count(n)),
    )
    size = np.clip(size, _LEAST_SIZE, n)
    low, high = _clopper_pearson(p, size)
    return ConfidenceIntervals(
        p, low, high, effective_runs, np.asarray(in_turns | (effective_runs >= _ROUNDS_WORTH)), size / n
    )


def mean_of_counts(counts: Samples) -> ConfidenceIntervals:
    """Return the mean of counts from 0 on, with the interval of a share of the largest count."""
    largest_count = np.maximum(counts.max(axis=-1), 1)
    n = counts.shape[-1]
    p = counts.mean(axis=-1) / largest_count
    interval = interval_without_hits(_share_of_series(p, stretch_means(counts) / largest_count[..., None], n), n)
    return replace(
        interval,
        value=largest_count * interval.value,
        low=largest_count * interval.low,
        high=largest_count * interval.high,
        size=None,
    )


def difference_of_shares(
    second: ConfidenceIntervals, first: ConfidenceIntervals, n_second: int, n_first: int
) -> ConfidenceIntervals:
    """Return the second share minus the first, for these numbers of samples. If one side has no hits, the correlation
    of its hits is taken from the other side."""
    return difference(
        _interval_beside_no_hits(second, first, n_second), _interval_beside_no_hits(first, second, n_first)
    )


def _interval_beside_no_hits(interval: ConfidenceIntervals, other: ConfidenceIntervals, n: int) -> ConfidenceIntervals:
    assert interval.size is not None
    assert other.size is not None
    likewise = _no_or_all_hits(interval.value) & ~_no_or_all_hits(other.value)
    size = np.where(likewise, other.size, interval.size)
    low, high = _clopper_pearson(interval.value, n * size)
    return replace(
        interval, low=np.where(likewise, low, interval.low), high=np.where(likewise, high, interval.high), size=size
    )


def _no_or_all_hits(share_: Samples) -> npt.NDArray[np.bool_]:
    return np.asarray((share_ <= 0) | (share_ >= 1))


def quantile(samples: Samples, level: float) -> ConfidenceIntervals:
    """Return a quantile with two of the samples as its interval: those to which the interval of the share below the
    quantile leads (Woodruff)."""
    n = samples.shape[-1]
    ordered = np.sort(samples, axis=-1)
    value = ordered[..., rank(level, n)]
    is_below = samples <= value[..., None]
    size, effective_size = _effective_size(np.asarray(is_below.mean(axis=-1)), stretch_means(is_below), n)
    ends = _clopper_pearson(np.full(value.shape, level), size)
    low, high = (_at(ordered, np.ceil(end * n - 1e-9).astype(np.int64) - 1) for end in ends)
    tail_share = min(level, 1 - level)
    enough = tail_share * n >= _LEAST_BEYOND - 1e-6
    return ConfidenceIntervals(
        value,
        low,
        high,
        effective_size,
        (effective_size >= LEAST_INDEPENDENT) & (tail_share * size >= _LEAST_WORTH) & enough,
    )


def rank(level: float, n: int) -> int:
    """Return the index of the quantile by nearest rank, from 0."""
    return max(int(np.ceil(level * n - 1e-9)) - 1, 0)


def in_order_of_time(values: Any, instants: Ints) -> Any:
    """Return the values in the order of their instants."""
    return values[np.argsort(instants, kind="stable")]


def share_interval(hits: npt.NDArray[np.bool_], instants: Ints) -> tuple[float, float] | str | None:
    """Return the interval of the share of `hits`; `TOO_SHORT` if it is too short to judge; None if there is no hit, or
    nothing else, which alone gives no interval."""
    if not hits.any() or hits.all():
        return None
    return share(in_order_of_time(hits, instants)).ends() or TOO_SHORT


def percentiles_with_intervals(samples: Samples, instants: Ints) -> PercentilesWithIntervals:
    """Return the percentiles of samples and their intervals, from the samples in the order of their instants."""
    ordered = in_order_of_time(samples, instants)
    intervals = {f"{name}_95": _percentile_interval(ordered, *LEVELS[name]) for name in ("p50", "p90", "p99")}
    return extended(percentiles(samples), PercentilesWithIntervals, **intervals)


def _percentile_interval(ordered: Samples, level: float, least: int) -> Ends:
    if len(ordered) < least:
        return None
    if (ends := quantile(ordered, level).ends()) is None:
        return TOO_SHORT
    low, high = (end if np.isfinite(end) else None for end in ends)
    return low, high


def _share_of_series(p: Samples, series: Samples, n: int) -> ConfidenceIntervals:
    """Return the interval of the share p. `series`: the contribution of each stretch."""
    size, effective_size = _effective_size(p, series, n)
    low, high = _clopper_pearson(p, size)
    enough = np.minimum(p, 1 - p) * size >= _LEAST_HITS
    return ConfidenceIntervals(
        np.asarray(p), low, high, effective_size, (effective_size >= LEAST_INDEPENDENT) & enough, size / n
    )


def _effective_size(p: Samples, series: Samples, n: int) -> tuple[Samples, Samples]:
    """Return the effective number of samples of a share, and the number of independent stretches that it rests on."""
    independent_values = np.asarray(series.shape[-1] / inefficiency([series]))
    variance = _variance(series, independent_values)
    size = np.divide(p * (1 - p), variance, out=np.full(p.shape, float(n)), where=variance > 1e-15)
    # The variance itself is only as certain as the number of stretches permits.
    size = size * (student_half_width(np.asarray(n)) / student_half_width(independent_values)) ** 2
    return np.clip(size, _LEAST_SIZE, n), independent_values


def _variance(series: Samples, independent_values: Samples) -> Samples:
    """Return the variance of the mean. The largest deviation counts twice: a rare event may just as well occur once
    more, or not at all."""
    squares = (series - series.mean(axis=-1, keepdims=True)) ** 2
    each = (squares.sum(axis=-1) + squares.max(axis=-1)) / max(series.shape[-1] - 1, 1)
    return np.asarray(each / np.maximum(independent_values, _LEAST_SIZE))


def _clopper_pearson(p: Samples, size: Samples) -> tuple[Samples, Samples]:
    """Return both ends of the interval of a binomial share, by the beta distribution."""
    from scipy import special  # noqa: PLC0415 - as long to load as all the rest

    hits, others = p * size, (1 - p) * size
    low = special.betaincinv(hits, others + 1, (1 - LEVEL) / 2)
    high = special.betaincinv(hits + 1, others, (1 + LEVEL) / 2)
    # Shares of 0 and 1 have only one end.
    return np.asarray(np.where(p > 0, low, 0.0)), np.asarray(np.where(p < 1, high, 1.0))


def _at(ordered: Samples, index: Ints) -> Samples:
    clipped_index = np.clip(index, 0, ordered.shape[-1] - 1)
    return np.asarray(np.take_along_axis(ordered, clipped_index[..., None], axis=-1)[..., 0])


# ---- rounds -------------------------------------------------------------------------------------------------


def median_of_rounds(values: Samples) -> ConfidenceIntervals:
    """Return the median of rounds with two of the values as its interval, by the interval of the share below the
    median, for the effective number of rounds. Neighbours are correlated: a host may be slow for longer than a
    round."""
    n = values.shape[-1]
    ordered = np.sort(values, axis=-1)
    effective_rounds = np.asarray(n / inefficiency([ranks(values)], doubt=_ROUNDS_DOUBT))
    lower_share, _ = _clopper_pearson(
        np.full(effective_rounds.shape, 0.5), np.clip(effective_rounds, _LEAST_SIZE, n / _ROUNDS_ALIKE)
    )
    place = np.clip(np.ceil(lower_share * n).astype(np.int64) - 1, 0, max((n - 1) // 2, 0))
    low, high = _at(ordered, place), _at(ordered, n - 1 - place)
    return ConfidenceIntervals(
        np.median(values, axis=-1), low, high, effective_rounds, effective_rounds >= _ROUNDS_WORTH
    )


def over_rounds(values: npt.ArrayLike) -> MedianOfRounds:
    """Return the median of a figure of which there is one value per round, in order, and its interval. A disturbance
    affects only its own round."""
    rounds = np.asarray(values, np.float64)
    interval = median_of_rounds(rounds)
    low, high = interval.ends() or (None, None)
    return MedianOfRounds(median=float(interval.value), low=low, high=high, too_short=low is None, rounds=len(rounds))


def ranks(values: Samples) -> Samples:
    """Return the ranks of the values, from 1; equal values have the mean of their ranks. Ranks limit the effect of
    outliers. The result is that of `scipy.stats.rankdata`, whose import would delay every command by a second."""
    series = values.reshape(-1, values.shape[-1])
    ordered = np.sort(series, axis=-1)
    ranks_from_left, ranks_from_right = (
        [np.searchsorted(*each, side=side) for each in zip(ordered, series, strict=True)] for side in ("left", "right")
    )
    return np.asarray((np.asarray(ranks_from_left) + ranks_from_right + 1) / 2).reshape(values.shape)


def mean_of_rounds(values: Samples) -> ConfidenceIntervals:
    """Return the mean of rounds, or of runs, that followed each other directly. The largest deviation counts twice, as
    a few rounds may have missed a rare event."""
    effective_rounds = np.asarray(values.shape[-1] / inefficiency([values], doubt=_ROUNDS_DOUBT))
    value, half_width = (
        np.asarray(values.mean(axis=-1)),
        student_half_width(effective_rounds) * np.sqrt(_variance(values, effective_rounds)),
    )
    return ConfidenceIntervals(
        value, value - half_width, value + half_width, effective_rounds, effective_rounds >= _ROUNDS_WORTH
    )


# ---- two figures --------------------------------------------------------------------------------------------


def difference(second: ConfidenceIntervals, first: ConfidenceIntervals) -> ConfidenceIntervals:
    """Return the second figure minus the first, from the distances of each figure to the ends of its interval (Zou and
    Donner), which need not be symmetric. Infinite figures have no difference."""
    with np.errstate(invalid="ignore"):
        value = second.value - first.value
        low = value - np.hypot(second.value - second.low, first.high - first.value)
        high = value + np.hypot(second.high - second.value, first.value - first.low)
    return ConfidenceIntervals(
        value,
        low,
        high,
        np.minimum(second.independent_values, first.independent_values),
        second.is_given & first.is_given,
    )


def ratio(numerator: ConfidenceIntervals, denominator: ConfidenceIntervals) -> ConfidenceIntervals:
    """Return the ratio of two figures, both positive, by the difference of their logarithms."""
    log_ratio = difference(_apply_to_ends(np.log, numerator), _apply_to_ends(np.log, denominator))
    return _apply_to_ends(np.exp, log_ratio)


def _apply_to_ends(function: Callable[[Samples], Samples], interval: ConfidenceIntervals) -> ConfidenceIntervals:
    """Return the figure and both ends with a function applied to them."""
    return replace(interval, value=function(interval.value), low=function(interval.low), high=function(interval.high))
