# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How long a less urgent job keeps more urgent ones waiting: at most one does, and once.

Sources: T. P. Baker, "Stack-based scheduling of realtime processes", Real-Time Systems 3, 1991 (a job is
blocked at most once, before it starts); S. Baruah, "Resource sharing in EDF-scheduled systems: a closer
look", RTSS 2006 (under deadlines). Here a critical section is a whole job: it has its group from its
start to its end. A job that nobody may preempt is the same with the highest ceiling. A middleware
section is one with the highest ceiling of all for its own length: while a job is inside, nothing starts.

What goes on in the background, having used up its budget, is below everything, and is
inside a section at times (decision 24).

It began a nanosecond before those whom it blocks, hence `- 1`; had it come with them, it would wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from takt_cli.schedulability.task import Task, TaskSet


@dataclass(frozen=True)
class Blocking:
    length: int = 0
    by: str | None = None


NOTHING = Blocking()


def _longest(tasks: TaskSet, blocked: Callable[[Task], int | None]) -> Blocking:
    """`blocked`: the lowest level of those that a job of the task may block; None if it may not."""
    most = NOTHING
    for task in tasks.tasks:
        if (level := blocked(task)) is not None:
            held = max(task.wcet, task.section) if task.ceiling >= level else task.section
        else:
            held = task.section if task.background else 0
        if held - 1 > most.length:
            most = Blocking(held - 1, task.name)
    return most


def of_urgency(tasks: TaskSet, task: Task) -> Blocking:
    """Under fixed priorities: of the jobs of `task` and of everything as urgent."""
    return _longest(tasks, lambda other: task.level if other.urgency < task.urgency else None)


def of_deadline(tasks: TaskSet, length: int, of: Task | None = None) -> Blocking:
    """Under deadlines: of the jobs that are due within `length` of the beginning of a busy period; where the one
    that is due last is known, `of` that task.

    Releases are noticed in their order, late or not: who started before was released before, so it blocks
    only what has a shorter deadline than itself."""
    least = length if of is None else max(length, of.deadline)
    due = [task for task in tasks.tasks if task.deadline - task.jitter <= length]
    if not due:
        return NOTHING

    def blocked(other: Task) -> int | None:
        if other.deadline <= least:
            return None
        return min((task.level for task in due if task.deadline < other.deadline), default=None)

    return _longest(tasks, blocked)


def of_background(tasks: TaskSet) -> int:
    """How long anybody may be kept waiting at least, however late it is due."""
    return max((task.section - 1 for task in tasks.tasks if task.background), default=0)
