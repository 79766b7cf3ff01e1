# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Slack: the time that is left before the deadlines of one task's jobs, and thus how much longer other jobs may take.

Source: E. Bini, G. Buttazzo, "Schedulability analysis of periodic fixed priority systems", IEEE Transactions on
Computers 53, 2004: a job is in time if at some instant before its deadline all work that was released before is done.
With preemption thresholds there are two instants: one at which the job may start, because all work released up to then
is done; and one at which it may end, having been preempted after its start only by tasks that may preempt it. The time
left at each of them, divided by the number of jobs of another task before it, is how much longer each job of that task
may take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from takt_cli.schedulability.columns import MAX_TIME, Integers
from takt_cli.schedulability.fixed_priority import FixedPriorities
from takt_cli.schedulability.instants import count, instants

# How many jobs of a task are examined in a busy period, and how many instants at most.
_JOBS = 3
_INSTANTS = 20_000

Jobs = Callable[[Integers], Integers]
"""The number of a task's jobs that are released before each of the given instants."""


class _Work:
    """Cumulative work of periodic tasks from the beginning of a busy period to `end`."""

    def __init__(self, period: Integers, jitter: Integers, wcet: Integers, end: int) -> None:
        ready, of = instants(-jitter, period, -int(jitter.max(initial=0)), end)
        order = np.argsort(ready, kind="stable")
        self._ready = ready[order]
        self._sums = np.append(0, np.cumsum(wcet[of[order]]))

    def before(self, lengths: Integers) -> Integers:
        return self._sums[np.searchsorted(self._ready, lengths)]

    def instants(self, end: int) -> Integers:
        """Return the instants at which jobs become ready, after the beginning and before `end`."""
        return self._ready[slice(*np.searchsorted(self._ready, (1, end)))]


@dataclass(frozen=True)
class _JobSlack:
    """One job of the task: instants at which it may start, the time left up to each, and for each start two instants at
    which it may then end, with the time left there."""

    start: Integers
    left: Integers
    ends: tuple[tuple[Integers, Integers], ...]


class Slack:
    """The slack of the task at `index`, by the first jobs of a busy period."""

    def __init__(self, priorities: FixedPriorities, index: int) -> None:
        self._task = task = priorities.tasks.tasks[index]
        own = priorities.kinds.class_of_task[len(priorities.tasks.above) + index]
        every = priorities.sums(task.urgency, None)
        after = priorities.sums(task.urgency, priorities.ceiling(index)).copy()
        after[own] -= task.wcet if task.runs_other_jobs_first else 0
        rest = every - after
        rest[own] -= task.wcet
        periods, jitters = priorities.kinds.values
        self._blocking = priorities.blocking(index).length
        self._deadline = task.deadline - task.jitter
        far = max(self._deadline, task.period) + (_JOBS - 1) * task.period + 1
        few = count(-jitters[every > 0], periods[every > 0], 0, far) <= _INSTANTS
        self.is_known = few and task.wcet > 0 and self._deadline > 0
        """Whether this analysis gives a result; otherwise the other methods must not be called."""
        if self.is_known:
            self._all, self._after, self._rest = (
                _Work(periods[wcets > 0], jitters[wcets > 0], wcets[wcets > 0], far) for wcets in (every, after, rest)
            )
            over = np.append(self._all.instants(far), [far - 1, self._deadline, *self._ends()])
            self._later_instants = np.unique(over[over > 0])
            self._later_time_left = self._later_instants - self._blocking - self._all.before(self._later_instants)
            self._first_jobs = [self._job_slack(number) for number in range(_JOBS)]

    def _ends(self) -> list[int]:
        """The instants before which a busy period has no more than one, two, ... of the task's jobs."""
        return [number * self._task.period - self._task.jitter for number in range(1, _JOBS + 1)]

    def _job_slack(self, number: int) -> _JobSlack:
        """Return the possible starts and ends of the task's job `number` in a busy period, from 0."""
        task, last = self._task, self._deadline + number * self._task.period
        starts = np.append(self._after.instants(last), self._rest.instants(last)) - 1
        starts = np.unique(np.append(starts, max(0, last - task.wcet)))
        given = self._blocking + number * task.wcet
        up_to_start = self._rest.before(starts + 1)
        left = starts - given - up_to_start - self._after.before(starts + 1)
        ends = np.unique(np.append(self._after.instants(last), last))
        of_ends = ends - self._after.before(ends)
        # Of all later ends, the one with the most time left.
        order = np.arange(len(ends))
        best = np.maximum.accumulate(of_ends[::-1])[::-1]
        later = np.minimum.accumulate(np.where(of_ends == best, order, len(ends) - 1)[::-1])[::-1]
        following = np.searchsorted(ends, starts, side="right")
        return _JobSlack(
            starts,
            left,
            tuple(
                (ends[places], of_ends[places] - given - task.wcet - up_to_start)
                for places in (following, later[following])
            ),
        )

    def for_another(self, period: int, jitter: int, preempts: bool) -> int:
        """Return how much longer, in ns, each job may take of a task that is at least as urgent."""

        def jobs(lengths: Integers) -> Integers:
            return (lengths + (jitter - 1)) // period + 1

        return self._slack_for(
            jobs, lambda start, _: jobs(start + 1), lambda start, end, _: jobs(end if preempts else start + 1)
        )

    def for_itself(self) -> int:
        """Return how much longer, in ns, each of the task's own jobs may take; -MAX_TIME if this analysis cannot
        tell."""
        task = self._task
        found = self._slack_for(
            lambda lengths: (lengths + (task.jitter - 1)) // task.period + 1,
            lambda start, number: np.full(len(start), number),
            lambda start, _, number: np.full(len(start), number + 1),
        )
        return found if found >= 0 else -MAX_TIME

    def for_blocking(self) -> int:
        """Return how much longer, in ns, a less urgent job may block the task, once."""
        return self._slack_for(
            np.ones_like, lambda start, _: np.ones_like(start), lambda start, *_: np.ones_like(start)
        )

    def _slack_for(
        self,
        before: Jobs,
        to_start: Callable[[Integers, int], Integers],
        to_end: Callable[[Integers, Integers, int], Integers],
    ) -> int:
        """Return how much longer each job of a task may take, given how many of its jobs come before an instant
        (`before`), and before the start and the end of the analysed task's job with a given number (`to_start`,
        `to_end`)."""
        over = _divided(self._later_time_left, before(self._later_instants))
        most = int(over[self._later_instants <= self._deadline].max())
        in_time = MAX_TIME
        for number, end in enumerate(self._ends()):
            done = self._first_jobs[number]
            ends = [_divided(left, to_end(done.start, at, number)) for at, left in done.ends]
            room = np.minimum(_divided(done.left, to_start(done.start, number)), np.maximum(*ends))
            in_time = min(in_time, int(room.max()))
            # If the busy period is over by then, it contains no further job of the task.
            alone = int(over[self._later_instants <= end].max(initial=-MAX_TIME))
            most = max(most, min(in_time, alone))
            if most >= in_time:
                break
        return most


def _divided(left: Integers, jobs: Integers) -> Integers:
    """Return `left` per job; unlimited where there is no job and `left` is not negative."""
    if jobs.all():
        return left // jobs
    found: Integers = np.where(jobs > 0, left // np.maximum(jobs, 1), np.where(left < 0, -MAX_TIME, MAX_TIME))
    return found
