# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Jobs that missed their deadline or were shed, with the parts of their time."""

from __future__ import annotations

from dataclasses import dataclass

# Other kinds are described by their names.
_DESCRIPTIONS = {
    "preempted": "preempted by {by}",
    "waited": "waited for {by}",
    "blocked": "blocked by {by} ({reason})",
    "entity": "waited for {by}, which {reason} used",
    "behind": "its own previous job",
    "longer": "ran longer than usual",
    "stalled": "stalled by the host",
    "thread": "thread {by} had the CPU",
    "asleep": "{by} slept",
    "nobody": "no job had the CPU",
}


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
        return _DESCRIPTIONS.get(self.kind, self.kind).format(by=self.by, reason=self.reason)


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


def misses_by_cause(missed: list[MissedJob]) -> list[list[MissedJob]]:
    """Return the misses of each cause, the most frequent cause first, and of each cause the worst miss first."""
    causes: dict[tuple[int, str, str], list[MissedJob]] = {}
    for each in missed:
        causes.setdefault(each.cause, []).append(each)
    misses = [sorted(each, key=lambda miss: -miss.severity) for each in causes.values()]
    return sorted(misses, key=lambda of_cause: -len(of_cause))
