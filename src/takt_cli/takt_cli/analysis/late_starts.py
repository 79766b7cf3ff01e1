# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The threads that had the CPU when starts of a task were late, by the kernel's context switches."""

from __future__ import annotations

import msgspec
import numpy as np

from takt_cli.results.program import SwitchedThread, Switches
from takt_cli.results.sample_files import Ints, Rows

BOUND = 200_000
"""The longest delay of a start that takt promises, in ns."""
ITSELF = "itself"
IDLE = "idle"


class Holder(msgspec.Struct, frozen=True):
    """A thread that had the CPU before late starts: before how many, for how long in total, and at most at a time."""

    who: str
    starts: int
    total_ms: float
    longest_us: float


class LateStarts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of starts later than `bound_us`, of those for which it is known which threads had the CPU, and these
    threads; `lost` is the number of context switches that the kernel's record lacks."""

    bound_us: float = BOUND / 1000
    starts: int
    known: int
    by: list[Holder]
    lost: int


def waiting_since(release: Rows, finish: Rows, period: int) -> Rows:
    """Return the instants from which on the jobs of a task waited, in order: from its oldest due release, but not
    before its previous job had ended."""
    due = np.concatenate([release[:1], release[:-1] + period])
    return np.asarray(np.maximum(due, np.concatenate([due[:1], finish[:-1]])))


def late_starts(since: Rows, start: Rows, turns: Rows, switches: Switches) -> LateStarts:
    """Return which threads had the CPU before late starts, for jobs that could have started at `since` and did so at
    `start`, in ns.

    The thread that has the CPU at the start is the task's own; the time from when it got the CPU is attributed to it:
    that time was spent before the callback, or a host took the CPU away unseen."""
    names = {each.tid: _name(each) for each in switches.threads}
    late = np.flatnonzero(start - since > BOUND)
    holders: dict[str, list[tuple[int, int]]] = {}
    known_count = 0
    for job in late.tolist():
        tids, lengths = _turns_within(turns, since[job], start[job])
        known_count += len(tids) > 0
        for tid, length in zip(tids.tolist(), lengths.tolist(), strict=True):
            who = ITSELF if tid == tids[-1] else IDLE if tid == 0 else names.get(tid, "a thread that has ended")
            holders.setdefault(who, []).append((job, length))
    by = [
        Holder(who, len({job for job, _ in each}), sum(n for _, n in each) / 1e6, max(n for _, n in each) / 1000)
        for who, each in sorted(holders.items(), key=lambda item: -sum(n for _, n in item[1]))
    ]
    return LateStarts(starts=len(late), known=known_count, by=by, lost=switches.lost)


def longest_holders(stretches: Rows, turns: Rows) -> Rows:
    """Return for each interval (`from`, `to`, ns) the thread that had the CPU for the longest total time; 0 if it was
    idle, or if the interval lies before the first record."""
    result = np.zeros(len(stretches), np.int64)
    for stretch, (begin, end) in enumerate(zip(stretches["from"], stretches["to"], strict=True)):
        tids, lengths = _turns_within(turns, begin, end)
        if len(tids):
            unique, tid_of_turn = np.unique(tids, return_inverse=True)
            result[stretch] = unique[np.argmax(np.bincount(tid_of_turn, lengths))]
    return result


def _turns_within(turns: Rows, begin: int, end: int) -> tuple[Ints, Ints]:
    """Return the threads that had the CPU in an interval, in order, and for how long each had it; none if the interval
    begins before the first record."""
    first, last = np.searchsorted(turns["at"], [begin, end], side="right") - 1
    if first < 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    edges = np.concatenate([[begin], turns["at"][first + 1 : last + 1], [end]])
    return turns["tid"][first : last + 1], np.diff(edges)


def _name(thread: SwitchedThread) -> str:
    name = thread.name or "a thread that has ended"
    return name if thread.own else f"{name} (another process)"
