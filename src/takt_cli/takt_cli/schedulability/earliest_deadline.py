# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Response times under the earliest deadline first: preemptive, not preemptive, and with groups.

Sources: M. Spuri, "Analysis of deadline scheduled real-time systems", INRIA RR-2772, 1996: the worst
response of a task is in a busy period in which all others come together at its beginning, and the task
itself so late that its deadline is the same as some other's; George, Rivierre, Spuri 1996 (jobs that are
not preempted: until when they start). What is between, by groups, is as in fixed_priority.py: after its
start a job gives way only to levels above its ceiling.

Assumes: as fixed_priority.py. The spec's own phases may be kinder: always a bound.
"""

from __future__ import annotations

from takt_cli.schedulability.blocking import of_deadline
from takt_cli.schedulability.busy_period import MOST_JOBS, busy_period, fixed_point
from takt_cli.schedulability.task import Bound, Task, TaskSet, TooLongError
from takt_cli.spec.units import format_share

# Jobs of what has no deadline to come after.
_NO_LIMIT = 1 << 62


def response(tasks: TaskSet, index: int) -> Bound:
    """The worst response time of the task at `index`, if it can be said."""
    if tasks.utilisation > 1:
        return Bound(None, why=f"the tasks ask for {format_share(tasks.utilisation)} of the processor")
    try:
        return _worst(tasks, index)
    except TooLongError:
        return Bound(None, why="the longest busy period has too many jobs to look at")


def _worst(tasks: TaskSet, index: int) -> Bound:
    task = tasks.tasks[index]
    worst = Bound(task.wcet + task.jitter)
    for release in _releases(tasks, index):
        blocking = of_deadline(tasks, release + task.deadline, task)
        length = _finish(tasks, index, release, blocking.length) - release
        if worst.response is None or length > worst.response:
            worst = Bound(length, blocking=blocking.length, blocker=blocking.by, after=release)
    return worst


def _releases(tasks: TaskSet, index: int) -> list[int]:
    """The instants after the beginning of a busy period at which the task's release may be worst: its
    deadline is then the first that some other job's precedes."""
    task = tasks.tasks[index]
    most = max(_blocking_of_all(tasks), 0)
    end = busy_period(tasks.everything, most)
    if end is None:
        end = tasks.hyperperiod + max(t.deadline + t.jitter for t in tasks.tasks)
    found: set[int] = set()
    for i, other in enumerate(tasks.tasks):
        late = 0 if i == index or _precedes(tasks, i, index) else 1
        first = other.deadline - other.jitter - task.deadline + late
        # From the first that is not before the beginning.
        skipped = max(0, -((first + task.jitter) // other.period))
        if (end - first) // other.period - skipped > MOST_JOBS:
            raise TooLongError
        found.update(range(first + skipped * other.period, end, other.period))
    return sorted(found)


def _blocking_of_all(tasks: TaskSet) -> int:
    return max(of_deadline(tasks, task.deadline - task.jitter).length for task in tasks.tasks)


def _precedes(tasks: TaskSet, other: int, index: int) -> bool:
    """Whether of two jobs that are due together the other's goes first: it was released before, or is of
    an earlier task. Unless jitter blurs the order, which is then taken to be the worse."""
    a, b = tasks.tasks[other], tasks.tasks[index]
    return bool(a.jitter or b.jitter) or a.deadline > b.deadline or (a.deadline == b.deadline and other < index)


def _finish(tasks: TaskSet, index: int, release: int, blocking: int) -> int:
    """When the job ends that is released at `release`, after all others came together at 0."""
    task = tasks.tasks[index]
    due = release + task.deadline
    own = (release + task.jitter) // task.period
    before: list[tuple[Task, int]] = []
    for i, other in enumerate(tasks.tasks):
        slack = due + other.jitter - other.deadline - (0 if _precedes(tasks, i, index) else 1)
        if i != index and slack >= 0:
            before.append((other, slack // other.period + 1))
    before += ((thread, _NO_LIMIT) for thread in tasks.above)
    given = blocking + own * task.wcet
    start = fixed_point(
        lambda t: given + sum(min((t + h.jitter) // h.period + 1, most) * h.wcet for h, most in before), given
    )
    if start < release:
        return release + task.wcet  # the busy period was over before: another one is worse
    after = [(h, most) for h, most in before if h.may_preempt(task)]
    done = start + task.wcet - sum(min((start + h.jitter) // h.period + 1, most) * h.wcet for h, most in after)
    return fixed_point(
        lambda t: done + sum(min(-(-(t + h.jitter) // h.period), most) * h.wcet for h, most in after),
        start + task.wcet,
    )
