# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Simulated series with known true values and correlation, many of a kind at once, to check intervals with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter
from scipy.special import ndtr

Floats = npt.NDArray[np.float64]
Hits = npt.NDArray[np.bool_]
SERIES = 1000
SEED = 20261


@dataclass(frozen=True)
class Kind:
    """A kind of series. Its values are normally distributed with variance 1 unless a field says otherwise.

    `worth`: the number of independent values that the series is worth, as an autoregression; 0: all are independent.
    `memory`: instead of `worth`, the correlation of neighbours. `noise`: the share of the variance that is white noise
    on top. `heavy`: if not 0, values are lognormal with this parameter. `bursts`: the mean number of bursts in a series
    (with `of_each`: per value); each is a `length`th of the series long, and values in it are higher by `height`.
    `ramp`: values begin lower by `height` and rise to their usual level over this share of the series.
    """

    name: str
    worth: int = 0
    memory: float = 0.0
    noise: float = 0.0
    heavy: float = 0.0
    bursts: float = 0.0
    of_each: bool = False
    length: int = 100
    ramp: float = 0.0
    height: float = 8.0

    def __str__(self) -> str:
        return self.name

    def simulate(self, n: int, count: int = SERIES, seed: int = SEED) -> Floats:
        """Return `count` series of `n` values, one per row."""
        random = np.random.default_rng([seed, n, count])
        found = autoregressive(random, (count, n), self._remembered(n))
        if self.noise:
            found = np.sqrt(1 - self.noise) * found + np.sqrt(self.noise) * random.standard_normal((count, n))
        if self.heavy:
            found = np.exp(self.heavy * found)
        if self.bursts:
            found = found + self.height * self._in_bursts(random, count, n)
        return found - self._lower(n)

    def _remembered(self, n: int) -> float:
        if self.memory:
            return self.memory
        each = n / self.worth if self.worth else 1.0
        return max((each - 1) / (each + 1), 0.0)

    def above(self, limit: float, n: int) -> float:
        """Return the probability that a value is above the limit, averaged over the series."""
        if self.heavy:
            return float(ndtr(-np.log(limit) / self.heavy)) if limit > 0 else 1.0
        within = 1 - (1 - self._begins(n)) ** self._burst(n)
        plain = ndtr(-limit - self._lower(n)).mean()
        return float((1 - within) * plain + within * ndtr(self.height - limit))

    @cache  # noqa: B019 - of a few kinds
    def quantile(self, level: float, n: int) -> float:
        low, high = -50.0, 1e4
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.above(middle, n) > 1 - level else (low, middle)
        return (low + high) / 2

    def _lower(self, n: int) -> Floats:
        if not self.ramp:
            return np.zeros(n)
        return self.height * np.clip(1 - np.arange(n) / (self.ramp * n), 0, None)

    def _begins(self, n: int) -> float:
        return self.bursts if self.of_each else self.bursts / n

    def _burst(self, n: int) -> int:
        return max(n // self.length, 1)

    def _in_bursts(self, random: np.random.Generator, count: int, n: int) -> Hits:
        """Return a mask of the values in bursts. Bursts may begin at any time, also before the series begins."""
        length = self._burst(n)
        begins = random.random((count, n + length)) < self._begins(n)
        sums = np.cumsum(begins, axis=1)
        inside: Hits = sums[:, length:] > sums[:, :-length]
        return inside


def autoregressive(random: np.random.Generator, shape: tuple[int, ...], memory: float) -> Floats:
    """Return an autoregressive series of variance 1 that begins in its stationary distribution."""
    noise = random.standard_normal(shape)
    if memory == 0:
        return noise
    noise[..., 1:] *= np.sqrt(1 - memory**2)
    made: Floats = lfilter([1.0], [1.0, -memory], noise, axis=-1)
    return made


WHITE = Kind("white")
LITTLE = Kind("worth 5", worth=5)
KINDS = (
    WHITE,
    *(Kind(f"worth {worth}", worth=worth) for worth in (100, 40, 20, 10)),
    LITTLE,
    Kind("below noise, worth 10", worth=10, noise=0.8),
    Kind("heavy tails, worth 40", worth=40, heavy=1.5),
    Kind("12 bursts", bursts=12),
    Kind("ramp over a tenth", ramp=0.1),
    Kind("ramp over a fifth, worth 40", worth=40, ramp=0.2, height=3.0),
)

# The kinds in which rare values are distributed most differently.
SPARSE = (WHITE, KINDS[3], LITTLE, KINDS[8])


@lru_cache(maxsize=6)
def simulate_series(kind: Kind, n: int, seed: int = SEED) -> Floats:
    return kind.simulate(n, seed=seed)


@dataclass(frozen=True)
class Coverage:
    """The coverage of intervals over many series. `is_given` is the share of series that got an interval, `held` the
    share of these intervals that contain the true value, `misled` the share of all series whose interval does not
    contain it."""

    is_given: float
    held: float
    misled: float

    @classmethod
    def from_intervals(cls, intervals: Any, truth: float) -> Coverage:
        """Compute the coverage from the intervals of many series."""
        holds = (intervals.low <= truth) & (truth <= intervals.high)
        given = float(intervals.is_given.mean())
        held = float((holds & intervals.is_given).mean() / given) if given else 1.0
        return cls(given, held, float((intervals.is_given & ~holds).mean()))

    @property
    def honest(self) -> bool:
        """True if at most one series in ten is misled, and at least nine in ten intervals contain the true value. The
        second condition is waived if less than a third of the series get an interval: these are the series that look
        better than they are."""
        return self.misled <= 0.1 and (self.held >= 0.9 or self.is_given < 1 / 3)
