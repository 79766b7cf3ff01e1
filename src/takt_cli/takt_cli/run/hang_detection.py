# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tells programs that are still working from those that hang, by the CPU time that they use."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.host.processes import Child
from takt_cli.host.system import THIS_HOST

# Programs that start or end use the CPU; one that hangs uses next to none, even if middleware threads wake up.
_LEAST_SHARE = 0.05
# The interval between two looks, in s. CPU times are counted in ticks of 10 ms.
_LOOK_EVERY = 0.5


class HangDetector:
    """The CPU time used by several programs that share a CPU."""

    def __init__(self, children: Sequence[Child], now: float) -> None:
        """`now` is what a Patience says, so that a stalled host is not taken for a hang."""
        self._children = children
        self._cpu_times: dict[int, float] = {}
        self._last_sample = now
        self._last_progress_at = now
        self._total_at_begin = self._last_total = self._total()

    def makes_progress(self, now: float) -> bool:
        """Return whether the programs have used the CPU since this last returned True. Looks at most every 0.5 s, and
        returns False in between."""
        if now < self._last_sample + _LOOK_EVERY:
            return False
        self._last_sample = now
        total = self._total()
        if total - self._last_total < _LEAST_SHARE * (now - self._last_progress_at):
            return False
        self._last_progress_at, self._last_total = now, total
        return True

    def used(self) -> float:
        """Return the CPU time that the programs have used since this was made, in s."""
        return self._total() - self._total_at_begin

    def _total(self) -> float:
        """Return the CPU time of all programs in s; of programs that have ended, as last seen."""
        for child in self._children:
            if (process := THIS_HOST.task(child.pid)) is not None:
                self._cpu_times[child.pid] = process.seconds
        return sum(self._cpu_times.values())
