# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Jobs that missed their deadline or were shed, with the parts of their time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ResponseTimePart:
    """A part of the time from a job's release to its end.

    `kind` is one of:
    - `ran`: the job itself, for its usual time; `longer`: beyond that;
    - `late release`: until its release was noticed;
    - `preempted`: by another job, after its start;
    - `waited`: before its start, for a job that goes first; `blocked`: by one that does not;
    - `behind`: the previous job of its own task;
    - `entity`: after its start, for an entity of the middleware that another thread was using;
    - `wake-up`: until the thread of the job that was chosen was running;
    - `stalled`: by the host;
    - `thread`: a thread that runs no jobs had the CPU, by the kernel's context switches;
    - `asleep`: a job had the processor but left the CPU idle, by the kernel's context switches;
    - `nobody`: no job of takt had the processor."""

    kind: str
    ns: int
    by: str = ""
    """The task, the thread, or the name of the entity that took the time."""
    reason: str = ""
    """The reason, for `blocked`; the user of the entity, for `entity`."""

    def description(self) -> str:
        """Return this part in words."""
        match self.kind:
            case "preempted":
                return f"preempted by {self.by}"
            case "waited":
                return f"waited for {self.by}"
            case "blocked":
                return f"blocked by {self.by} ({self.reason})"
            case "entity":
                return f"waited for {self.by}, which {self.reason} used"
            case "behind":
                return "its own previous job"
            case "longer":
                return "ran longer than usual"
            case "stalled":
                return "stalled by the host"
            case "thread":
                return f"thread {self.by} had the CPU"
            case "asleep":
                return f"{self.by} slept"
            case "nobody":
                return "no job had the CPU"
        return self.kind


@dataclass(frozen=True)
class MissedJob:
    """A job that missed its deadline or was shed. `parts` are the parts of its time, the longest first; the job's own
    usual execution is last."""

    task: int
    index: int
    release: int
    deadline: int
    """NEVER if it is unknown."""
    finish: int
    """-1 if the job never finished."""
    kind: str
    """`late`, `unfinished`, `skipped` (the previous job was unfinished) or `stale` (its data was too old)."""
    transition: bool
    parts: tuple[ResponseTimePart, ...]

    @property
    def cause(self) -> tuple[int, str, str]:
        """The key by which misses are counted: the task, how it missed, and the main cause in words."""
        return self.task, self.kind, self.main_part.description() if self.main_part is not None else ""

    @property
    def severity(self) -> int:
        """The lateness of the job in ns; if the job never finished, or was shed, the total of its parts."""
        if self.kind == "late":
            return self.finish - self.deadline
        return sum(part.ns for part in self.parts)

    @property
    def main_part(self) -> ResponseTimePart | None:
        """The longest part other than the job's own usual execution."""
        others = [part for part in self.parts if part.kind != "ran"]
        return others[0] if others else (self.parts[0] if self.parts else None)


def count_by_cause(missed: list[MissedJob]) -> list[dict[str, Any]]:
    """Return the number of misses of each cause, the most frequent first, and the worst miss of each."""
    misses_by_cause: dict[tuple[int, str, str], list[MissedJob]] = {}
    for each in missed:
        misses_by_cause.setdefault(each.cause, []).append(each)
    rows = [
        {
            "task": task,
            "how": how,
            "mostly": words,
            "misses": len(mine),
            "worst": max(mine, key=lambda each: each.severity).index,
        }
        for (task, how, words), mine in misses_by_cause.items()
    ]
    return sorted(rows, key=lambda row: -int(row["misses"]))


def ranks_within_causes(missed: list[MissedJob]) -> list[int]:
    """Return the rank of each miss among those of the same cause, 0 for the worst."""
    ranked_by_cause: Counter[tuple[int, str, str]] = Counter()
    rank_of_miss = [0] * len(missed)
    for place in sorted(range(len(missed)), key=lambda at: missed[at].severity, reverse=True):
        rank_of_miss[place] = ranked_by_cause[missed[place].cause]
        ranked_by_cause[missed[place].cause] += 1
    return rank_of_miss
