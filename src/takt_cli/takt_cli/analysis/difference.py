# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far apart two figures are, with a 95 % interval, and whether that could be chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from takt_cli.analysis.confidence import (
    Intervals,
    difference,
    difference_of_shares,
    mean_of_rounds,
    share_over_runs,
    student,
)
from takt_cli.analysis.percentiles import Samples

# As a share of a difference, what is left of it by rounding.
_ROUNDED = 1e-9


@dataclass(frozen=True)
class Difference:
    """The interval, and what it was made from: `spread` is the standard error of `middle`."""

    low: float
    high: float
    middle: float
    spread: float
    freedom: float

    @property
    def certain(self) -> bool:
        """Whether there is a difference, and nothing that scatters: of a few runs that is no proof."""
        return self.spread == 0 and self.middle != 0

    def times(self, factor: float) -> Difference:
        low, high, middle, spread = (factor * each for each in (self.low, self.high, self.middle, self.spread))
        return Difference(low, high, middle, spread, self.freedom)

    def probability(self, margin: float) -> float:
        """To see such a difference, or more, where it is `margin` at most; by Student's t."""
        beyond = abs(self.middle) - margin
        if beyond <= 0:
            return 1.0
        return float(2 * special.stdtr(self.freedom, -beyond / self.spread)) if self.spread > 0 else 0.0


def of_interval(found: Intervals) -> Difference | None:
    """Of a difference that is given; None if any end is infinite."""
    low, high, middle = float(found.low), float(found.high), float(found.value)
    if not np.isfinite([low, high, middle]).all():
        return None
    # On the side of none, which probabilities are asked on.
    reach = middle - low if middle > 0 else high - middle
    return Difference(low, high, middle, reach / float(student(found.worth)), max(float(found.worth) - 1, 1))


def of_sequences(ours: Samples, theirs: Samples) -> Difference | None:
    """Of rounds, or runs, that followed one another with nothing in between, and may be alike therefore, theirs
    behind ours; None if one is missing or infinite, or either is too short to judge."""
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return None
    one, other = mean_of_rounds(ours), mean_of_rounds(theirs)
    return of_interval(difference(other, one)) if one.given and other.given else None


def of_values(ours: Samples, theirs: Samples, paired: bool) -> Difference | None:
    """The mean of theirs less that of ours, at least two each, by Student's t: paired, or as Welch has it. None if a
    value is missing or infinite. Pairs that differ by the same to the last digit do so by chance, and count as none.
    Of runs that took turns, or lay between others in an order of chance: what made
    neighbours alike is then in their scatter."""
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return None
    middle = float(theirs.mean() - ours.mean())
    if paired and np.ptp(theirs - ours) > _ROUNDED * abs(middle):
        spread = float((theirs - ours).std(ddof=1)) / math.sqrt(len(ours))
        freedom: float = len(ours) - 1
    else:
        parts = [float(side.var(ddof=1)) / len(side) for side in (ours, theirs)]
        spread = math.sqrt(sum(parts))
        bottom = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (ours, theirs), strict=True))
        freedom = sum(parts) ** 2 / bottom if bottom > 0 else 1
    reach = float(student(np.asarray(freedom + 1))) * spread
    return Difference(middle - reach, middle + reach, middle, spread, freedom)


def seldom(shares: Samples) -> bool:
    """Whether of runs, of which these are the shares, one has no hit, or nothing else, or all are alike: then they seem
    to scatter less than they do."""
    return bool(np.ptp(shares) == 0 or shares.min() <= 0 or shares.max() == 1)


def of_seldom(ours: Samples, theirs: Samples, of: tuple[int, int], in_turns: bool) -> Difference | None:
    """The mean of the shares of their runs less that of ours, of so many samples in all, where one side has few hits
    at most: 0 less 0 is not known for sure. None where runs that followed one another are too few or too alike."""
    one, other = (share_over_runs(side, n, in_turns) for side, n in zip((ours, theirs), of, strict=True))
    found = difference_of_shares(other, one, of[1], of[0])
    return of_interval(found) if found.given else None


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's step-down: each as it is when all of them count together."""
    order = sorted(range(len(probabilities)), key=lambda i: probabilities[i])
    result = list(probabilities)
    highest = 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - place) * probabilities[i]))
        result[i] = highest
    return result
