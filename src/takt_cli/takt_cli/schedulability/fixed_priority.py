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
    """One job of a busy period, in ns after its beginning: its release (it becomes ready up to the jitter later), its
    start and its end."""

    ready: int
    start: int
    finish: int


@dataclass(frozen=True)
class Wait:
    """What the jobs of a task wait for."""

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
        there = self.before.plus(self.period, self.jitter, self.wcet)
        start = 0
        for job in jobs_within(self.period, self.jitter, there, self.blocking):
            if job == self.end:
                return
            if job == MOST_JOBS:
                raise TooLongError
            given = self.blocking + job * self.wcet
            ready = job * self.period - self.jitter
            last = None if limit is None else limit + ready
            start = self._start(given, max(start, given), last)
            if last is not None and start > last:
                yield Job(ready, start, start)
                return
            finish = self._finish(start)
            yield Job(ready, start, finish)
            if last is not None and finish > last:
                return

    def _start(self, amount: int, least: int, last: int | None) -> int:
        """Return when the work released up to then, and `amount` ns more, is done."""
        return fixed_point(lambda t: amount + self.before.up_to(t), least, last)

    def _finish(self, start: int) -> int:
        """Return when a job ends that starts at `start`, preempted by what becomes ready after its start."""
        # What was released up to the start is already done.
        done = start + self.wcet - self.after.up_to(start)
        return fixed_point(lambda t: done + self.after.before(t), start + self.wcet)


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
        there = copy(self)
        there.columns = self.columns.with_wcets(dict(enumerate(wcets)))
        above = len(self.tasks.above)
        there._everything = self._everything.with_wcets(dict(enumerate(wcets, above)))
        there._shares = self._shares.with_wcets(wcets)
        there._keep(wcets)
        return there

    def _sums(self, urgency: int, ceiling: int | None) -> Integers:
        """Return for each kind the work of one job of each task that is at least as urgent and, if a ceiling is given,
        of a level above it."""
        there: Mask = self._everything.urgency >= urgency
        if ceiling is not None:
            there &= self._everything.level > ceiling
        # The threads above all jobs come first.
        there[: len(self.tasks.above)] = True
        return self.kinds.sums(self._everything.wcet, there)

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
        ceiling, mine = self.ceiling(index), self._wcets[index]
        before, after = self._workload(task.urgency, None), self._workload(task.urgency, ceiling)
        used = self._shares.of_urgency(task.urgency)
        before = before.plus(task.period, task.jitter, -mine)
        if ceiling is None:
            after = before
        less_urgent = False
        for place, other in wcets.items():
            which, more = tasks[place], other - self._wcets[place]
            if which.urgency < task.urgency:
                less_urgent = True
                continue
            used += self._shares.share(place, more)
            if place == index:
                continue
            before = before.plus(which.period, which.jitter, more)
            if ceiling is None or which.level > ceiling:
                after = after.plus(which.period, which.jitter, more)
        if used > self._shares.whole_processor:
            return None
        blocking = self._blocking_with(index, wcets) if less_urgent else self.blocking(index)
        end = self._hyperperiod(task.urgency) // task.period if used == self._shares.whole_processor else None
        wcet = wcets.get(index, mine)
        return Wait(task.period, task.jitter, wcet, before, after, blocking.length, end)

    def _blocking_with(self, index: int, wcets: Mapping[int, int]) -> Blocking:
        task, columns = self.tasks.tasks[index], self.columns.with_wcets(wcets)
        return blocking_of_urgency(columns, task.urgency, task.level)

    def _hyperperiod(self, urgency: int) -> int:
        there = [task for task in self.tasks.tasks if task.urgency >= urgency]
        return math.lcm(*{task.period for task in (*self.tasks.above, *there)})

    def response(self, index: int, stop_above: int | None = None) -> Bound:
        """Return the worst response time of the task at `index`. With `stop_above`, a result above that value may be
        any value above it."""
        blocking, wait = self.blocking(index), self.wait(index)
        if wait is None:
            used = Fraction(self._shares.of_urgency(self.tasks.tasks[index].urgency), self._shares.whole_processor)
            why = f"the task and all that are at least as urgent need {format_share(used)} of the processor"
            return Bound(None, blocking=blocking.length, blocker=blocking.blocker, why=why)
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
        found = self.response(index, deadline).response
        return found is not None and found <= deadline

    def _reached(self, index: int, blocking: int) -> bool:
        """Return whether the bound is reached by a simultaneous release, and these tasks are released so."""
        task = self.tasks.tasks[index]
        return blocking == 0 and not self.tasks.above and task.urgency in self._reaching

    @cached_property
    def _reaching(self) -> set[int]:
        """Urgencies with one task only that, with all more urgent tasks, is released simultaneously and without jitter
        or sections."""
        found: set[int] = set()
        tasks = sorted(self.tasks.tasks, key=lambda task: -task.urgency)
        for urgency, group in groupby(tasks, key=lambda task: task.urgency):
            alike = list(group)
            if any(t.jitter or t.section or t.phase != tasks[0].phase for t in alike):
                break
            if len(alike) == 1:
                found.add(urgency)
        return found


def response(tasks: TaskSet, index: int, stop_above: int | None = None) -> Bound:
    """Return the bound of one task alone: see FixedPriorities.response."""
    return FixedPriorities(tasks).response(index, stop_above)


def responses(tasks: TaskSet, indices: Iterable[int]) -> list[Bound]:
    """Return the bounds of the tasks at `indices`."""
    found = FixedPriorities(tasks)
    return [found.response(index) for index in indices]
