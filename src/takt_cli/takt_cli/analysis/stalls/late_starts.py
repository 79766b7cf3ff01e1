# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The threads that had the CPU when starts of a task were late, by the kernel's context switches."""

from __future__ import annotations

import msgspec
import numpy as np

from takt_cli.analysis.stalls.stall_causes import ENDED, StallsByCause, turns_within
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
    holders: dict[str, list[tuple[int, int]]] = {}
    known_count = 0
    for job, (begin, end) in enumerate(zip(since.tolist(), start.tolist(), strict=True)):
        tids, lengths = turns_within(turns, begin, end)
        known_count += len(tids) > 0
        for tid, length in zip(tids.tolist(), lengths.tolist(), strict=True):
            who = ITSELF if tid == tids[-1] else IDLE if tid == 0 else names.get(tid, ENDED)
            holders.setdefault(who, []).append((job, length))
    return known_count, [
        Holder(who, len({job for job, _ in each}), sum(n for _, n in each) / 1e6, max(n for _, n in each) / 1000)
        for who, each in sorted(holders.items(), key=lambda item: -sum(n for _, n in item[1]))
    ]


def _name(thread: SwitchedThread) -> str:
    name = thread.name or ENDED
    return name if thread.own else f"{name} (another process)"
