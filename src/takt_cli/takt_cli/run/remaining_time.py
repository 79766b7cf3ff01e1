# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Estimates the remaining time from the durations of the parts so far."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

# Assumed time for starting and replaying, in s, until the first part has ended.
_ASSUMED_OVERHEAD = 1.5


@dataclass
class RunningPart:
    """A part in progress: its expected duration without overheads, when it began, and how far it is; in s."""

    name: str
    length: float
    began: float
    elapsed: float = 0.0


class RemainingTime:
    """Parts with known durations, each with an overhead that is not known in advance. Times in seconds."""

    def __init__(self, parts: int, length: float) -> None:
        """Prepare an estimate for `parts` parts with a total duration of `length`, without overheads."""
        self.parts = parts
        self.finished_parts = 0
        self.at_once = 1
        """The number of parts that usually run at the same time."""
        self.running: list[RunningPart] = []
        self._length = length
        self._overheads: list[float] = []

    def start(self, name: str, length: float, now: float) -> RunningPart:
        """Begin a part."""
        part = RunningPart(name, length, now)
        self.running.append(part)
        return part

    def finish(self, part: RunningPart, now: float, succeeded: bool = True) -> None:
        """End a part. If it did not go `succeeded`, its duration is not used for estimates."""
        self.running.remove(part)
        self.finished_parts += 1
        self._length -= part.length
        if succeeded:
            self._overheads.append(now - part.began - part.length)

    def add_parts(self, parts: int, length: float) -> None:
        """Add parts with a total duration of `length`."""
        self.parts += parts
        self._length += length

    @property
    def mean_overhead(self) -> float:
        """The mean overhead of a part: the mean, because parts differ and the sum of all is estimated."""
        return statistics.fmean(self._overheads) if self._overheads else _ASSUMED_OVERHEAD

    def remaining(self, now: float) -> float:
        """Return the remaining time of all parts."""
        remaining_of_running = [
            max(part.length + self.mean_overhead - (now - part.began), part.length - part.elapsed, 0.0)
            for part in self.running
        ]
        waiting = max(self.parts - self.finished_parts - len(self.running), 0)
        length = self._length - sum(part.length for part in self.running)
        remaining_of_others = max(length + waiting * self.mean_overhead, 0.0)
        return max((sum(remaining_of_running) + remaining_of_others) / self.at_once, *remaining_of_running, 0.0)
