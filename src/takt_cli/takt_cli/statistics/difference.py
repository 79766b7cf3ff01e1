# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The difference of two figures with its 95 % interval, and the probability that it is due to chance."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from takt_cli.statistics.confidence import (
    LEVEL,
    ConfidenceIntervals,
    difference,
    difference_of_shares,
    mean_of_rounds,
    share_over_runs,
    student_half_width,
)
from takt_cli.statistics.percentiles import Samples

# Relative differences up to this are attributed to rounding.
_ROUNDED = 1e-9


@dataclass(frozen=True)
class Difference:
    """The interval of a difference, and what it was computed from: `middle` is the difference, `spread` its standard
    error, `freedom` the degrees of freedom."""

    low: float
    high: float
    middle: float
    spread: float
    freedom: float

    @property
    def certain(self) -> bool:
        """True if there is a difference but no spread at all, which with few runs proves nothing."""
        return self.spread == 0 and self.middle != 0

    def times(self, factor: float) -> Difference:
        """Return the difference multiplied by a positive factor."""
        low, high, middle, spread = (factor * each for each in (self.low, self.high, self.middle, self.spread))
        return Difference(low, high, middle, spread, self.freedom)

    def probability(self, margin: float) -> float:
        """Return the probability, by Student's t, of such a difference or a larger one if the true one is at most
        `margin`."""
        distance_beyond_margin = abs(self.middle) - margin
        if distance_beyond_margin <= 0:
            return 1.0
        if self.spread <= 0:
            return 0.0
        from scipy import special  # noqa: PLC0415 - as long to load as all the rest

        return float(2 * special.stdtr(self.freedom, -distance_beyond_margin / self.spread))


def difference_from_interval(interval: ConfidenceIntervals) -> Difference | None:
    """Return a difference that is given as an interval; None if an end is infinite."""
    low, high, middle = float(interval.low), float(interval.high), float(interval.value)
    if not np.isfinite([low, high, middle]).all():
        return None
    # The half-width towards zero, because probabilities are computed for that side.
    half_width = middle - low if middle > 0 else high - middle
    return Difference(
        low,
        high,
        middle,
        half_width / float(student_half_width(interval.independent_values)),
        max(float(interval.independent_values) - 1, 1),
    )


def difference_of_sequences(first: Samples, second: Samples) -> Difference | None:
    """Return the difference of two sequences of rounds or runs, `second` after `first`, that followed each other
    directly and may therefore be correlated. None if a value is missing or infinite, or if either is too short to
    judge."""
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return None
    mean_of_first, mean_of_second = mean_of_rounds(first), mean_of_rounds(second)
    return (
        difference_from_interval(difference(mean_of_second, mean_of_first))
        if mean_of_first.is_given and mean_of_second.is_given
        else None
    )


def difference_of_means(first: Samples, second: Samples, paired: bool) -> Difference | None:
    """Return the mean of `second` minus that of `first`, with at least two values each, by Student's t: paired, or by
    Welch's test. None if a value is missing or infinite.

    This is for runs that took turns or lay among others in random order, so that correlation of neighbours becomes part
    of their spread. Pairs whose differences are all equal to the last digit are treated as unpaired, since this must be
    a coincidence."""
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return None
    from scipy import stats  # noqa: PLC0415 - longer to load than all the rest

    middle = float(second.mean() - first.mean())
    with warnings.catch_warnings():
        # Equal values have no spread; the result says so.
        warnings.simplefilter("ignore", RuntimeWarning)
        if paired and np.ptp(second - first) > _ROUNDED * abs(middle):
            test = stats.ttest_rel(second, first)
        else:
            test = stats.ttest_ind(second, first, equal_var=False)
        low, high = test.confidence_interval(LEVEL)
    interval = ConfidenceIntervals(*map(np.asarray, (middle, low, high, test.df + 1, True)))
    return difference_from_interval(interval)


def has_few_hits(shares: Samples) -> bool:
    """Return whether one of the shares of runs is 0 or 1, or all are equal: then their spread seems smaller than it
    is."""
    return bool(np.ptp(shares) == 0 or shares.min() <= 0 or shares.max() == 1)


def difference_of_rare_shares(
    first: Samples, second: Samples, job_counts: tuple[int, int], in_turns: bool
) -> Difference | None:
    """Return the mean of the shares of their runs minus that of ours, where one side has few hits or none.
    `job_counts`: the number of samples of each side. Even a difference of 0 between shares of 0 has an interval. None
    if runs that followed each other directly are too few or too correlated."""
    share_of_first, share_of_second = (
        share_over_runs(side, n, in_turns) for side, n in zip((first, second), job_counts, strict=True)
    )
    interval = difference_of_shares(share_of_second, share_of_first, job_counts[1], job_counts[0])
    return difference_from_interval(interval) if interval.is_given else None


def holm_correction(probabilities: Sequence[float]) -> list[float]:
    """Return the probabilities corrected for their number by Holm's step-down method."""
    order = sorted(range(len(probabilities)), key=lambda i: probabilities[i])
    result = list(probabilities)
    highest = 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - place) * probabilities[i]))
        result[i] = highest
    return result
