# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""From when on a load does what it goes on doing: by what it uses and leaves to be written, not by a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

# How often it is looked at, in s, and how many times at least and at most.
AGAIN, _LEAST, _MOST = 0.25, 16, 120
_MEMORY = Path("/proc/meminfo")
# What waits to be written, and what is being: it grows for seconds, until the kernel slows down who writes.
_UNWRITTEN = ("Dirty:", "Writeback:")


@dataclass(frozen=True)
class Settled:
    """`seconds` after it was let go; of one that did not settle `within` the time for which it was looked at, that
    time."""

    seconds: float
    within: bool

    def to_json(self) -> dict[str, float | bool]:
        return {"settled": self.within, "settled_after_seconds": self.seconds}


class Course:
    """What was seen of a load since an instant, in s: what grows, such as CPU time by kind, and what waits to be
    written."""

    def __init__(self, counted: Mapping[str, float], at: float) -> None:
        self._begun = self._last = at
        self._before = counted
        self._rows: list[dict[str, float]] = []

    def add(self, counted: Mapping[str, float], waits: float, at: float) -> None:
        grown = {name: (total - self._before.get(name, 0.0)) / (at - self._last) for name, total in counted.items()}
        self._rows.append(grown | {"unwritten": waits})
        self._before, self._last = counted, at

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def seconds(self) -> float:
        return self._last - self._begun

    def settled(self) -> float | None:
        """After how many seconds all of it grows as fast, and as much waits, as from then on; None if that cannot be
        said yet."""
        if len(self) < _LEAST:
            return None
        found = [settled_from(np.array([row.get(name, 0.0) for row in self._rows])) for name in self._rows[-1]]
        known = [each for each in found if each is not None]
        return self.seconds * max(known) / len(self) if len(known) == len(found) else None


def settle(
    counted: Callable[[], Mapping[str, float]], check: Callable[[], None], again: float = AGAIN, most: int = _MOST
) -> Settled:
    """Looks every so often until it has settled, or `most` times. `check` raises where there is nothing left to look
    at."""
    course = Course(counted(), time.monotonic())
    while len(course) < most:
        time.sleep(again)
        check()
        course.add(counted(), unwritten(), time.monotonic())
        if (seconds := course.settled()) is not None:
            return Settled(seconds, True)
    return Settled(course.seconds, False)


def settled_from(values: npt.NDArray[np.float64]) -> int | None:
    """From which of its values on a series is what it stays: without those before its mean is known best (White's
    marginal standard error rule, of averages of two). None if that is not before its latter half, so that too little
    was seen of what it stays."""
    even = len(values) // 2 * 2
    pairs = values[len(values) - even :].reshape(-1, 2).mean(axis=1)
    if np.ptp(pairs) == 0:
        return 0
    half = len(pairs) // 2
    errors = [pairs[cut:].var() / (len(pairs) - cut) for cut in range(half + 1)]
    best = int(np.argmin(errors))
    return None if best >= half else 2 * best


def unwritten() -> float:
    """kB; 0 where the kernel does not say."""
    try:
        lines = _MEMORY.read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return float(sum(int(line.split()[1]) for line in lines if line.startswith(_UNWRITTEN)))
