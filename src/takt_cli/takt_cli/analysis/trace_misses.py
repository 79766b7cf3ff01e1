# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Jobs that were late or shed, and what their time went by with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Part:
    """A share of the time from a job's release to its end. `what`: `ran` itself, `longer` than it usually
    does, `late release`, `preempted` (after its start), `waited` (before, for one that goes first),
    `blocked` (by one that does not), `behind` (its own task's previous job), `entity` (after its start, for one
    of the middleware's that another thread used), `hand-over`, `stalled` (by the host), `thread` (one that
    runs no jobs had the CPU, as the kernel says), `asleep` (a job had the processor and left the CPU idle, as the
    kernel says) or `nobody` (no job of takt had the processor)."""

    what: str
    ns: int
    who: str = ""
    """The task, the thread, or the name of the entity."""
    why: str = ""
    """Of `blocked`: by what. Of `entity`: who used it."""

    def words(self) -> str:
        match self.what:
            case "preempted":
                return f"preempted by {self.who}"
            case "waited":
                return f"waited for {self.who}"
            case "blocked":
                return f"blocked by {self.who} ({self.why})"
            case "entity":
                return f"waited for {self.who}, which {self.why} used"
            case "behind":
                return "its own previous job"
            case "longer":
                return "ran longer than usual"
            case "stalled":
                return "stalled by the host"
            case "thread":
                return f"thread {self.who} had the CPU"
            case "asleep":
                return f"{self.who} slept"
            case "nobody":
                return "no job had the CPU"
        return self.what


@dataclass(frozen=True)
class Missed:
    """A job that missed its deadline or was shed, with what kept it, the most first; the job's own usual run
    is last."""

    task: int
    index: int
    release: int
    deadline: int
    """NEVER where it is not known."""
    finish: int
    """-1: it never did."""
    how: str
    """`late`, `unfinished`, `skipped` (its previous job was unfinished) or `stale` (its data was too old)."""
    transition: bool
    parts: tuple[Part, ...]

    @property
    def cause(self) -> tuple[int, str, str]:
        """What misses are counted by: task, how, and what kept it most in words."""
        return self.task, self.how, self.culprit.words() if self.culprit is not None else ""

    @property
    def badness(self) -> int:
        """How late; of what never finished, and of what was shed, how long it took; ns."""
        if self.how == "late":
            return self.finish - self.deadline
        return sum(part.ns for part in self.parts)

    @property
    def culprit(self) -> Part | None:
        """What kept it most, its own usual run aside."""
        others = [part for part in self.parts if part.what != "ran"]
        return others[0] if others else (self.parts[0] if self.parts else None)


def by_culprit(missed: list[Missed]) -> list[dict[str, Any]]:
    """How many misses each cause had, the most frequent first, and which was the worst."""
    found: dict[tuple[int, str, str], list[Missed]] = {}
    for each in missed:
        found.setdefault(each.cause, []).append(each)
    rows = [
        {
            "task": task,
            "how": how,
            "mostly": words,
            "misses": len(mine),
            "worst": max(mine, key=lambda each: each.badness).index,
        }
        for (task, how, words), mine in found.items()
    ]
    return sorted(rows, key=lambda row: -int(row["misses"]))


def ranks(missed: list[Missed]) -> list[int]:
    """The place of each among those of the same cause, the worst first."""
    seen: Counter[tuple[int, str, str]] = Counter()
    found = [0] * len(missed)
    for at in sorted(range(len(missed)), key=lambda at: missed[at].badness, reverse=True):
        found[at] = seen[missed[at].cause]
        seen[missed[at].cause] += 1
    return found
