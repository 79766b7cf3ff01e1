# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time that others took from a processor: the host, and threads that run no jobs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from takt_cli.analysis.files import Rows


class Thefts:
    """Of one CPU. `stalls` of the host and `switches` of the kernel as far as somebody recorded them."""

    def __init__(self, cpu: int, stalls: Rows | None, switches: Rows | None) -> None:
        self._stalls = None if stalls is None else stalls[stalls["cpu"] == cpu]
        self._begin = self._end = np.empty(0, np.int64)
        self._names: list[str] = []
        if switches is None:
            return
        mine = switches[switches["cpu"] == cpu]
        begin, end = mine["at"][:-1], mine["at"][1:]
        foreign = (mine["tid"][:-1] != 0) & ~np.char.startswith(mine["comm"][:-1], b"takt.w")
        self._begin, self._end = begin[foreign], end[foreign]
        self._names = [name.decode("utf-8", "replace") for name in mine["comm"][:-1][foreign]]

    def take(self, shares: Counter[tuple[str, str, str]], left: int, right: int) -> int:
        """Adds what they took of a stretch to `shares`, as `stalled` and `thread`; returns what is left, ns."""
        if right <= left:
            return 0
        rest = right - left
        if self._stalls is not None and len(self._stalls):
            overlap = np.minimum(self._stalls["to"], right) - np.maximum(self._stalls["from"], left)
            held = min(int(overlap[overlap > 0].sum()), rest)
            shares["stalled", "", ""] += held
            rest -= held
        first, behind = np.searchsorted(self._end, left, side="right"), np.searchsorted(self._begin, right)
        for i in range(int(first), int(behind)):
            taken = min(min(int(self._end[i]), right) - max(int(self._begin[i]), left), rest)
            shares["thread", self._names[i], ""] += taken
            rest -= taken
        return rest
