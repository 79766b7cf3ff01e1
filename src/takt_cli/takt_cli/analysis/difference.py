# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far apart two figures are, with a 95 % interval, and whether that could be chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from takt_cli.analysis.confidence import Intervals, difference, mean_of_rounds, student
from takt_cli.analysis.percentiles import Samples


@dataclass(frozen=True)
class Difference:
    """The interval, and what it was made from: `spread` is the standard error of `middle`."""

    low: float
    high: float
    middle: float
    spread: float
    freedom: float

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
    value is missing or infinite. Of runs that took turns, or lay between others in an order of chance: what made
    neighbours alike is then in their scatter."""
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return None
    middle = float(theirs.mean() - ours.mean())
    if paired:
        spread = float((theirs - ours).std(ddof=1)) / math.sqrt(len(ours))
        freedom: float = len(ours) - 1
    else:
        parts = [float(side.var(ddof=1)) / len(side) for side in (ours, theirs)]
        spread = math.sqrt(sum(parts))
        bottom = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (ours, theirs), strict=True))
        freedom = sum(parts) ** 2 / bottom if bottom > 0 else 1
    reach = float(student(np.asarray(freedom + 1))) * spread
    return Difference(middle - reach, middle + reach, middle, spread, freedom)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's step-down: each as it is when all of them count together."""
    order = sorted(range(len(probabilities)), key=lambda i: probabilities[i])
    result = list(probabilities)
    highest = 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - place) * probabilities[i]))
        result[i] = highest
    return result
