# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The threads that had the CPU when starts of a task were late, by the kernel's context switches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from takt_cli.results.sample_files import Rows

BOUND = 200_000
"""The longest delay of a start that takt promises, in ns."""
ITSELF = "itself"
IDLE = "idle"


@dataclass
class CpuHolder:
    """A thread that had the CPU before late starts: for how long in total and at most at a time, in ns, and which
    starts."""

    total: int = 0
    longest: int = 0
    starts: set[int] = field(default_factory=set)

    def add(self, start: int, length: int) -> None:
        self.total += length
        self.longest = max(self.longest, length)
        self.starts.add(start)


def waiting_since(release: Rows, finish: Rows, period: int) -> Rows:
    """Return the instants from which on the jobs of a task waited, in order: from its oldest due release, but not
    before its previous job had ended."""
    due = np.concatenate([release[:1], release[:-1] + period])
    return np.asarray(np.maximum(due, np.concatenate([due[:1], finish[:-1]])))


def late_starts(since: Rows, start: Rows, turns: Rows, threads: list[dict[str, Any]]) -> dict[str, Any]:
    """Return which threads had the CPU before late starts, for jobs that could have started at `since` and did so at
    `start`, in ns.

    The thread that has the CPU at the start is the task's own; the time from when it got the CPU is attributed to it:
    that time was spent before the callback, or a host took the CPU away unseen."""
    names = {int(each["tid"]): _name(each) for each in threads}
    late = np.flatnonzero(start - since > BOUND)
    holders: dict[str, CpuHolder] = defaultdict(CpuHolder)
    known_count = 0
    for job in late:
        begin, end = int(since[job]), int(start[job])
        first, last = np.searchsorted(turns["at"], [begin, end], side="right") - 1
        if first < 0:
            continue  # before the first record
        known_count += 1
        own_tid = int(turns["tid"][last])
        edges = [begin, *map(int, turns["at"][first + 1 : last + 1]), end]
        for tid, begin_of_turn, end_of_turn in zip(turns["tid"][first : last + 1], edges[:-1], edges[1:], strict=True):
            holder_name = (
                ITSELF if tid == own_tid else IDLE if tid == 0 else names.get(int(tid), "a thread that has ended")
            )
            holders[holder_name].add(int(job), end_of_turn - begin_of_turn)
    return {
        "bound_us": BOUND / 1000,
        "starts": len(late),
        "known": known_count,
        "by": [
            {
                "who": who,
                "starts": len(each.starts),
                "total_ms": each.total / 1e6,
                "longest_us": each.longest / 1000,
            }
            for who, each in sorted(holders.items(), key=lambda item: -item[1].total)
        ],
    }


def longest_holders(stretches: Rows, turns: Rows) -> Rows:
    """Return for each interval (`from`, `to`, ns) the thread that had the CPU for the longest total time; 0 if it was
    idle, or if the interval lies before the first record."""
    result = np.zeros(len(stretches), np.int64)
    for stretch, (begin, end) in enumerate(zip(stretches["from"], stretches["to"], strict=True)):
        first, last = np.searchsorted(turns["at"], [begin, end], side="right") - 1
        if first < 0:
            continue
        edges = np.concatenate([[begin], turns["at"][first + 1 : last + 1], [end]])
        tids, tid_of_turn = np.unique(turns["tid"][first : last + 1], return_inverse=True)
        result[stretch] = tids[np.argmax(np.bincount(tid_of_turn, np.diff(edges)))]
    return result


def _name(thread: dict[str, Any]) -> str:
    name = thread["name"] or "a thread that has ended"
    return name if thread["own"] else f"{name} (another process)"
