# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Response times under earliest deadline first: preemptive, non-preemptive, and with exclusive groups.

Sources: M. Spuri, "Analysis of deadline scheduled real-time systems", INRIA RR-2772, 1996: the worst
response time of a task occurs in a busy period at whose beginning all other tasks are released together, while the
task itself is released so that its deadline coincides with that of another job; George, Rivierre, Spuri 1996 (jobs that
are not preempted: until when they start). The cases in between, with groups, are as in fixed_priority.py: after its
start a job is preempted only by levels above its ceiling.

Assumes the same as fixed_priority.py. The spec's own phases may lead to shorter response times, so a result is always
an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from takt_cli.schedulability.blocking import DeadlineBlocking
from takt_cli.schedulability.busy_period import MOST_JOBS, busy_period, fixed_point
from takt_cli.schedulability.columns import MAX_TIME, Columns, Integers, Mask
from takt_cli.schedulability.due_work import DueWork, LatestCompletions
from takt_cli.schedulability.instants import instants
from takt_cli.schedulability.task import Bound, Task, TaskSet, TooLongError
from takt_cli.schedulability.task_classes import TaskClasses
from takt_cli.schedulability.workload import workload_of
from takt_cli.spec.units import format_share


class EarliestDeadlines:
    """The tasks of a processor under earliest deadline first, and their response times."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._columns = Columns(tasks.tasks)
        self._kinds = TaskClasses((task.period, task.jitter, task.deadline, task.level) for task in tasks.tasks)
        self._wcet = self._kinds.sums(self._columns.wcet)
        places = np.arange(len(tasks.tasks))
        # The first and the last task of each kind.
        self._latest = np.zeros(len(self._kinds), np.int64)
        self._latest[self._kinds.class_of_task] = places
        self._earliest = np.zeros(len(self._kinds), np.int64)
        self._earliest[self._kinds.class_of_task[::-1]] = places[::-1]
        self._blocking = DeadlineBlocking(tasks)
        self._above = workload_of(tasks.above)
        self._done_by = LatestCompletions(tasks, self._blocking)

    def response(self, index: int) -> Bound:
        """Return the bound of the response times of the task at `index`; without a bound, the reason."""
        if self._tasks.utilisation > 1:
            return Bound(None, why=f"the tasks need {format_share(self._tasks.utilisation)} of the processor")
        try:
            return self._worst_response(index)
        except TooLongError:
            return Bound(None, why="the longest busy period has too many jobs to analyse")

    def _worst_response(self, index: int) -> Bound:
        task = self._tasks.tasks[index]
        response_alone = task.wcet + task.jitter
        worst, is_from_release = Bound(response_alone), False
        others = self._earlier_jobs(index)
        releases = self._releases(index)
        upper_limits = self._upper_limits(task, releases)
        # By falling upper limit, of equal ones the earliest first, until no other can be worse than the worst found.
        for place in np.argsort(-upper_limits, kind="stable"):
            worst_so_far, release, bound = worst.response or 0, int(releases[place]), int(upper_limits[place])
            if bound <= response_alone or bound < worst_so_far:
                break
            if is_from_release and bound == worst_so_far and release > worst.after:
                continue
            blocking = self._blocking.of_task(task, release + task.deadline)
            length = self._finish(task, others, release, blocking.length) - release
            if length > worst_so_far or (is_from_release and length == worst_so_far and release < worst.after):
                worst, is_from_release = (
                    Bound(length, blocking=blocking.length, blocker=blocking.blocker, after=release),
                    True,
                )
        return worst

    @cached_property
    def _busy_period_end(self) -> int | None:
        """The end of the longest busy period, or the time after which it repeats itself; None if that is too long to
        analyse."""
        tasks = self._tasks.tasks
        longest_blocking = max(self._blocking.within(task.deadline - task.jitter).length for task in tasks)
        try:
            end = busy_period(self._tasks.everything, longest_blocking)
        except TooLongError:
            return None
        if end is None:
            end = self._tasks.hyperperiod + max(t.deadline + t.jitter for t in tasks)
        return end if end < MAX_TIME else None

    def _releases(self, index: int) -> Integers:
        """Return the instants after the beginning of a busy period at which a release of the task may be the worst,
        ascending: its deadline is then the first one that is preceded by that of some other job."""
        task, end = self._tasks.tasks[index], self._busy_period_end
        if end is None:
            raise TooLongError
        periods, jitters, deadlines, _ = self._kinds.values
        release_instants = []
        for late, selected in enumerate(self._preceding_kinds(index)):
            period, first = periods[selected], (deadlines - jitters)[selected] - task.deadline + late
            # From the first instant that is not before the beginning of the busy period.
            skipped = np.maximum(0, -((first + task.jitter) // period))
            if (((end - first) // period - skipped) > MOST_JOBS).any():
                raise TooLongError
            release_instants.append(instants(first, period, -task.jitter, end)[0])
        return np.unique(np.concatenate(release_instants))

    def _preceding_kinds(self, index: int) -> tuple[Mask, Mask]:
        """Return two masks of kinds.

        The first: kinds with tasks whose job goes first if it is due at the same instant, because it was released
        earlier or belongs to an earlier task; with jitter the order is unknown and the worse one is assumed. The
        second: kinds with tasks for which that is not so."""
        task, (_, jitters, deadlines, _) = self._tasks.tasks[index], self._kinds.values
        blurred = (jitters != 0) | (task.jitter != 0)
        same_deadline = deadlines == task.deadline
        return (
            blurred | (deadlines > task.deadline) | (same_deadline & (self._earliest <= index)),
            ~blurred & ((deadlines < task.deadline) | (same_deadline & (self._latest > index))),
        )

    def _upper_limits(self, task: Task, releases: Integers) -> Integers:
        """Return an upper limit of the response time for each release."""
        busy, completions = self._done_by.within(releases + task.deadline)
        if not task.wcet:
            return completions - releases
        job_number = (releases + task.jitter) // task.period
        # If all work, including the task's earlier jobs, is done before the release, the job runs alone.
        runs_alone = (busy <= releases) & ((busy + task.jitter - 1) // task.period >= job_number)
        return np.where(runs_alone, 0, np.where(busy > releases, busy, completions) - releases)

    def _earlier_jobs(self, index: int) -> _EarlierJobs:
        """Return the jobs of other tasks that go before a job of the task, and from which deadline on."""
        task, kinds, columns = self._tasks.tasks[index], self._kinds, self._columns
        periods, jitters, deadlines, levels = kinds.values
        # Jobs that are due together, without jitter, go by the order of the tasks.
        due_together = (deadlines == task.deadline) & (jitters == 0) & (task.jitter == 0)
        goes_first = (columns.deadline == task.deadline) & (columns.jitter == 0)
        goes_first[index:] = False
        earlier_wcet = np.where(due_together, kinds.sums(columns.wcet, goes_first), self._wcet)
        later_wcet = np.where(due_together, self._wcet - earlier_wcet, self._wcet)
        (later_wcet if due_together[kinds.class_of_task[index]] else earlier_wcet)[kinds.class_of_task[index]] -= (
            task.wcet
        )
        parts = []
        for late, (selected, wcet) in enumerate(
            zip(self._preceding_kinds(index), (earlier_wcet, later_wcet), strict=True)
        ):
            places = np.flatnonzero(selected & (wcet > 0))
            first = (deadlines - jitters)[places] + late
            may_preempt = (levels[places] > task.ceiling) | task.runs_other_jobs_first
            parts.append((periods[places], jitters[places], wcet[places], first, may_preempt))
        return _EarlierJobs(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def _finish(self, task: Task, others: _EarlierJobs, release: int, blocking: int) -> int:
        """Return when the job ends that is released at `release`, if all others were released together at 0."""
        job_number = (release + task.jitter) // task.period
        work_before, work_after = others.due(release + task.deadline)
        known_work = blocking + job_number * task.wcet
        start = fixed_point(lambda t: known_work + work_before.up_to(t) + self._above.up_to(t), known_work)
        if start < release:
            return release + task.wcet  # this busy period was over before the release: another one is worse
        # What was released up to the start is already done.
        base = start + task.wcet - work_after.up_to(start) - self._above.up_to(start)
        return fixed_point(lambda t: base + work_after.before(t) + self._above.before(t), start + task.wcet)


@dataclass(frozen=True)
class _EarlierJobs:
    """The jobs that go before one that is due at a given instant: each kind from the instant `first` on; `after` tells
    which kinds may preempt it after its start."""

    period: Integers
    jitter: Integers
    wcet: Integers
    first: Integers
    after: Mask

    def due(self, instant: int) -> tuple[DueWork, DueWork]:
        """Return the jobs due by `instant` that run before the job starts, and those of them that may preempt it
        later."""
        is_due = self.first <= instant
        return self._selected_work(instant, is_due), self._selected_work(instant, is_due & self.after)

    def _selected_work(self, instant: int, selected: Mask) -> DueWork:
        most_jobs = (instant - self.first[selected]) // self.period[selected] + 1
        return DueWork(self.period[selected], self.jitter[selected], self.wcet[selected], most_jobs)


def response(tasks: TaskSet, index: int) -> Bound:
    """Return the bound of one task alone: see EarliestDeadlines.response."""
    return EarliestDeadlines(tasks).response(index)


def responses(tasks: TaskSet, indices: Iterable[int]) -> list[Bound]:
    """Return the bounds of the tasks at `indices`."""
    analysis = EarliestDeadlines(tasks)
    return [analysis.response(index) for index in indices]
