# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Response times under fixed priorities: preemptive, non-preemptive, and with exclusive groups.

All three are cases of preemption thresholds: before its start a job waits for all jobs that are at least as
urgent, after its start it is preempted only by those whose level is above its ceiling.

Sources: M. Joseph, P. Pandya, "Finding response times in a real-time system", The Computer Journal 29,
1986; Lehoczky 1990 (see busy_period.py) for several jobs in a busy period, so that deadlines may exceed
periods; L. George, N. Rivierre, M. Spuri, "Preemptive and non-preemptive real-time uniprocessor
scheduling", INRIA RR-2966, 1996, and R. Davis, A. Burns, R. Bril, J. Lukkien, "Controller Area Network
(CAN) schedulability analysis: refuted, revisited and revised", Real-Time Systems 35, 2007, for jobs that
are not preempted, which may delay their successors; Y. Wang, M. Saksena, "Scheduling fixed-priority tasks
with preemption threshold", RTCSA 1999, with U. Keskin, R. Bril, J. Lukkien, "Exact response-time analysis
for fixed-priority preemption-threshold scheduling", ETFA 2010, for the cases in between.

Assumes: jobs are released at least a period apart (phases can only improve the result) and take at most their WCET, on
one processor, and wait for nothing but the processor. Of equally urgent tasks each is assumed to go before the other,
which gives a bound, whereas the model breaks the tie.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby

from takt_cli.schedulability.blocking import Blocking, blocking_of_urgency
from takt_cli.schedulability.busy_period import MOST_JOBS, fixed_point, jobs_within
from takt_cli.schedulability.columns import Columns, Integers, Mask
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.task import Bound, TaskSet, TooLongError
from takt_cli.schedulability.task_classes import TaskClasses
from takt_cli.schedulability.workload import Workload, workload
from takt_cli.spec.units import format_share

# How many workloads are cached: if tasks are analysed in order of urgency, neighbours share theirs.
_CACHED_WORKLOADS = 128


@dataclass(frozen=True)
class Job:
    """A job of a busy period, in ns after its beginning: its release (it becomes ready up to the jitter later), its
    start and its end."""

    ready: int
    start: int
    finish: int


@dataclass(frozen=True)
class Wait:
    """The work that the jobs of a task wait for."""

    period: int
    jitter: int
    wcet: int
    before: Workload
    """Work at least as urgent, for which a job waits until it starts."""
    after: Workload
    """Work that may preempt a job, until it ends."""
    blocking: int
    end: int | None = None
    """The number of jobs after which the busy period repeats itself. It may never end if the processor is fully
    utilised; None otherwise."""

    def jobs(self, limit: int | None = None) -> Iterator[Job]:
        """Yield the jobs of the longest busy period, in order.

        With `limit` it stops after the first job whose response time is above it; that job's finish is then not its
        true one, only late enough. Raises TooLongError."""
        total_workload = self.before.plus(self.period, self.jitter, self.wcet)
        start = 0
        for job in jobs_within(self.period, self.jitter, total_workload, self.blocking):
            if job == self.end:
                return
            if job == MOST_JOBS:
                raise TooLongError
            known_work = self.blocking + job * self.wcet
            release = job * self.period - self.jitter
            latest_finish = None if limit is None else limit + release
            start = self._start(known_work, max(start, known_work), latest_finish)
            if latest_finish is not None and start > latest_finish:
                yield Job(release, start, start)
                return
            finish = self._finish(start)
            yield Job(release, start, finish)
            if latest_finish is not None and finish > latest_finish:
                return

    def _start(self, amount: int, least: int, stop_above: int | None) -> int:
        """Return when the work released up to then, and `amount` ns more, is done."""
        return fixed_point(lambda t: amount + self.before.up_to(t), least, stop_above)

    def _finish(self, start: int) -> int:
        """Return when a job ends that starts at `start`, preempted by what becomes ready after its start."""
        # What was released up to the start is already done.
        base = start + self.wcet - self.after.up_to(start)
        return fixed_point(lambda t: base + self.after.before(t), start + self.wcet)


class FixedPriorities:
    """All tasks of a processor: their workloads, blocking and response times."""

    def __init__(self, tasks: TaskSet) -> None:
        self.tasks = tasks
        self.columns = Columns(tasks.tasks)
        self._everything = Columns(tasks.everything)
        self.kinds = TaskClasses((task.period, task.jitter) for task in tasks.everything)
        self._shares = Shares(tasks)
        self._keep(self.columns.wcet.tolist())

    def _keep(self, wcets: Sequence[int]) -> None:
        self._wcets = wcets
        self.sums = lru_cache(_CACHED_WORKLOADS)(self._sums)
        period, jitter = self.kinds.values
        self._workload = lru_cache(_CACHED_WORKLOADS)(lambda *of: workload(period, jitter, self.sums(*of)))
        self._blocking = lru_cache(_CACHED_WORKLOADS)(lambda *of: blocking_of_urgency(self.columns, *of))

    def with_wcets(self, wcets: Sequence[int]) -> FixedPriorities:
        """Return the analysis of the same tasks with other WCETs."""
        analysis = copy(self)
        analysis.columns = self.columns.with_wcets(dict(enumerate(wcets)))
        first_index = len(self.tasks.above)
        analysis._everything = self._everything.with_wcets(dict(enumerate(wcets, first_index)))
        analysis._shares = self._shares.with_wcets(wcets)
        analysis._keep(wcets)
        return analysis

    def _sums(self, urgency: int, ceiling: int | None) -> Integers:
        """Return for each kind the work of one job of each task that is at least as urgent and, if a ceiling is given,
        of a level above it."""
        selected: Mask = self._everything.urgency >= urgency
        if ceiling is not None:
            selected &= self._everything.level > ceiling
        # The threads above all jobs come first.
        selected[: len(self.tasks.above)] = True
        return self.kinds.sums(self._everything.wcet, selected)

    def ceiling(self, index: int) -> int | None:
        """Return the ceiling that a level must exceed to preempt the task; None if everything at least as urgent
        may."""
        task = self.tasks.tasks[index]
        return None if task.runs_other_jobs_first else task.ceiling

    def blocking(self, index: int) -> Blocking:
        """Return the blocking of the task at `index`."""
        task = self.tasks.tasks[index]
        return self._blocking(task.urgency, task.level)

    def wait(self, index: int, wcets: Mapping[int, int] | None = None) -> Wait | None:
        """Return what the task waits for, with other WCETs for some tasks if given. None if the task and everything at
        least as urgent use more than the whole processor."""
        tasks, task = self.tasks.tasks, self.tasks.tasks[index]
        wcets = wcets or {}
        ceiling, own_wcet = self.ceiling(index), self._wcets[index]
        work_before, work_after = self._workload(task.urgency, None), self._workload(task.urgency, ceiling)
        used_share = self._shares.of_urgency(task.urgency)
        work_before = work_before.plus(task.period, task.jitter, -own_wcet)
        if ceiling is None:
            work_after = work_before
        less_urgent = False
        for place, other in wcets.items():
            changed_task, added_wcet = tasks[place], other - self._wcets[place]
            if changed_task.urgency < task.urgency:
                less_urgent = True
                continue
            used_share += self._shares.share(place, added_wcet)
            if place == index:
                continue
            work_before = work_before.plus(changed_task.period, changed_task.jitter, added_wcet)
            if ceiling is None or changed_task.level > ceiling:
                work_after = work_after.plus(changed_task.period, changed_task.jitter, added_wcet)
        if used_share > self._shares.whole_processor:
            return None
        blocking = self._blocking_with(index, wcets) if less_urgent else self.blocking(index)
        end = self._hyperperiod(task.urgency) // task.period if used_share == self._shares.whole_processor else None
        wcet = wcets.get(index, own_wcet)
        return Wait(task.period, task.jitter, wcet, work_before, work_after, blocking.length, end)

    def _blocking_with(self, index: int, wcets: Mapping[int, int]) -> Blocking:
        task, columns = self.tasks.tasks[index], self.columns.with_wcets(wcets)
        return blocking_of_urgency(columns, task.urgency, task.level)

    def _hyperperiod(self, urgency: int) -> int:
        urgent_tasks = [task for task in self.tasks.tasks if task.urgency >= urgency]
        return math.lcm(*{task.period for task in (*self.tasks.above, *urgent_tasks)})

    def response(self, index: int, stop_above: int | None = None) -> Bound:
        """Return the worst response time of the task at `index`. With `stop_above`, a result above that value may be
        any value above it."""
        blocking, wait = self.blocking(index), self.wait(index)
        if wait is None:
            used_share = Fraction(
                self._shares.of_urgency(self.tasks.tasks[index].urgency), self._shares.whole_processor
            )
            reason = f"the task and all that are at least as urgent need {format_share(used_share)} of the processor"
            return Bound(None, blocking=blocking.length, blocker=blocking.blocker, why=reason)
        try:
            worst = max(job.finish - job.ready for job in wait.jobs(stop_above))
        except TooLongError:
            return Bound(None, why="the longest busy period has too many jobs to analyse")
        return Bound(worst, self._reached(index, blocking.length), blocking.length, blocking.blocker)

    @property
    def least_urgent_first(self) -> list[int]:
        """The tasks' places, the least urgent first, as these usually miss their deadlines first."""
        return sorted(range(len(self.tasks.tasks)), key=lambda index: self.tasks.tasks[index].urgency)

    def in_time(self, index: int) -> bool:
        """Return whether it is shown that all jobs of the task meet their deadlines."""
        deadline = self.tasks.tasks[index].deadline
        bound = self.response(index, deadline).response
        return bound is not None and bound <= deadline

    def _reached(self, index: int, blocking: int) -> bool:
        """Return whether the bound is reached by a simultaneous release, and these tasks are released so."""
        task = self.tasks.tasks[index]
        return blocking == 0 and not self.tasks.above and task.urgency in self._reaching

    @cached_property
    def _reaching(self) -> set[int]:
        """Urgencies with one task only that, with all more urgent tasks, is released simultaneously and without jitter
        or sections."""
        urgencies: set[int] = set()
        tasks = sorted(self.tasks.tasks, key=lambda task: -task.urgency)
        for urgency, group in groupby(tasks, key=lambda task: task.urgency):
            equally_urgent = list(group)
            if any(t.jitter or t.section or t.phase != tasks[0].phase for t in equally_urgent):
                break
            if len(equally_urgent) == 1:
                urgencies.add(urgency)
        return urgencies


def response(tasks: TaskSet, index: int, stop_above: int | None = None) -> Bound:
    """Return the bound of one task alone: see FixedPriorities.response."""
    return FixedPriorities(tasks).response(index, stop_above)


def responses(tasks: TaskSet, indices: Iterable[int]) -> list[Bound]:
    """Return the bounds of the tasks at `indices`."""
    analysis = FixedPriorities(tasks)
    return [analysis.response(index) for index in indices]
