# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time that the host and threads that run no jobs took from a processor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from takt_cli.results.sample_files import Rows

_PROBE = b"lab.probe"
# In the kernel's numbering, ordinary threads have priorities from this on.
_ORDINARY = 100


class StolenTime:
    """Time taken from one CPU, by the `stalls` of the host and the context `switches` of the kernel, as far as
    recorded. `workers`: the threads that run jobs; if empty, threads are recognised by their names."""

    def __init__(
        self, cpu: int, stalls: Rows | None, switches: Rows | None, workers: frozenset[int] = frozenset()
    ) -> None:
        stalls_of_cpu = None if stalls is None else stalls[stalls["cpu"] == cpu]
        self._stalls = (
            np.empty((0, 2), np.int64)
            if stalls_of_cpu is None
            else np.column_stack([stalls_of_cpu["from"], stalls_of_cpu["to"]])
        )
        self._begin = self._end = np.empty(0, np.int64)
        self._names: list[str] = []
        self._above = self._leavings = np.empty(0, bool)
        if switches is None:
            return
        turns = switches[switches["cpu"] == cpu]
        begin, end, turns = turns["at"][:-1], turns["at"][1:], turns[:-1]
        is_named_worker = np.char.startswith(turns["comm"], b"takt.w")
        is_own_worker = np.isin(turns["tid"], list(workers)) if workers else is_named_worker
        # Threads start as ordinary ones, hence the median.
        realtime = bool(is_own_worker.any()) and bool(np.median(turns["priority"][is_own_worker]) < _ORDINARY)
        is_foreign = ~is_own_worker
        self._begin, self._end, turns = begin[is_foreign], end[is_foreign], turns[is_foreign]
        other = is_named_worker[is_foreign]
        self._names = [
            "" if tid == 0 else name.decode("utf-8", "replace") + (" of another executor" if worker else "")
            for tid, name, worker in zip(turns["tid"].tolist(), turns["comm"].tolist(), other, strict=True)
        ]
        # The kernel does not notice that the host stopped a CPU: the running thread then seems to go on. Only of
        # threads that may preempt the probe is it certain that they, and not the host, delayed it.
        probe = turns["comm"] == _PROBE
        limit = turns["priority"][probe].min() if probe.any() else 0
        # If workers are real-time threads, ordinary threads only run when these leave the CPU.
        self._leavings = (turns["tid"] == 0) | (realtime & (turns["priority"] >= _ORDINARY))
        self._above = (turns["tid"] != 0) & (turns["priority"] <= limit) & ~probe

    def add_shares(self, shares: Counter[tuple[str, str, str]], begin: int, end: int, sleeper: str = "") -> int:
        """Add the time taken within an interval to `shares`, as `stalled` and `thread`; and as `asleep` where the job
        `sleeper` had the processor but left the CPU idle or to an ordinary thread. Return the rest of the interval, in
        ns."""
        if end <= begin:
            return 0
        turns = list(self._turns(begin, end))
        stalled = [(max(a, begin), min(b, end)) for a, b in self._stalled(begin, end)]
        stalled_time = sum(b - a for a, b in stalled)
        for a, b, i in turns:
            overlap = sum(max(min(b, d) - max(a, c), 0) for c, d in stalled)
            if self._above[i]:
                stalled_time -= overlap
                overlap = 0
            if sleeper and self._leavings[i]:
                shares["asleep", sleeper, ""] += b - a - overlap
            elif self._names[i]:
                shares["thread", self._names[i], ""] += b - a - overlap
            else:
                continue
            end -= b - a - overlap
        shares["stalled", "", ""] += stalled_time
        return end - begin - stalled_time

    def intervals(self, begin: int, end: int) -> list[tuple[int, int]]:
        """Return when other threads or the host had the CPU, ordered by begin."""
        turns = [(begin, end) for begin, end, i in self._turns(begin, end) if self._names[i]]
        return sorted([*turns, *self._stalled(begin, end)])

    def _turns(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield begin, end and number of the turns of threads that run no jobs, including the idle thread."""
        first, end_index = np.searchsorted(self._end, begin, side="right"), np.searchsorted(self._begin, end)
        for i in range(int(first), int(end_index)):
            yield max(int(self._begin[i]), begin), min(int(self._end[i]), end), i

    def _stalled(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        overlaps = (self._stalls[:, 1] > begin) & (self._stalls[:, 0] < end)
        yield from map(tuple, self._stalls[overlaps].tolist())
