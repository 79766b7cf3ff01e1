# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time that others took from a processor: the host, and threads that run no jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from takt_cli.analysis.files import Rows

_PROBE = b"lab.probe"
# Priorities from here on, as the kernel counts, are those of ordinary threads.
_ORDINARY = 100


class Thefts:
    """Of one CPU. `stalls` of the host and `switches` of the kernel as far as somebody recorded them. `workers`:
    the threads that run jobs; without them, those that are called as if they did."""

    def __init__(
        self, cpu: int, stalls: Rows | None, switches: Rows | None, workers: frozenset[int] = frozenset()
    ) -> None:
        mine = None if stalls is None else stalls[stalls["cpu"] == cpu]
        self._stalls = np.empty((0, 2), np.int64) if mine is None else np.column_stack([mine["from"], mine["to"]])
        self._begin = self._end = np.empty(0, np.int64)
        self._names: list[str] = []
        self._above = self._leavings = np.empty(0, bool)
        if switches is None:
            return
        turns = switches[switches["cpu"] == cpu]
        begin, end, turns = turns["at"][:-1], turns["at"][1:], turns[:-1]
        called = np.char.startswith(turns["comm"], b"takt.w")
        own = np.isin(turns["tid"], list(workers)) if workers else called
        # Threads begin as ordinary ones.
        realtime = bool(own.any()) and bool(np.median(turns["priority"][own]) < _ORDINARY)
        foreign = ~own
        self._begin, self._end, turns = begin[foreign], end[foreign], turns[foreign]
        other = called[foreign]
        self._names = [
            "" if tid == 0 else name.decode("utf-8", "replace") + (" of another executor" if worker else "")
            for tid, name, worker in zip(turns["tid"].tolist(), turns["comm"].tolist(), other, strict=True)
        ]
        # The kernel does not know when the host has stopped it: whoever was there then seems to go on. That a
        # thread held the probe up, and no host, is certain only of those that may.
        probe = turns["comm"] == _PROBE
        limit = turns["priority"][probe].min() if probe.any() else 0
        # Where workers are real-time threads, ordinary ones get what these leave.
        self._leavings = (turns["tid"] == 0) | (realtime & (turns["priority"] >= _ORDINARY))
        self._above = (turns["tid"] != 0) & (turns["priority"] <= limit) & ~probe

    def take(self, shares: Counter[tuple[str, str, str]], left: int, right: int, sleeper: str = "") -> int:
        """Adds what they took of a stretch to `shares`, as `stalled` and `thread`; and as `asleep`, where the
        `sleeper` had the processor and left the CPU to nobody, or to an ordinary thread. Returns what is left,
        ns."""
        if right <= left:
            return 0
        turns = list(self._turns(left, right))
        stalled = [(max(a, left), min(b, right)) for a, b in self._stalled(left, right)]
        held = sum(b - a for a, b in stalled)
        for a, b, i in turns:
            both = sum(max(min(b, d) - max(a, c), 0) for c, d in stalled)
            if self._above[i]:
                held -= both
                both = 0
            if sleeper and self._leavings[i]:
                shares["asleep", sleeper, ""] += b - a - both
            elif self._names[i]:
                shares["thread", self._names[i], ""] += b - a - both
            else:
                continue
            right -= b - a - both
        shares["stalled", "", ""] += held
        return right - left - held

    def spans(self, left: int, right: int) -> list[tuple[int, int]]:
        """When they had the CPU, or the host."""
        turns = [(begin, end) for begin, end, i in self._turns(left, right) if self._names[i]]
        return sorted([*turns, *self._stalled(left, right)])

    def _turns(self, left: int, right: int) -> Iterator[tuple[int, int, int]]:
        """From, to and number of the turns of threads that run no jobs, and of the idle one."""
        first, behind = np.searchsorted(self._end, left, side="right"), np.searchsorted(self._begin, right)
        for i in range(int(first), int(behind)):
            yield max(int(self._begin[i]), left), min(int(self._end[i]), right), i

    def _stalled(self, left: int, right: int) -> Iterator[tuple[int, int]]:
        overlaps = (self._stalls[:, 1] > left) & (self._stalls[:, 0] < right)
        yield from map(tuple, self._stalls[overlaps].tolist())
