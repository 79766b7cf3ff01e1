# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Periods and execution times as they were counted in engine control software (WATERS 2015).

A callback is made of runnables, as there: short pieces of work with the same period.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML
from scipy.optimize import brentq

from takt_cli.spec.units import parse_duration

# The paper tells least, average and greatest of the average execution times. Ours is how much of their
# distribution lies beyond the greatest; what is drawn from there is drawn again.
_BEYOND = 0.001


@dataclass(frozen=True)
class Kind:
    """Runnables of one period; times in microseconds, factors of the average."""

    period: int
    share: float
    average: tuple[float, float, float]
    best: tuple[float, float]
    worst: tuple[float, float]

    @property
    def weibull(self) -> tuple[float, float]:
        """Scale and shape, from the least average on: with the mean of the table, and `_BEYOND` above its greatest."""
        return _weibull(*self.average)


@dataclass(frozen=True)
class Runnable:
    """Execution times in microseconds."""

    best: float
    average: float
    worst: float

    def cut(self, worst: float) -> Runnable:
        """The same where there is only so much room for its worst case."""
        factor = worst / self.worst
        return Runnable(self.best * factor, self.average * factor, worst)


@lru_cache(maxsize=1)
def kinds() -> dict[int, Kind]:
    """By period in nanoseconds."""
    text = files("takt_cli").joinpath("synthetic/automotive.yaml").read_text("utf-8")
    rows: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(text)
    found = [
        Kind(
            parse_duration(row["period"]),
            float(row["share"]),
            tuple(row["average_us"]),
            tuple(row["best"]),
            tuple(row["worst"]),
        )
        for row in rows
    ]
    return {kind.period: kind for kind in found}


def draw_periods(count: int, chance: random.Random) -> list[int]:
    table = list(kinds().values())
    return chance.choices([kind.period for kind in table], [kind.share for kind in table], k=count)


def draw_runnable(kind: Kind, chance: random.Random) -> Runnable:
    """The average by a Weibull distribution, best and worst case by factors that are uniform between theirs."""
    least, _, greatest = kind.average
    scale, shape = kind.weibull
    while True:
        average = least + chance.weibullvariate(scale, shape)
        if average <= greatest:
            break
    return Runnable(average * chance.uniform(*kind.best), average, average * chance.uniform(*kind.worst))


@lru_cache(maxsize=16)
def _weibull(least: float, average: float, greatest: float) -> tuple[float, float]:
    mean, end = average - least, greatest - least

    def scale(shape: float) -> float:
        return mean / math.gamma(1 + 1 / shape)

    def too_much(shape: float) -> float:
        return math.log(-math.log(_BEYOND)) - shape * math.log(end / scale(shape))

    shape = float(brentq(too_much, *_bracket(too_much)))
    return scale(shape), shape


def _bracket(function: Any) -> tuple[float, float]:
    """The shape is the only one above which less and less lies beyond."""
    high = 50.0
    low = high
    while function(low) < 0:
        low /= 1.1
    return low, low * 1.1
