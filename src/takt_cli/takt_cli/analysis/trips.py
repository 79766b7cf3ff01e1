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
from takt_cli.analysis.stalled import Stalled

# The share of the deadline that a stall takes at least to be told as the host's.
_TELLING = 0.1


@dataclass(frozen=True)
class Timing:
    """Of the grid, in ns. A reply later than `deadline` is a missed one, none within `timeout` a loss."""

    period: int
    deadline: int
    timeout: int


class Trips:
    """The rows of one round inside its window. A reply is late by its time from the actual sending, as in the
    paper, or from the intended one where `on_grid`. The programs give the last one its time-out, too."""

    def __init__(self, rows: Rows, window: Window, timing: Timing, stalls: Rows, on_grid: bool = False) -> None:
        inside = (rows["intended"] >= window.start) & (rows["intended"] < window.end)
        mine = rows[inside]
        self.rows: Rows = np.asarray(mine[np.argsort(mine["intended"], kind="stable")])
        self.window, self.timing = window, timing
        self._stalled, self._on_grid = Stalled(stalls), on_grid
        # A shorter one makes nothing late.
        self._stalls: Rows = stalls[stalls["to"] - stalls["from"] >= timing.deadline * _TELLING]
        # One that comes when nobody waits any more is lost, even if it was seen.
        received, sent = self.rows["received"], self.rows["sent"]
        self.lost: Mask = (received <= 0) | (received - sent > timing.timeout)

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
        """Full round trips from the actual sending, ns: infinite where there was no reply in time."""
        return self._since(self.sent)

    @cached_property
    def times_on_grid(self) -> Samples:
        """The same from the intended instant."""
        return self._since(self.intended)

    @property
    def at(self) -> Ints:
        """The instants of these."""
        return self.intended

    @cached_property
    def late(self) -> Mask:
        """Replies above the deadline."""
        begin = self.intended if self._on_grid else self.sent
        return ~self.lost & (self.rows["received"] - begin > self.timing.deadline)

    @cached_property
    def late_on_grid(self) -> Mask:
        return ~self.lost & (self.rows["received"] - self.intended > self.timing.deadline)

    @cached_property
    def back(self) -> Ints:
        """When each was over: its reply, or that none was waited for any more."""
        found: Ints = np.where(self.lost, self.sent + self.timing.timeout, self.rows["received"])
        return found

    @cached_property
    def host(self) -> Mask:
        """Which messages a stall of the host overlaps from the intended instant on, while they could still be in
        time: what comes later has not made them late."""
        due = (self.intended if self._on_grid else self.sent) + self.timing.deadline
        return overlaps(self.intended, np.minimum(self.back, due), self._stalls)

    @cached_property
    def explained(self) -> Mask:
        """Which had been in time without the host's stalls, all of them together: stricter, as it leaves out what
        follows from a stall."""
        return self._explained(self.intended if self._on_grid else self.sent)

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
        under_way: Mask = (before >= 0) & (self.sent[before] <= self.skipped) & (self.skipped <= self.back[before])
        return under_way

    @cached_property
    def _passed(self) -> tuple[Mask, Ints, Ints]:
        """Of each skipped cycle: whether a message that was due before was not yet over, and the stretch that made
        it pass, from that message's instant to its end, or from this one to the next sending."""
        at = self.skipped
        if len(self) == 0:
            return np.zeros(len(at), np.bool_), at, np.full(len(at), self.window.end)
        before = np.searchsorted(self.intended, at) - 1
        first = np.maximum(before, 0)
        busy = (before >= 0) & (at <= self.back[first])
        after = np.minimum(before + 1, len(self) - 1)
        again = np.where(self.intended[after] > at, self.sent[after], self.window.end)
        return busy, np.where(busy, self.intended[first], at), np.where(busy, self.back[first], again)

    @cached_property
    def skipped_host(self) -> Mask:
        """Which of these a stall overlaps that can have made them pass."""
        busy, begin, end = self._passed
        # A client that did not wake was asleep since the cycle before, at the latest.
        return overlaps(
            np.where(busy, begin, begin - self.timing.period), np.where(busy, self.skipped, end), self._stalls
        )

    @cached_property
    def skipped_explained(self) -> Mask:
        """Which had been taken without the host's stalls, all of them together."""
        busy, begin, end = self._passed
        taken = self._stalled.time(begin, end)
        late = np.where(busy, end - taken > self.skipped, end - taken >= self.skipped + self.timing.period)
        return ~late & (taken > 0)

    @cached_property
    def explained_on_grid(self) -> Mask:
        return self._explained(self.intended)

    def _explained(self, begin: Ints) -> Mask:
        taken = self._stalled.time(begin, self.back)
        in_time: Mask = (taken > 0) & (self.back - begin - taken <= self.timing.deadline)
        return in_time

    def _since(self, begin: Ints) -> Samples:
        times: Samples = np.where(self.lost, np.inf, (self.rows["received"] - begin).astype(np.float64))
        return times


def counts(rounds: list[Trips]) -> dict[str, Any]:
    """What became of messages and cycles over all rounds. `host`: those that a stall of the host overlaps;
    `explained`: those that had been in time without its stalls."""
    return {
        "sent": sum(len(each) for each in rounds),
        "missed": _split([(each.late, each.host, each.explained) for each in rounds]),
        "missed_from_intended": _split([(each.late_on_grid, each.host, each.explained_on_grid) for each in rounds]),
        "lost": _split([(each.lost, each.host, each.explained) for each in rounds]),
        "skipped": _split(
            [(np.ones(len(each.skipped), np.bool_), each.skipped_host, each.skipped_explained) for each in rounds]
        )
        | {
            "waiting": _sum(each.waiting for each in rounds),
            "starved": _sum(~each.waiting for each in rounds),
        },
    }


def _sum(masks: Any) -> int:
    return int(sum(int(mask.sum()) for mask in masks))


def _split(parts: list[tuple[Mask, Mask, Mask]]) -> dict[str, int]:
    total, host = _sum(mask for mask, *_ in parts), _sum(mask & host for mask, host, _ in parts)
    explained = _sum(mask & why for mask, _, why in parts)
    return {"n": total, "host": host, "other": total - host, "explained": explained}
