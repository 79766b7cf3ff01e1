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

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from takt_cli.schedulability.blocking import DeadlineBlocking
from takt_cli.schedulability.busy_period import MOST_JOBS, busy_period, fixed_point
from takt_cli.schedulability.columns import FAR, Columns, Integers, Mask
from takt_cli.schedulability.due import DoneBy, Due
from takt_cli.schedulability.instants import instants
from takt_cli.schedulability.kinds import Kinds
from takt_cli.schedulability.task import Bound, Task, TaskSet, TooLongError
from takt_cli.schedulability.workload import workload_of
from takt_cli.spec.units import format_share


class EarliestDeadlines:
    """All tasks of a processor, and their responses."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._columns = Columns(tasks.tasks)
        self._kinds = Kinds((task.period, task.jitter, task.deadline, task.level) for task in tasks.tasks)
        self._wcet = self._kinds.sums(self._columns.wcet)
        places = np.arange(len(tasks.tasks))
        # The first and the last task of each kind.
        self._latest = np.zeros(len(self._kinds), np.int64)
        self._latest[self._kinds.of] = places
        self._earliest = np.zeros(len(self._kinds), np.int64)
        self._earliest[self._kinds.of[::-1]] = places[::-1]
        self._blocking = DeadlineBlocking(tasks)
        self._above = workload_of(tasks.above)
        self._done_by = DoneBy(tasks, self._blocking)

    def response(self, index: int) -> Bound:
        """The worst response time of the task at `index`, if it can be said."""
        if self._tasks.utilisation > 1:
            return Bound(None, why=f"the tasks ask for {format_share(self._tasks.utilisation)} of the processor")
        try:
            return self._worst(index)
        except TooLongError:
            return Bound(None, why="the longest busy period has too many jobs to look at")

    def _worst(self, index: int) -> Bound:
        task = self._tasks.tasks[index]
        alone = task.wcet + task.jitter
        worst, found = Bound(alone), False
        others = self._others(index)
        releases = self._releases(index)
        most = self._most(task, releases)
        # Those that may be the worst come first, of equal ones the earliest: until none may be worse any more.
        for place in np.argsort(-most, kind="stable"):
            longest, release, bound = worst.response or 0, int(releases[place]), int(most[place])
            if bound <= alone or bound < longest:
                break
            if found and bound == longest and release > worst.after:
                continue
            blocking = self._blocking.of(task, release + task.deadline)
            length = self._finish(task, others, release, blocking.length) - release
            if length > longest or (found and length == longest and release < worst.after):
                worst, found = Bound(length, blocking=blocking.length, blocker=blocking.by, after=release), True
        return worst

    @cached_property
    def _end(self) -> int | None:
        """When the longest busy period is over, or repeats itself; None if it is too long to look at."""
        tasks = self._tasks.tasks
        most = max(self._blocking.within(task.deadline - task.jitter).length for task in tasks)
        try:
            end = busy_period(self._tasks.everything, most)
        except TooLongError:
            return None
        if end is None:
            end = self._tasks.hyperperiod + max(t.deadline + t.jitter for t in tasks)
        return end if end < FAR else None

    def _releases(self, index: int) -> Integers:
        """The instants after the beginning of a busy period at which the task's release may be worst, in their
        order: its deadline is then the first that some other job's precedes."""
        task, end = self._tasks.tasks[index], self._end
        if end is None:
            raise TooLongError
        periods, jitters, deadlines, _ = self._kinds.values
        found = []
        for late, there in enumerate(self._precede(index)):
            period, first = periods[there], (deadlines - jitters)[there] - task.deadline + late
            # From the first that is not before the beginning.
            skipped = np.maximum(0, -((first + task.jitter) // period))
            if (((end - first) // period - skipped) > MOST_JOBS).any():
                raise TooLongError
            found.append(instants(first, period, -task.jitter, end)[0])
        return np.unique(np.concatenate(found))

    def _precede(self, index: int) -> tuple[Mask, Mask]:
        """Of which kinds there are tasks of which a job that is due together goes first: it was released before, or
        is of an earlier task, unless jitter blurs the order, which is then taken to be the worse; and of which
        there are others."""
        task, (_, jitters, deadlines, _) = self._tasks.tasks[index], self._kinds.values
        blurred = (jitters != 0) | (task.jitter != 0)
        alike = deadlines == task.deadline
        return (
            blurred | (deadlines > task.deadline) | (alike & (self._earliest <= index)),
            ~blurred & ((deadlines < task.deadline) | (alike & (self._latest > index))),
        )

    def _most(self, task: Task, releases: Integers) -> Integers:
        """What the response may be at most, for each release."""
        busy, whole = self._done_by.within(releases + task.deadline)
        if not task.wcet:
            return whole - releases
        own = (releases + task.jitter) // task.period
        # Where all is over before its release, its own jobs among it, it has the processor for itself.
        over = (busy <= releases) & ((busy + task.jitter - 1) // task.period >= own)
        return np.where(over, 0, np.where(busy > releases, busy, whole) - releases)

    def _others(self, index: int) -> _Others:
        """Of whom jobs go before, and from which deadline on."""
        task, kinds, columns = self._tasks.tasks[index], self._kinds, self._columns
        periods, jitters, deadlines, levels = kinds.values
        # What is due together and not blurred by jitter goes by the order of the tasks.
        alike = (deadlines == task.deadline) & (jitters == 0) & (task.jitter == 0)
        there = (columns.deadline == task.deadline) & (columns.jitter == 0)
        there[index:] = False
        earlier = np.where(alike, kinds.sums(columns.wcet, there), self._wcet)
        later = np.where(alike, self._wcet - earlier, self._wcet)
        (later if alike[kinds.of[index]] else earlier)[kinds.of[index]] -= task.wcet
        parts = []
        for late, (some, wcet) in enumerate(zip(self._precede(index), (earlier, later), strict=True)):
            places = np.flatnonzero(some & (wcet > 0))
            first = (deadlines - jitters)[places] + late
            after = (levels[places] > task.ceiling) | task.brings
            parts.append((periods[places], jitters[places], wcet[places], first, after))
        return _Others(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def _finish(self, task: Task, others: _Others, release: int, blocking: int) -> int:
        """When the job ends that is released at `release`, after all others came together at 0."""
        own = (release + task.jitter) // task.period
        before, after = others.due(release + task.deadline)
        given = blocking + own * task.wcet
        start = fixed_point(lambda t: given + before.up_to(t) + self._above.up_to(t), given)
        if start < release:
            return release + task.wcet  # the busy period was over before: another one is worse
        # What came up to the start is done.
        done = start + task.wcet - after.up_to(start) - self._above.up_to(start)
        return fixed_point(lambda t: done + after.before(t) + self._above.before(t), start + task.wcet)


@dataclass(frozen=True)
class _Others:
    """Whose jobs go before one that is due at an instant: from which instant on, and who of them may preempt it."""

    period: Integers
    jitter: Integers
    wcet: Integers
    first: Integers
    after: Mask

    def due(self, instant: int) -> tuple[Due, Due]:
        there = self.first <= instant
        return self._some(instant, there), self._some(instant, there & self.after)

    def _some(self, instant: int, there: Mask) -> Due:
        most = (instant - self.first[there]) // self.period[there] + 1
        return Due(self.period[there], self.jitter[there], self.wcet[there], most)


def response(tasks: TaskSet, index: int) -> Bound:
    """Of one task alone: see EarliestDeadlines.response."""
    return EarliestDeadlines(tasks).response(index)


def responses(tasks: TaskSet, indices: Iterable[int]) -> list[Bound]:
    found = EarliestDeadlines(tasks)
    return [found.response(index) for index in indices]
