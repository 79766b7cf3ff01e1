# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages that go and come back at the instants of a grid: what became of each, and of each cycle without one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.grid import Ints, Window
from takt_cli.analysis.misses import Mask, overlaps
from takt_cli.analysis.percentiles import Samples


@dataclass(frozen=True)
class Timing:
    """Of the grid, in ns. A reply later than `deadline` is a missed one, none within `timeout` a loss."""

    period: int
    deadline: int
    timeout: int


class Trips:
    """The rows of one round inside its window. A reply is late by its time from the actual sending, as in the
    paper, or from the intended one where `on_grid`. A last message that was under way when the window ended
    is open: neither."""

    def __init__(self, rows: Rows, window: Window, timing: Timing, stalls: Rows, on_grid: bool = False) -> None:
        inside = (rows["intended"] >= window.start) & (rows["intended"] < window.end)
        mine = rows[inside]
        self.rows: Rows = np.asarray(mine[np.argsort(mine["intended"], kind="stable")])
        self.window, self.timing = window, timing
        self._stalls, self._on_grid = stalls, on_grid
        none = self.rows["received"] <= 0
        self.open: Mask = none & (self.rows["sent"] + timing.timeout > window.end)
        self.open[:-1] = False
        self.lost: Mask = none & ~self.open

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def intended(self) -> Ints:
        return self.rows["intended"].astype(np.int64)

    @cached_property
    def sent(self) -> Ints:
        return self.rows["sent"].astype(np.int64)

    @cached_property
    def times(self) -> Samples:
        """Full round trips from the actual sending, ns: infinite where there was no reply, open ones left out."""
        return self._since(self.sent)

    @cached_property
    def times_on_grid(self) -> Samples:
        """The same from the intended instant."""
        return self._since(self.intended)

    @property
    def at(self) -> Ints:
        """The intended instants of these."""
        instants: Ints = self.intended[~self.open]
        return instants

    @cached_property
    def late(self) -> Mask:
        """Replies above the deadline."""
        begin = self.intended if self._on_grid else self.sent
        return ~self.lost & ~self.open & (self.rows["received"] - begin > self.timing.deadline)

    @cached_property
    def late_on_grid(self) -> Mask:
        return ~self.lost & ~self.open & (self.rows["received"] - self.intended > self.timing.deadline)

    @cached_property
    def stalled(self) -> Mask:
        """Which messages a stall of the host overlaps from the intended instant on, while they could still be in
        time: what comes later has not made them late."""
        due = (self.intended if self._on_grid else self.sent) + self.timing.deadline
        back = np.where(self.rows["received"] > 0, self.rows["received"], due)
        return overlaps(self.intended, np.minimum(back, due), self._stalls)

    @cached_property
    def skipped(self) -> Ints:
        """The instants of the grid inside the window at which no message was meant to go."""
        period, t0 = self.timing.period, self.window.t0
        first = -((t0 - self.window.start) // period)
        last = -((t0 - self.window.end) // period)
        taken = np.zeros(max(last - first, 0), np.bool_)
        place = (self.intended - t0 + period // 2) // period - first
        taken[place[(place >= 0) & (place < len(taken))]] = True
        return t0 + (first + np.flatnonzero(~taken)) * period

    @cached_property
    def waiting(self) -> Mask:
        """Which of these passed because a message that had been sent was still under way. In the others the
        client itself was starved."""
        if len(self) == 0:
            return np.zeros(len(self.skipped), np.bool_)
        before = np.searchsorted(self.intended, self.skipped) - 1
        received = np.where(self.rows["received"] > 0, self.rows["received"], self.sent + self.timing.timeout)
        under_way: Mask = (before >= 0) & (self.sent[before] <= self.skipped) & (self.skipped <= received[before])
        return under_way

    @cached_property
    def skipped_stalled(self) -> Mask:
        """Which of these are the host's doing: what was waited for was held up by it, or the client was before it
        sent again."""
        if len(self) == 0:
            return overlaps(self.skipped, self.skipped + self.timing.period, self._stalls)
        before = np.searchsorted(self.intended, self.skipped) - 1
        after = np.minimum(before + 1, len(self) - 1)
        again = np.where(self.intended[after] > self.skipped, self.sent[after], self.window.end)
        # A starved client was so from the cycle before on, at the latest.
        starved = overlaps(self.skipped - self.timing.period, np.maximum(again, self.skipped), self._stalls)
        return np.where(self.waiting & (before >= 0), self.stalled[np.maximum(before, 0)], starved)

    def _since(self, begin: Ints) -> Samples:
        times = np.where(self.lost, np.inf, (self.rows["received"] - begin).astype(np.float64))
        kept: Samples = times[~self.open]
        return kept


def counts(rounds: list[Trips]) -> dict[str, Any]:
    """What became of messages and cycles over all rounds; `host`: those that a stall of the host overlaps."""
    return {
        "sent": sum(len(each) for each in rounds),
        "open": _sum(each.open for each in rounds),
        "missed": _split([(each.late, each.stalled) for each in rounds]),
        "missed_from_intended": _split([(each.late_on_grid, each.stalled) for each in rounds]),
        "lost": _split([(each.lost, each.stalled) for each in rounds]),
        "skipped": _split([(np.ones(len(each.skipped), np.bool_), each.skipped_stalled) for each in rounds])
        | {
            "waiting": _sum(each.waiting for each in rounds),
            "starved": _sum(~each.waiting for each in rounds),
        },
    }


def _sum(masks: Any) -> int:
    return int(sum(int(mask.sum()) for mask in masks))


def _split(pairs: list[tuple[Mask, Mask]]) -> dict[str, int]:
    total, host = _sum(mask for mask, _ in pairs), _sum(mask & stalled for mask, stalled in pairs)
    return {"n": total, "host": host, "other": total - host}
