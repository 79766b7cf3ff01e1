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
        ready, part_of_instant = instants(-jitter, period, -int(jitter.max(initial=0)), end)
        order = np.argsort(ready, kind="stable")
        self._ready = ready[order]
        self._sums = np.append(0, np.cumsum(wcet[part_of_instant[order]]))

    def before(self, lengths: Integers) -> Integers:
        return self._sums[np.searchsorted(self._ready, lengths)]

    def instants(self, end: int) -> Integers:
        """Return the instants at which jobs become ready, after the beginning and before `end`."""
        return self._ready[slice(*np.searchsorted(self._ready, (1, end)))]


@dataclass(frozen=True)
class _JobSlack:
    """The slack of a job of the task: instants at which it may start, the time left up to each, and for each start two
    instants at which it may then end, with the time left there."""

    start: Integers
    left: Integers
    ends: tuple[tuple[Integers, Integers], ...]


class Slack:
    """The slack of the task at `index`, by the first jobs of a busy period."""

    def __init__(self, priorities: FixedPriorities, index: int) -> None:
        self._task = task = priorities.tasks.tasks[index]
        own_kind = priorities.kinds.class_of_task[len(priorities.tasks.above) + index]
        all_work = priorities.sums(task.urgency, None)
        preempting_work = priorities.sums(task.urgency, priorities.ceiling(index)).copy()
        preempting_work[own_kind] -= task.wcet if task.runs_other_jobs_first else 0
        other_work = all_work - preempting_work
        other_work[own_kind] -= task.wcet
        periods, jitters = priorities.kinds.values
        self._blocking = priorities.blocking(index).length
        self._deadline = task.deadline - task.jitter
        end = max(self._deadline, task.period) + (_JOBS - 1) * task.period + 1
        few_instants = count(-jitters[all_work > 0], periods[all_work > 0], 0, end) <= _INSTANTS
        self.is_known = few_instants and task.wcet > 0 and self._deadline > 0
        """True if this analysis gives a result; otherwise the other methods must not be called."""
        if self.is_known:
            self._all_work, self._preempting_work, self._other_work = (
                _Work(periods[wcets > 0], jitters[wcets > 0], wcets[wcets > 0], end)
                for wcets in (all_work, preempting_work, other_work)
            )
            candidate_instants = np.append(self._all_work.instants(end), [end - 1, self._deadline, *self._ends()])
            self._later_instants = np.unique(candidate_instants[candidate_instants > 0])
            self._later_time_left = self._later_instants - self._blocking - self._all_work.before(self._later_instants)
            self._first_jobs = [self._job_slack(number) for number in range(_JOBS)]

    def _ends(self) -> list[int]:
        """The instants before which a busy period has no more than one, two, ... of the task's jobs."""
        return [number * self._task.period - self._task.jitter for number in range(1, _JOBS + 1)]

    def _job_slack(self, number: int) -> _JobSlack:
        """Return the possible starts and ends of the task's job `number` in a busy period, from 0."""
        task, latest = self._task, self._deadline + number * self._task.period
        starts = np.append(self._preempting_work.instants(latest), self._other_work.instants(latest)) - 1
        starts = np.unique(np.append(starts, max(0, latest - task.wcet)))
        known_work = self._blocking + number * task.wcet
        up_to_start = self._other_work.before(starts + 1)
        time_left = starts - known_work - up_to_start - self._preempting_work.before(starts + 1)
        ends = np.unique(np.append(self._preempting_work.instants(latest), latest))
        of_ends = ends - self._preempting_work.before(ends)
        # Of all later ends, the one with the most time left.
        order = np.arange(len(ends))
        best_from_end = np.maximum.accumulate(of_ends[::-1])[::-1]
        best_later_end = np.minimum.accumulate(np.where(of_ends == best_from_end, order, len(ends) - 1)[::-1])[::-1]
        next_end = np.searchsorted(ends, starts, side="right")
        return _JobSlack(
            starts,
            time_left,
            tuple(
                (ends[places], of_ends[places] - known_work - task.wcet - up_to_start)
                for places in (next_end, best_later_end[next_end])
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
        slack = self._slack_for(
            lambda lengths: (lengths + (task.jitter - 1)) // task.period + 1,
            lambda start, number: np.full(len(start), number),
            lambda start, _, number: np.full(len(start), number + 1),
        )
        return slack if slack >= 0 else -MAX_TIME

    def for_blocking(self) -> int:
        """Return how much longer, in ns, a less urgent job may block the task, once."""
        return self._slack_for(
            np.ones_like, lambda start, _: np.ones_like(start), lambda start, *_: np.ones_like(start)
        )

    def _slack_for(
        self,
        jobs_before: Jobs,
        to_start: Callable[[Integers, int], Integers],
        to_end: Callable[[Integers, Integers, int], Integers],
    ) -> int:
        """Return how much longer each job of a task may take, given how many of its jobs come before an instant
        (`jobs_before`), and before the start and the end of the analysed task's job with a given number (`to_start`,
        `to_end`)."""
        slack_when_over = _divided(self._later_time_left, jobs_before(self._later_instants))
        longest_growth = int(slack_when_over[self._later_instants <= self._deadline].max())
        in_time = MAX_TIME
        for number, end in enumerate(self._ends()):
            job_slack = self._first_jobs[number]
            slack_at_ends = [_divided(left, to_end(job_slack.start, at, number)) for at, left in job_slack.ends]
            slack_by_start = np.minimum(
                _divided(job_slack.left, to_start(job_slack.start, number)), np.maximum(*slack_at_ends)
            )
            in_time = min(in_time, int(slack_by_start.max()))
            # If the busy period is over by then, it contains no further job of the task.
            slack_before_end = int(slack_when_over[self._later_instants <= end].max(initial=-MAX_TIME))
            longest_growth = max(longest_growth, min(in_time, slack_before_end))
            if longest_growth >= in_time:
                break
        return longest_growth


def _divided(time_left: Integers, jobs: Integers) -> Integers:
    """Return `time_left` per job; unlimited where there is no job and `time_left` is not negative."""
    if jobs.all():
        return time_left // jobs
    time_per_job: Integers = np.where(
        jobs > 0, time_left // np.maximum(jobs, 1), np.where(time_left < 0, -MAX_TIME, MAX_TIME)
    )
    return time_per_job
