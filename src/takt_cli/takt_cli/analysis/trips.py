# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips of messages that are sent at the instants of a grid: the outcome of each, and of each skipped cycle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.stalled_time import StalledTime
from takt_cli.results.sample_files import Ints, Mask, Rows
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import Samples

# Stalls shorter than this share of the deadline are not blamed.
_RELEVANT_SHARE = 0.1


@dataclass(frozen=True)
class Timing:
    """The grid, in ns. A reply later than `deadline` is a missed one, a reply not within `timeout` a lost one."""

    period: int
    deadline: int
    timeout: int


class Trips:
    """The messages of one round inside its window.

    A reply is late if the time since the actual sending exceeds the deadline, as in the paper, or, if `on_grid`, the
    time since the intended sending. The programs wait for the time-out of the last message, too."""

    def __init__(self, rows: Rows, window: Window, timing: Timing, stalls: Rows, on_grid: bool = False) -> None:
        in_window = (rows["intended"] >= window.start) & (rows["intended"] < window.end)
        rows_in_window = rows[in_window]
        self.rows: Rows = np.asarray(rows_in_window[np.argsort(rows_in_window["intended"], kind="stable")])
        self.window, self.timing = window, timing
        self._stalled, self._on_grid = StalledTime(stalls), on_grid
        # A shorter stall does not make a message late.
        self._stalls: Rows = stalls[stalls["to"] - stalls["from"] >= timing.deadline * _RELEVANT_SHARE]
        # A reply after the time-out counts as lost, even if it arrived.
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
        """Round-trip times from the actual sending, in ns; infinite if there was no reply in time."""
        return self._since(self.sent)

    @cached_property
    def times_on_grid(self) -> Samples:
        """Round-trip times from the intended sending, in ns."""
        return self._since(self.intended)

    @property
    def instants(self) -> Ints:
        """The instants to which the times belong."""
        return self.intended

    @cached_property
    def late(self) -> Mask:
        """A mask of the messages whose replies came after the deadline."""
        begin = self.intended if self._on_grid else self.sent
        return ~self.lost & (self.rows["received"] - begin > self.timing.deadline)

    @cached_property
    def late_on_grid(self) -> Mask:
        return ~self.lost & (self.rows["received"] - self.intended > self.timing.deadline)

    @cached_property
    def done_at(self) -> Ints:
        """The instant at which each message was done: at its reply, or at its time-out."""
        done_instants: Ints = np.where(self.lost, self.sent + self.timing.timeout, self.rows["received"])
        return done_instants

    @cached_property
    def host(self) -> Mask:
        """A mask of the messages that a stall of the host overlaps, from the intended sending until the deadline: a
        later stall did not make them late."""
        due = (self.intended if self._on_grid else self.sent) + self.timing.deadline
        return overlaps(self.intended, np.minimum(self.done_at, due), self._stalls)

    @cached_property
    def explained(self) -> Mask:
        """A mask of the messages that would have been in time without the stalled time. This is stricter than `host`,
        as it does not cover the consequences of a stall."""
        return self._explained(self.intended if self._on_grid else self.sent)

    @cached_property
    def skipped(self) -> Ints:
        """The instants of the grid inside the window for which no message was sent."""
        period, t0 = self.timing.period, self.window.t0
        first = -((t0 - self.window.start) // period)
        last = -((t0 - self.window.end) // period)
        is_taken = np.zeros(max(last - first, 0), np.bool_)
        place = (self.intended - t0 + period // 2) // period - first
        is_taken[place[(place >= 0) & (place < len(is_taken))]] = True
        return t0 + (first + np.flatnonzero(~is_taken)) * period

    @cached_property
    def waiting(self) -> Mask:
        """A mask of the skipped cycles that passed while a message was still under way. In the others the client itself
        did not run."""
        if len(self) == 0:
            return np.zeros(len(self.skipped), np.bool_)
        previous_trip = np.searchsorted(self.intended, self.skipped) - 1
        under_way: Mask = (
            (previous_trip >= 0)
            & (self.sent[previous_trip] <= self.skipped)
            & (self.skipped <= self.done_at[previous_trip])
        )
        return under_way

    @cached_property
    def _passed(self) -> tuple[Mask, Ints, Ints]:
        """The causes of the skipped cycles. For each cycle: whether an earlier message was not done yet, and the
        beginning and end of the interval that caused the skip: from that message's intended sending until it was done,
        or from the skipped instant to the next sending."""
        skipped_instants = self.skipped
        if len(self) == 0:
            return (
                np.zeros(len(skipped_instants), np.bool_),
                skipped_instants,
                np.full(len(skipped_instants), self.window.end),
            )
        previous_trip = np.searchsorted(self.intended, skipped_instants) - 1
        first = np.maximum(previous_trip, 0)
        busy = (previous_trip >= 0) & (skipped_instants <= self.done_at[first])
        next_trip = np.minimum(previous_trip + 1, len(self) - 1)
        next_sending = np.where(self.intended[next_trip] > skipped_instants, self.sent[next_trip], self.window.end)
        return (
            busy,
            np.where(busy, self.intended[first], skipped_instants),
            np.where(busy, self.done_at[first], next_sending),
        )

    @cached_property
    def skipped_host(self) -> Mask:
        """A mask of the skipped cycles that are overlapped by a stall that may have caused them."""
        busy, begin, end = self._passed
        # A client that did not wake up had been asleep since the previous cycle at the latest.
        return overlaps(
            np.where(busy, begin, begin - self.timing.period), np.where(busy, self.skipped, end), self._stalls
        )

    @cached_property
    def skipped_explained(self) -> Mask:
        """A mask of the skipped cycles that would not have been skipped without the stalled time."""
        busy, begin, end = self._passed
        host_time = self._stalled.time(begin, end)
        late = np.where(busy, end - host_time > self.skipped, end - host_time >= self.skipped + self.timing.period)
        return ~late & (host_time > 0)

    @cached_property
    def explained_on_grid(self) -> Mask:
        return self._explained(self.intended)

    def _explained(self, begin: Ints) -> Mask:
        host_time = self._stalled.time(begin, self.done_at)
        in_time: Mask = (host_time > 0) & (self.done_at - begin - host_time <= self.timing.deadline)
        return in_time

    def _since(self, begin: Ints) -> Samples:
        times: Samples = np.where(self.lost, np.inf, (self.rows["received"] - begin).astype(np.float64))
        return times


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A number of messages or cycles. `host`: those that a stall of the host overlaps, `other`: the rest; `explained`:
    those that would have been in time without the stalled time."""

    n: int
    host: int
    other: int
    explained: int


class SkippedCount(Count, frozen=True, kw_only=True):
    """The number of skipped cycles: those that passed while a message was under way, and those in which the client
    itself did not run."""

    waiting: int
    starved: int


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes of messages and cycles over all rounds."""

    sent: int
    missed: Count
    missed_from_intended: Count
    lost: Count
    skipped: SkippedCount


def outcome_counts(rounds: list[Trips]) -> Outcomes:
    """Return the outcomes of messages and cycles over all rounds."""
    skipped = _count(
        [(np.ones(len(each.skipped), np.bool_), each.skipped_host, each.skipped_explained) for each in rounds]
    )
    waiting = _sum(each.waiting for each in rounds)
    return Outcomes(
        sent=sum(len(each) for each in rounds),
        missed=_count([(each.late, each.host, each.explained) for each in rounds]),
        missed_from_intended=_count([(each.late_on_grid, each.host, each.explained_on_grid) for each in rounds]),
        lost=_count([(each.lost, each.host, each.explained) for each in rounds]),
        skipped=extended(skipped, SkippedCount, waiting=waiting, starved=skipped.n - waiting),
    )


def _sum(masks: Iterable[Mask]) -> int:
    return int(sum(int(mask.sum()) for mask in masks))


def _count(parts: list[tuple[Mask, Mask, Mask]]) -> Count:
    total, host = _sum(mask for mask, *_ in parts), _sum(mask & host for mask, host, _ in parts)
    explained = _sum(mask & why for mask, _, why in parts)
    return Count(n=total, host=host, other=total - host, explained=explained)
