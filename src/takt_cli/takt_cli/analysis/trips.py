# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips of messages that are sent at the instants of a grid: the outcome of each, and of each skipped cycle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.analysis.intervals import covered, union
from takt_cli.analysis.misses import overlaps
from takt_cli.results.sample_files import Ints, Mask, Rows
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import Samples

# The period of the stall probe, ns.
_PROBE_PERIOD = 10**6
# Stalls shorter than this share of the deadline are not blamed.
_RELEVANT_SHARE = 0.1


@dataclass(frozen=True)
class Timing:
    """The grid, in ns. A reply later than `deadline` is a missed one, a reply not within `timeout` a lost one."""

    period: int
    deadline: int
    timeout: int


class Failures(NamedTuple):
    """Masks of the messages or cycles of a round that failed. `host`: a stall of the host overlaps them; `explained`:
    they would have been in time without the stalled time, which is stricter, as it does not cover the consequences of a
    stall."""

    failed: Mask
    host: Mask
    explained: Mask

    def counts(self) -> list[int]:
        return [int((self.failed & each).sum()) for each in self]


class Trips:
    """The messages of one round inside its window.

    A reply is late if the time since the actual sending exceeds the deadline, as in the paper, or, if `on_grid`, the
    time since the intended sending. The programs wait for the time-out of the last message, too."""

    def __init__(self, rows: Rows, window: Window, timing: Timing, stalls: Rows, on_grid: bool = False) -> None:
        in_window = (rows["intended"] >= window.start) & (rows["intended"] < window.end)
        rows = rows[in_window]
        rows = rows[np.argsort(rows["intended"], kind="stable")]
        self.window, self.timing = window, timing
        self.instants, self.sent = (rows[name].astype(np.int64) for name in ("intended", "sent"))
        """The instants of the intended and of the actual sending."""
        # A stall may have begun up to a period of the probe before the wake-up that came late.
        self._stalled = union(stalls["from"] - _PROBE_PERIOD, stalls["to"])
        self._counts_from = self.instants if on_grid else self.sent
        # A shorter stall does not make a message late.
        self._stalls: Rows = stalls[stalls["to"] - stalls["from"] >= timing.deadline * _RELEVANT_SHARE]
        # A reply after the time-out counts as lost, even if it arrived.
        received = rows["received"]
        self.lost: Mask = (received <= 0) | (received - self.sent > timing.timeout)
        self.done_at: Ints = np.where(self.lost, self.sent + timing.timeout, received)
        """The instant at which each message was done: at its reply, or at its time-out."""

    def __len__(self) -> int:
        return len(self.sent)

    @property
    def times(self) -> Samples:
        """Round-trip times from the actual sending, in ns; infinite if there was no reply in time."""
        return np.where(self.lost, np.inf, self.done_at - self.sent)

    @property
    def times_on_grid(self) -> Samples:
        """Round-trip times from the intended sending, in ns."""
        return np.where(self.lost, np.inf, self.done_at - self.instants)

    @property
    def late(self) -> Mask:
        """A mask of the messages whose replies came after the deadline."""
        return self._late_since(self._counts_from)

    def sent_outcomes(self) -> dict[str, Failures]:
        """Return the messages that failed, by the fields of `Outcomes`."""
        # From the intended sending until the deadline: a later stall did not make the message late.
        due = self._counts_from + self.timing.deadline
        host = overlaps(self.instants, np.minimum(self.done_at, due), self._stalls)
        explained = self._explained(self._counts_from)
        return {
            "missed": Failures(self.late, host, explained),
            "missed_from_intended": Failures(self._late_since(self.instants), host, self._explained(self.instants)),
            "lost": Failures(self.lost, host, explained),
        }

    @cached_property
    def skipped(self) -> Ints:
        """The instants of the grid inside the window for which no message was sent."""
        period, t0 = self.timing.period, self.window.t0
        first = -((t0 - self.window.start) // period)
        last = -((t0 - self.window.end) // period)
        is_taken = np.zeros(max(last - first, 0), np.bool_)
        place = (self.instants - t0 + period // 2) // period - first
        is_taken[place[(place >= 0) & (place < len(is_taken))]] = True
        return t0 + (first + np.flatnonzero(~is_taken)) * period

    def skipped_outcomes(self) -> tuple[Failures, Mask]:
        """Return the skipped cycles, and a mask of those that passed while a message was still under way. In the others
        the client itself did not run.

        The interval that caused a skip lasts from the intended sending of the message before until that was done; if it
        was done already, from the skipped instant to the next sending."""
        skipped, before = self.skipped, np.searchsorted(self.instants, self.skipped) - 1
        # Where there is no message before, this takes the instant that was appended.
        intended, sent, done = (
            np.append(each, np.iinfo(np.int64).min)[before] for each in (self.instants, self.sent, self.done_at)
        )
        busy = skipped <= done
        begin = np.where(busy, intended, skipped)
        end = np.where(busy, done, np.append(self.sent, self.window.end)[before + 1])
        # A client that did not wake up had been asleep since the previous cycle at the latest.
        asleep_from = np.where(busy, begin, begin - self.timing.period)
        host = overlaps(asleep_from, np.where(busy, skipped, end), self._stalls)
        stalled = covered(self._stalled, begin, end)
        late = np.where(busy, end - stalled > skipped, end - stalled >= skipped + self.timing.period)
        failures = Failures(np.ones(len(skipped), np.bool_), host, ~late & (stalled > 0))
        return failures, busy & (sent <= skipped)

    def _late_since(self, begin: Ints) -> Mask:
        late: Mask = ~self.lost & (self.done_at - begin > self.timing.deadline)
        return late

    def _explained(self, begin: Ints) -> Mask:
        stalled = covered(self._stalled, begin, self.done_at)
        in_time: Mask = (stalled > 0) & (self.done_at - begin - stalled <= self.timing.deadline)
        return in_time


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
    sent = [each.sent_outcomes() for each in rounds]
    skipped = [each.skipped_outcomes() for each in rounds]
    skips, waiting = _count([failures for failures, _ in skipped]), sum(int(mask.sum()) for _, mask in skipped)
    return Outcomes(
        sent=sum(map(len, rounds)),
        skipped=extended(skips, SkippedCount, waiting=waiting, starved=skips.n - waiting),
        **{name: _count([each[name] for each in sent]) for name in ("missed", "missed_from_intended", "lost")},
    )


def _count(parts: list[Failures]) -> Count:
    n, host, explained = np.sum([each.counts() for each in parts], axis=0).tolist()
    return Count(n=n, host=host, other=n - host, explained=explained)
