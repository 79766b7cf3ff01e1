# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The threads that had the CPU when starts of a task were late, by the kernel's context switches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import msgspec
import numpy as np

from takt_cli.analysis.stall_causes import StallsByCause
from takt_cli.results.program import SwitchedThread, Switches
from takt_cli.results.sample_files import Rows

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
    """The number of starts later than `bound_us`, and of those that a stall explains: one of the host, or one in which
    a thread kept all others off the CPU (`kept`). Of the other late starts: for how many it is known which threads had
    the CPU, and these threads. `lost` is the number of context switches that the kernel's record lacks; `refused` says
    why it has none."""

    bound_us: float = BOUND / 1000
    starts: int
    host: int
    kept: int
    known: int
    by: list[Holder]
    lost: int
    refused: str


@dataclass
class _Turns:
    """The turns of a thread on the CPU before late starts: in total and at most, in ns, and before which starts."""

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


def late_starts(
    since: Rows, start: Rows, stalls: StallsByCause, turns: Rows, switches: Switches, explained_from: Rows | None = None
) -> LateStarts:
    """Return the late starts and their causes, for jobs that could have started at `since` and did so at `start`, in
    ns. A stall from `explained_from` on, by default `since`, explains a late start."""
    late = start - since > BOUND
    of_host, kept = stalls.causes(since if explained_from is None else explained_from, start)
    others = late & ~of_host & ~kept
    known, by = (0, list[Holder]()) if switches.refused else _holders(since[others], start[others], turns, switches)
    return LateStarts(
        starts=int(late.sum()),
        host=int((late & of_host).sum()),
        kept=int((late & kept).sum()),
        known=known,
        by=by,
        lost=switches.lost,
        refused=switches.refused,
    )


def _holders(since: Rows, start: Rows, turns: Rows, switches: Switches) -> tuple[int, list[Holder]]:
    """Return for how many starts it is known which threads had the CPU before them, and these threads.

    The thread that has the CPU at the start is the task's own; the time from when it got the CPU is attributed to it:
    that time was spent before the callback, or a host took the CPU away unseen."""
    names = {each.tid: _name(each) for each in switches.threads}
    holders: dict[str, _Turns] = defaultdict(_Turns)
    known_count = 0
    for job, (begin, end) in enumerate(zip(since.tolist(), start.tolist(), strict=True)):
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
            holders[holder_name].add(job, end_of_turn - begin_of_turn)
    return known_count, [
        Holder(who, len(each.starts), each.total / 1e6, each.longest / 1000)
        for who, each in sorted(holders.items(), key=lambda item: -item[1].total)
    ]


def _name(thread: SwitchedThread) -> str:
    name = thread.name or "a thread that has ended"
    return name if thread.own else f"{name} (another process)"
