# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The analyses of takt_cli.schedulability in the simple form of their sources: task by task and job by job. They are
only practical for small sets; the fast analyses must give the same answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from takt_cli.schedulability.task import Bound, Task, TaskSet

_NO_LIMIT = 1 << 62


def fixed_point(demand: Callable[[int], int], start: int, given: int = 0) -> int:
    t = start
    while (following := given + demand(t)) > t:
        t = following
    return following


def demand_before(tasks: list[Task], length: int) -> int:
    return sum(-(-(length + task.jitter) // task.period) * task.wcet for task in tasks)


def demand_up_to(tasks: list[Task], length: int) -> int:
    return sum(((length + task.jitter) // task.period + 1) * task.wcet for task in tasks)


def utilisation(tasks: list[Task]) -> Fraction:
    return sum((Fraction(task.wcet, task.period) for task in tasks), Fraction(0))


# ---- blocking


def longest(tasks: TaskSet, blocked: Callable[[Task], int | None]) -> tuple[int, str | None]:
    """Return the longest blocking in ns, and the task that causes it. `blocked` returns, for a task, the lowest level
    among the tasks that its job may block; None if there are none. Even then a task with background jobs blocks for the
    length of its middleware section."""
    most: tuple[int, str | None] = (0, None)
    for task in tasks.tasks:
        level = blocked(task)
        if level is None:
            held = task.section if task.background else 0
        else:
            held = max(task.wcet, task.section) if task.ceiling >= level else task.section
        if held - 1 > most[0]:
            most = held - 1, task.name
    return most


def blocking_of_urgency(tasks: TaskSet, task: Task) -> tuple[int, str | None]:
    return longest(tasks, lambda other: task.level if other.urgency < task.urgency else None)


def blocking_of_deadline(tasks: TaskSet, length: int, of: Task | None = None) -> tuple[int, str | None]:
    least = length if of is None else max(length, of.deadline)
    due = [task for task in tasks.tasks if task.deadline - task.jitter <= length]

    def blocked(other: Task) -> int | None:
        if other.deadline <= least:
            return None
        return min((task.level for task in due if task.deadline < other.deadline), default=None)

    return longest(tasks, blocked) if due else (0, None)


# ---- fixed priorities


def fixed_priority(tasks: TaskSet, index: int) -> tuple[int | None, int, str | None]:
    """Return response time, blocking time and blocking task; the response time is None if the utilisation is above
    1."""
    task = tasks.tasks[index]
    before = [t for i, t in enumerate(tasks.tasks) if i != index and t.urgency >= task.urgency] + [*tasks.above]
    after = [t for t in before if t.may_preempt(task)]
    competing = [*before, task]
    blocking, blocker = blocking_of_urgency(tasks, task)
    share = utilisation(competing)
    if share > 1:
        return None, blocking, blocker
    jobs = math.lcm(*(t.period for t in competing)) // task.period if share == 1 else None
    worst, job, busy = 0, 0, blocking + sum(t.wcet for t in competing)
    while job == 0 or job * task.period - task.jitter < busy:
        if job == jobs:
            break
        given = blocking + job * task.wcet
        start = fixed_point(lambda t: demand_up_to(before, t), given, given)
        done = start + task.wcet - demand_up_to(after, start)
        finish = fixed_point(lambda t: demand_before(after, t), start + task.wcet, done)
        worst = max(worst, finish - (job * task.period - task.jitter))
        job += 1
        while job * task.period - task.jitter >= busy:
            further = blocking + demand_before(competing, busy)
            if further <= busy:
                return worst, blocking, blocker
            busy = further
    return worst, blocking, blocker


# ---- deadlines


def earliest_deadline(tasks: TaskSet, index: int) -> Bound:
    task = tasks.tasks[index]
    worst = Bound(task.wcet + task.jitter)
    for release in _releases(tasks, index):
        blocking, blocker = blocking_of_deadline(tasks, release + task.deadline, task)
        length = _finish(tasks, index, release, blocking) - release
        if worst.response is None or length > worst.response:
            worst = Bound(length, blocking=blocking, blocker=blocker, after=release)
    return worst


def _releases(tasks: TaskSet, index: int) -> list[int]:
    task, every = tasks.tasks[index], [*tasks.everything]
    most = max(blocking_of_deadline(tasks, each.deadline - each.jitter)[0] for each in tasks.tasks)
    if utilisation(every) == 1 and (most or any(each.jitter for each in every)):
        end = tasks.hyperperiod + max(each.deadline + each.jitter for each in tasks.tasks)
    else:
        end = fixed_point(lambda t: most + demand_before(every, t), most + sum(each.wcet for each in every))
    found: set[int] = set()
    for i, other in enumerate(tasks.tasks):
        release = other.deadline - other.jitter - task.deadline + (not _precedes(tasks, i, index) and i != index)
        while release < end:
            if release + task.jitter >= 0:
                found.add(release)
            release += other.period
    return sorted(found)


def _precedes(tasks: TaskSet, other: int, index: int) -> bool:
    a, b = tasks.tasks[other], tasks.tasks[index]
    return bool(a.jitter or b.jitter) or a.deadline > b.deadline or (a.deadline == b.deadline and other < index)


def _finish(tasks: TaskSet, index: int, release: int, blocking: int) -> int:
    task = tasks.tasks[index]
    due = release + task.deadline
    own = (release + task.jitter) // task.period
    before: list[tuple[Task, int]] = [(thread, _NO_LIMIT) for thread in tasks.above]
    for i, other in enumerate(tasks.tasks):
        slack = due + other.jitter - other.deadline - (0 if _precedes(tasks, i, index) else 1)
        if i != index and slack >= 0:
            before.append((other, slack // other.period + 1))
    given = blocking + own * task.wcet
    start = fixed_point(
        lambda t: given + sum(min((t + h.jitter) // h.period + 1, most) * h.wcet for h, most in before), given
    )
    if start < release:
        return release + task.wcet
    after = [(h, most) for h, most in before if h.may_preempt(task)]
    done = start + task.wcet - sum(min((start + h.jitter) // h.period + 1, most) * h.wcet for h, most in after)
    return fixed_point(
        lambda t: done + sum(min(-(-(t + h.jitter) // h.period), most) * h.wcet for h, most in after),
        start + task.wcet,
    )


# ---- how far jobs may grow


def with_one(tasks: TaskSet, index: int, wcet: int) -> TaskSet:
    """Return the task set with another WCET for the task at `index`."""
    return tasks.with_wcets([wcet if i == index else task.wcet for i, task in enumerate(tasks.tasks)])
