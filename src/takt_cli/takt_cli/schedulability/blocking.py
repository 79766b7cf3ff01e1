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


def _longest(tasks: TaskSet, may_block: Callable[[Task], bool], level: int) -> Blocking:
    most = NOTHING
    for task in tasks.tasks:
        if may_block(task):
            held = max(task.wcet, task.section) if task.ceiling >= level else task.section
        else:
            held = task.section if task.background else 0
        if held - 1 > most.length:
            most = Blocking(held - 1, task.name)
    return most


def of_urgency(tasks: TaskSet, task: Task) -> Blocking:
    """Under fixed priorities: of the jobs of `task` and of everything as urgent."""
    return _longest(tasks, lambda other: other.urgency < task.urgency, task.level)


def of_deadline(tasks: TaskSet, length: int) -> Blocking:
    """Under deadlines: of the jobs that are due within `length` of the beginning of a busy period."""
    due = [task.level for task in tasks.tasks if task.deadline - task.jitter <= length]
    if not due:
        return NOTHING
    return _longest(tasks, lambda other: other.deadline > length, min(due))


def of_background(tasks: TaskSet) -> int:
    """How long anybody may be kept waiting at least, however late it is due."""
    return max((task.section - 1 for task in tasks.tasks if task.background), default=0)
