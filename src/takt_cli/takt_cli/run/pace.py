# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How long the rest will take, judged by what the parts so far took."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

# Starting up and replaying, in s, until a part has shown what they take.
_GUESS = 1.5


@dataclass
class Running:
    """A part: how long it is to last beside what comes on top, since when it runs, and how far it says it is."""

    name: str
    length: float
    began: float
    within: float = 0.0


class Pace:
    """Parts of known length, each with something on top that is not known beforehand. Times in seconds."""

    def __init__(self, parts: int, length: float) -> None:
        """`parts` that last `length` in all."""
        self.parts = parts
        self.over = 0
        self.at_once = 1
        """How many run at the same time, as a rule."""
        self.running: list[Running] = []
        self._length = length
        self._on_top: list[float] = []

    def start(self, name: str, length: float, now: float) -> Running:
        part = Running(name, length, now)
        self.running.append(part)
        return part

    def finish(self, part: Running, now: float, well: bool = True) -> None:
        """Where it did not go `well`, it says nothing about others."""
        self.running.remove(part)
        self.over += 1
        self._length -= part.length
        if well:
            self._on_top.append(now - part.began - part.length)

    def more(self, parts: int, length: float) -> None:
        """So many more have come up."""
        self.parts += parts
        self._length += length

    @property
    def on_top(self) -> float:
        """What a part takes beyond its length: the mean, as parts differ and their sum is asked for."""
        return statistics.fmean(self._on_top) if self._on_top else _GUESS

    def left(self, now: float) -> float:
        """From now to the end of all."""
        present = [
            max(part.length + self.on_top - (now - part.began), part.length - part.within, 0.0) for part in self.running
        ]
        waiting = max(self.parts - self.over - len(self.running), 0)
        length = self._length - sum(part.length for part in self.running)
        rest = max(length + waiting * self.on_top, 0.0)
        return max((sum(present) + rest) / self.at_once, *present, 0.0)
