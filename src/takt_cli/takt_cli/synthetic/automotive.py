# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Periods and execution times as found in engine control software (Kramer, Ziegenbein, Hamann, WATERS 2015).

As there, a callback consists of runnables: short pieces of work with the same period.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import msgspec
from scipy.optimize import brentq

from takt_cli.spec.packaged import packaged
from takt_cli.spec.units import parse_duration

# The paper gives the minimum, mean and maximum of the average execution times, but not their distribution. This is the
# share of the fitted Weibull distribution above the maximum; values drawn from there are drawn again.
_BEYOND = 0.001


class Kind(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The statistics of runnables with one period: times in microseconds, `best` and `worst` as ranges of factors of
    the average."""

    period_text: str = msgspec.field(name="period")
    share: float
    average: tuple[float, float, float] = msgspec.field(name="average_us")
    best: tuple[float, float]
    worst: tuple[float, float]

    @cached_property
    def period(self) -> int:
        """The period in nanoseconds."""
        return parse_duration(self.period_text)

    @property
    def weibull(self) -> tuple[float, float]:
        """Scale and shape of the distribution of averages above the minimum: with the mean of the table, and a share of
        `_BEYOND` above its maximum."""
        return _weibull(*self.average)


@dataclass(frozen=True)
class Runnable:
    """A runnable's execution times in microseconds."""

    best: float
    average: float
    worst: float

    def cut(self, worst: float) -> Runnable:
        """Return this runnable scaled down to the given worst case."""
        factor = worst / self.worst
        return Runnable(self.best * factor, self.average * factor, worst)


@lru_cache(maxsize=1)
def kinds() -> dict[int, Kind]:
    """Return the statistics of each period, by period in nanoseconds."""
    return {kind.period: kind for kind in packaged(__package__, "automotive", list[Kind])}


def draw_periods(count: int, chance: random.Random) -> list[int]:
    """Draw the periods of `count` callbacks, in nanoseconds, by their shares in the paper."""
    table = list(kinds().values())
    return chance.choices([kind.period for kind in table], [kind.share for kind in table], k=count)


def draw_runnable(kind: Kind, chance: random.Random) -> Runnable:
    """Draw a runnable: the average from the Weibull distribution, best and worst case by uniformly drawn factors."""
    least, _, greatest = kind.average
    scale, shape = kind.weibull
    while True:
        average = least + chance.weibullvariate(scale, shape)
        if average <= greatest:
            break
    return Runnable(average * chance.uniform(*kind.best), average, average * chance.uniform(*kind.worst))


@lru_cache(maxsize=16)
def _weibull(minimum: float, average: float, greatest: float) -> tuple[float, float]:
    """Return the scale and shape of the Weibull distribution above `minimum` with this mean and upper end."""
    mean, end = average - minimum, greatest - minimum

    def scale(shape: float) -> float:
        return mean / math.gamma(1 + 1 / shape)

    def too_much(shape: float) -> float:
        return math.log(-math.log(_BEYOND)) - shape * math.log(end / scale(shape))

    shape = float(brentq(too_much, *_bracket(too_much)))
    return scale(shape), shape


def _bracket(function: Callable[[float], float]) -> tuple[float, float]:
    """Bracket the root: the largest shape at which the function changes its sign. Above it the share beyond only
    decreases."""
    high = 50.0
    low = high
    while function(low) < 0:
        low /= 1.1
    return low, low * 1.1
