# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How sure a figure is: intervals of 95 % of shares, percentiles and means of a series whose neighbours are alike,
or that it is too short to judge.

All work along the last axis, in the order of time, so that many series are done at once. How they come about, and
how they are checked: docs/decisions/0067.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from takt_cli.analysis.correlation import LEAST, TOO_SHORT, inefficiency
from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import LEVELS, Samples

LEVEL = 0.95
# A series is cut into so many stretches at most, of so many samples at least.
STRETCHES, LEAST_SAMPLES = 100, 5
# So many samples there must be beyond a percentile before anything is said of how sure it is, and be worth so many
# independent ones; and so many hits, or others, that a share is of.
_LEAST_BEYOND, _LEAST_WORTH, _LEAST_HITS = 10, 2.0, 0.7
# Of what is worth less nothing is given; it is computed all the same, as one of many.
_LEAST_SIZE = 1e-3
# Rounds are few: there correlation cannot be told from chance as surely. They have to be worth so many, and neighbours
# count as alike by so much at least.
_ROUNDS_WORTH, _ROUNDS_DOUBT, _ROUNDS_ALIKE = 5.0, 0.5, 1.5


@dataclass(frozen=True)
class Intervals:
    """Of one series, or of as many as there are: the figure, the ends of its interval, and how many independent
    values it rests on. Where `given` is not true the series is too short to judge, and the ends mean nothing. `size`:
    as how many independent samples a share is known, to how many there are."""

    value: Samples
    low: Samples
    high: Samples
    worth: Samples
    given: npt.NDArray[np.bool_]
    size: Samples | None = None

    def ends(self) -> tuple[float, float] | None:
        """Of one series; None where it is too short to judge."""
        return (float(self.low), float(self.high)) if self.given else None


def student(worth: Samples) -> Samples:
    """How many standard errors an interval reaches, of what is worth so many independent values."""
    return np.asarray(special.stdtrit(np.maximum(worth - 1, 1), (1 + LEVEL) / 2))


# ---- a series -----------------------------------------------------------------------------------------------


def stretches(values: Samples | npt.NDArray[np.bool_]) -> Samples:
    """Means of stretches of equal numbers of samples."""
    n = values.shape[-1]
    count = _count(n)
    begins = np.arange(count) * n // count
    return np.asarray(np.add.reduceat(values.astype(np.float64), begins, axis=-1) / np.diff(begins, append=n))


def _count(n: int) -> int:
    """Of stretches."""
    return max(min(STRETCHES, n // LEAST_SAMPLES), 1)


def share(hits: npt.NDArray[np.bool_]) -> Intervals:
    """Clopper and Pearson's, for as many independent samples as they are worth (Korn and Graubard)."""
    return _of_share(hits.mean(axis=-1), stretches(hits), hits.shape[-1])


def mean_share(hits: Samples, every: Samples) -> Intervals:
    """The mean over groups of the share of hits in each, of numbers by stretch of time and group, the last two axes; of
    groups that have any. As a share, of which each stretch has what it adds to the mean: the jackknife (Tukey)."""

    def of(some: Samples, all_: Samples) -> Samples:
        there = all_ > 0
        shares = np.where(there, some / np.maximum(all_, 1), 0)
        return np.asarray(shares.sum(axis=-1) / np.maximum(there.sum(axis=-1), 1))

    number = hits.shape[-2]
    whole = of(hits.sum(axis=-2), every.sum(axis=-2))
    without = of(hits.sum(axis=-2, keepdims=True) - hits, every.sum(axis=-2, keepdims=True) - every)
    return _of_share(whole, number * whole[..., None] - (number - 1) * without, int(every.sum(axis=(-2, -1)).max()))


def or_none(found: Intervals, n: int) -> Intervals:
    """Of a share of n samples, with an interval also where there is no hit, or nothing else: as if each stretch were
    one sample, for what did not come may come in bursts."""
    assert found.size is not None
    none = _none(found.value)
    low, high = _exact(found.value, np.full(found.value.shape, float(_count(n))))
    return replace(
        found, low=np.where(none, low, found.low), high=np.where(none, high, found.high), given=none | found.given
    )


def share_over_runs(shares: Samples, n: int, in_turns: bool) -> Intervals:
    """The mean of the shares of runs that have n samples in all, as a share: how far the runs are apart, of which the
    farthest counts twice, says as how many independent samples it is known. Where they are not, what there was, or was
    not, may come in bursts: each stretch is one sample. `in_turns`: runs are independent, as those that lay between
    others in an order of chance; else as `mean_of_rounds` has it."""
    runs = shares.shape[-1]
    p = np.asarray(shares.mean(axis=-1))
    alike = np.ones(p.shape) if in_turns else inefficiency([shares], doubt=_ROUNDS_DOUBT)
    worth = np.asarray(runs / alike)
    variance = _variance(shares, worth)
    known = np.ptp(shares, axis=-1) > 0
    size = np.divide(p * (1 - p), variance, out=np.full(p.shape, np.inf), where=known)
    size = np.where(known, size * (student(np.asarray(n)) / student(worth)) ** 2, float(_count(n)))
    size = np.clip(size, _LEAST_SIZE, n)
    low, high = _exact(p, size)
    return Intervals(p, low, high, worth, np.asarray(in_turns | (worth >= _ROUNDS_WORTH)), size / n)


def mean_of_counts(counts: Samples) -> Intervals:
    """Of any number of samples from 0 on: as a share of the largest."""
    most = np.maximum(counts.max(axis=-1), 1)
    n = counts.shape[-1]
    p = counts.mean(axis=-1) / most
    found = or_none(_of_share(p, stretches(counts) / most[..., None], n), n)
    return replace(found, value=most * found.value, low=most * found.low, high=most * found.high, size=None)


def difference_of_shares(theirs: Intervals, ours: Intervals, n_theirs: int, n_ours: int) -> Intervals:
    """Theirs less ours, of so many samples. Where one side has no hit what its hits would be like is known from the
    other."""
    return difference(_beside(theirs, ours, n_theirs), _beside(ours, theirs, n_ours))


def _beside(mine: Intervals, other: Intervals, n: int) -> Intervals:
    assert mine.size is not None
    assert other.size is not None
    likewise = _none(mine.value) & ~_none(other.value)
    size = np.where(likewise, other.size, mine.size)
    low, high = _exact(mine.value, n * size)
    return replace(mine, low=np.where(likewise, low, mine.low), high=np.where(likewise, high, mine.high), size=size)


def _none(share_: Samples) -> npt.NDArray[np.bool_]:
    return np.asarray((share_ <= 0) | (share_ >= 1))


def quantile(samples: Samples, level: float) -> Intervals:
    """Two of the samples: those that the interval of the share below the quantile leads to (Woodruff)."""
    n = samples.shape[-1]
    ordered = np.sort(samples, axis=-1)
    value = ordered[..., rank(level, n)]
    below = samples <= value[..., None]
    size, worth = _size(np.asarray(below.mean(axis=-1)), stretches(below), n)
    ends = _exact(np.full(value.shape, level), size)
    low, high = (_at(ordered, np.ceil(end * n - 1e-9).astype(np.int64) - 1) for end in ends)
    beyond = min(level, 1 - level)
    enough = beyond * n >= _LEAST_BEYOND - 1e-6
    return Intervals(value, low, high, worth, (worth >= LEAST) & (beyond * size >= _LEAST_WORTH) & enough)


def rank(level: float, n: int) -> int:
    """Nearest rank, from 0."""
    return max(int(np.ceil(level * n - 1e-9)) - 1, 0)


def in_time(values: Any, instants: Ints) -> Any:
    """The values in the order of their instants."""
    return values[np.argsort(instants, kind="stable")]


def share_interval(hits: npt.NDArray[np.bool_], instants: Ints) -> tuple[float, float] | str | None:
    """Of the share of `hits`, `TOO_SHORT` where nobody can say; None where there is no hit, or nothing else: that says
    nothing of how sure it is."""
    if not hits.any() or hits.all():
        return None
    return share(in_time(hits, instants)).ends() or TOO_SHORT


def percentile_intervals(samples: Samples, instants: Ints) -> dict[str, Any]:
    """`p50_95`, `p90_95` and `p99_95`: the interval of each, two of the samples; `TOO_SHORT` where nobody can say, None
    where there is no percentile. An end that is infinite is None itself."""
    ordered = in_time(samples, instants)
    result: dict[str, Any] = {}
    for name in ("p50", "p90", "p99"):
        level, least = LEVELS[name]
        if len(samples) < least:
            result[f"{name}_95"] = None
            continue
        ends = quantile(ordered, level).ends()
        result[f"{name}_95"] = TOO_SHORT if ends is None else [end if np.isfinite(end) else None for end in ends]
    return result


def _of_share(p: Samples, series: Samples, n: int) -> Intervals:
    """`series`: what each stretch has of the share."""
    size, worth = _size(p, series, n)
    low, high = _exact(p, size)
    enough = np.minimum(p, 1 - p) * size >= _LEAST_HITS
    return Intervals(np.asarray(p), low, high, worth, (worth >= LEAST) & enough, size / n)


def _size(p: Samples, series: Samples, n: int) -> tuple[Samples, Samples]:
    """As how many independent samples the share is known, and how many stretches that rests on."""
    worth = np.asarray(series.shape[-1] / inefficiency([series]))
    variance = _variance(series, worth)
    size = np.divide(p * (1 - p), variance, out=np.full(p.shape, float(n)), where=variance > 1e-15)
    # The variance itself is known as well as there are stretches.
    size = size * (student(np.asarray(n)) / student(worth)) ** 2
    return np.clip(size, _LEAST_SIZE, n), worth


def _variance(series: Samples, worth: Samples) -> Samples:
    """Of the mean. What came once may come once more, or not at all: the largest counts twice."""
    squares = (series - series.mean(axis=-1, keepdims=True)) ** 2
    each = (squares.sum(axis=-1) + squares.max(axis=-1)) / max(series.shape[-1] - 1, 1)
    return np.asarray(each / np.maximum(worth, _LEAST_SIZE))


def _exact(p: Samples, size: Samples) -> tuple[Samples, Samples]:
    """Both ends of the binomial share, by the beta distribution."""
    some, others = p * size, (1 - p) * size
    low = special.betaincinv(some, others + 1, (1 - LEVEL) / 2)
    high = special.betaincinv(some + 1, others, (1 + LEVEL) / 2)
    # Of none and of all there is one end only.
    return np.asarray(np.where(p > 0, low, 0.0)), np.asarray(np.where(p < 1, high, 1.0))


def _at(ordered: Samples, place: Ints) -> Samples:
    inside = np.clip(place, 0, ordered.shape[-1] - 1)
    return np.asarray(np.take_along_axis(ordered, inside[..., None], axis=-1)[..., 0])


# ---- rounds -------------------------------------------------------------------------------------------------


def median_of_rounds(values: Samples) -> Intervals:
    """Two of the values, by order: the interval of the share below the median, of as many rounds as they are worth.
    Neighbours may be alike: a host is slow for longer than a round."""
    n = values.shape[-1]
    ordered = np.sort(values, axis=-1)
    worth = np.asarray(n / inefficiency([ranks(values)], doubt=_ROUNDS_DOUBT))
    below, _ = _exact(np.full(worth.shape, 0.5), np.clip(worth, _LEAST_SIZE, n / _ROUNDS_ALIKE))
    place = np.clip(np.ceil(below * n).astype(np.int64) - 1, 0, max((n - 1) // 2, 0))
    low, high = _at(ordered, place), _at(ordered, n - 1 - place)
    return Intervals(np.median(values, axis=-1), low, high, worth, worth >= _ROUNDS_WORTH)


def over_rounds(values: npt.ArrayLike) -> dict[str, Any]:
    """The median of one figure for each round, in their order, and its interval; `too_short` where there is none,
    since they are few, or too alike. Whatever disturbs a round stays within it."""
    rounds = np.asarray(values, np.float64)
    found = median_of_rounds(rounds)
    low, high = found.ends() or (None, None)
    return {
        "median": float(found.value), "low": low, "high": high, "rounds": len(rounds), "too_short": not found.given,
    }  # fmt: skip


def ranks(values: Samples) -> Samples:
    """Their places in order of size, from 1, which spikes do not reach beyond; equal ones have the mean of theirs. It
    says what `scipy.stats.rankdata` says, which every command would wait a second for."""
    series = values.reshape(-1, values.shape[-1])
    ordered = np.sort(series, axis=-1)
    below, above = (
        [np.searchsorted(*each, side=side) for each in zip(ordered, series, strict=True)] for side in ("left", "right")
    )
    return np.asarray((np.asarray(below) + above + 1) / 2).reshape(values.shape)


def mean_of_rounds(values: Samples) -> Intervals:
    """Of rounds, or of runs, that followed one another with nothing in between; the farthest counts twice, as few of
    them may have missed what comes once in a while."""
    worth = np.asarray(values.shape[-1] / inefficiency([values], doubt=_ROUNDS_DOUBT))
    value, reach = np.asarray(values.mean(axis=-1)), student(worth) * np.sqrt(_variance(values, worth))
    return Intervals(value, value - reach, value + reach, worth, worth >= _ROUNDS_WORTH)


# ---- two figures --------------------------------------------------------------------------------------------


def difference(theirs: Intervals, ours: Intervals) -> Intervals:
    """Theirs less ours, by the distances to the ends of both (Zou and Donner): these need not be alike on both
    sides. Of what is infinite there is none."""
    with np.errstate(invalid="ignore"):
        value = theirs.value - ours.value
        low = value - np.hypot(theirs.value - theirs.low, ours.high - ours.value)
        high = value + np.hypot(theirs.high - theirs.value, ours.value - ours.low)
    return Intervals(value, low, high, np.minimum(theirs.worth, ours.worth), theirs.given & ours.given)


def ratio(theirs: Intervals, ours: Intervals) -> Intervals:
    """Theirs to ours, both above 0, by the difference of their logarithms."""
    found = difference(_each(np.log, theirs), _each(np.log, ours))
    return _each(np.exp, found)


def _each(function: Callable[[Samples], Samples], found: Intervals) -> Intervals:
    """Of the figure and both ends."""
    return replace(found, value=function(found.value), low=function(found.low), high=function(found.high))
