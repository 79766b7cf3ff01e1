# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Detects when a load has become stationary, by its CPU use and unwritten data instead of a fixed delay."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.achieved import Settling

# The interval of samples in s, and the least and the greatest number of them.
SAMPLE_INTERVAL, _LEAST_SAMPLES, _MAX_SAMPLES = 0.25, 16, 120
# Data waiting for or under write-back: it grows for seconds, until the kernel slows down the writers.
_UNWRITTEN = ("Dirty", "Writeback")


class LoadCourse:
    """The observed course of a load since an instant, in s: growing counters, such as CPU time by kind, and the amount
    of unwritten data."""

    def __init__(self, counted: Mapping[str, float], instant: float) -> None:
        self._begin = self._last_instant = instant
        self._previous_counters = counted
        self._rows: list[dict[str, float]] = []

    def add(self, counted: Mapping[str, float], waits: float, instant: float) -> None:
        """Add a sample taken at the instant `instant`."""
        rates = {
            name: (total - self._previous_counters.get(name, 0.0)) / (instant - self._last_instant)
            for name, total in counted.items()
        }
        self._rows.append(rates | {"unwritten": waits})
        self._previous_counters, self._last_instant = counted, instant

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def seconds(self) -> float:
        return self._last_instant - self._begin

    def settled(self) -> float | None:
        """Return the seconds after which all rates and the unwritten data were stationary; None if that cannot be
        decided yet."""
        if len(self) < _LEAST_SAMPLES:
            return None
        stationary_from = [
            settled_from(np.array([row.get(name, 0.0) for row in self._rows])) for name in self._rows[-1]
        ]
        known_places = [each for each in stationary_from if each is not None]
        return self.seconds * max(known_places) / len(self) if len(known_places) == len(stationary_from) else None


def settle(
    counted: Callable[[], Mapping[str, float]],
    check: Callable[[], None],
    sample_interval: float = SAMPLE_INTERVAL,
    most_samples: int = _MAX_SAMPLES,
) -> Settling:
    """Sample a load every `sample_interval` seconds until it is stationary, at most `most_samples` times. `check` is
    called before each sample and raises if the load has died."""
    course = LoadCourse(counted(), time.monotonic())
    while len(course) < most_samples:
        time.sleep(sample_interval)
        check()
        course.add(counted(), unwritten(), time.monotonic())
        if (seconds := course.settled()) is not None:
            return Settling(seconds, True)
    return Settling(course.seconds, False)


def settled_from(values: npt.NDArray[np.float64]) -> int | None:
    """Return the index from which on a series is stationary: the one that minimises the standard error of the mean of
    the values behind it (White's marginal standard error rule, on averages of two). None if it is not in the first
    half, because then too little of the stationary part has been seen."""
    even_length = len(values) // 2 * 2
    pairs = values[len(values) - even_length :].reshape(-1, 2).mean(axis=1)
    if np.ptp(pairs) == 0:
        return 0
    half = len(pairs) // 2
    errors = [pairs[cut:].var() / (len(pairs) - cut) for cut in range(half + 1)]
    best_cut = int(np.argmin(errors))
    return None if best_cut >= half else 2 * best_cut


def unwritten(system: System = THIS_HOST) -> float:
    """Return the unwritten data of the host in kB; 0 if the kernel does not report it."""
    return float(sum(system.memory(name) or 0 for name in _UNWRITTEN))
