# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sensitivity under fixed priorities: how long the jobs of one task may take before a deadline can be missed.

Source: E. Bini, G. Buttazzo, "Schedulability analysis of periodic fixed priority systems", IEEE Transactions on
Computers 53, 2004: a task holds if at some instant before its deadline all work that was released before is done. The
time that is left at that instant limits the growth of every other task, for all of them at once. Only the few tasks for
which this limit is too pessimistic need a search of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from heapq import heappop, heappush

import numpy as np

from takt_cli.schedulability.columns import MAX_TIME, Integers, Mask
from takt_cli.schedulability.fixed_priority import FixedPriorities
from takt_cli.schedulability.sensitivity import largest_that_holds
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.slack import Slack
from takt_cli.schedulability.task import TaskSet, TooLongError

# How many instants are examined for each task, and how many of them are stored.
_EXAMINED_INSTANTS = 24
_STORED_INSTANTS = 4
# For how many tasks the full slack is cached in addition.
_SLACKS = 256


class PriorityGrowth:
    """The limits of execution times under fixed priorities, one task at a time."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._priorities = FixedPriorities(tasks)
        self._shares = Shares(tasks)
        self._blocking = np.array([self._priorities.blocking(i).length for i in range(len(tasks.tasks))], np.int64)
        self._slack = lru_cache(_SLACKS)(lambda index: Slack(self._priorities, index))
        time_left_by_task = [self._time_left_at_instants(index) for index in range(len(tasks.tasks))]
        # For each task: instants at which all work may be done, and the time that is left then.
        self._instants, self._time_left = (np.array([each[i] for each in time_left_by_task], np.int64) for i in (0, 1))

    def _time_left_at_instants(self, index: int) -> tuple[Integers, Integers]:
        """Return instants up to the task's deadline, and the time left at each in a busy period that begins with a
        simultaneous release, regardless of which job preempts which."""
        priorities, task = self._priorities, self._tasks.tasks[index]
        periods, jitters = priorities.kinds.values
        wcets = priorities.sums(task.urgency, None)
        has_work = wcets > 0
        periods, jitters, wcets = periods[has_work], jitters[has_work], wcets[has_work]
        end = task.deadline - task.jitter
        no_limit = np.ones(_STORED_INSTANTS, np.int64), np.full(_STORED_INSTANTS, -MAX_TIME)
        # For tasks whose jobs take no time this method gives no limit.
        if end <= 0 or not task.wcet:
            return no_limit
        last_releases = (end + jitters) // periods * periods - jitters
        instants = np.concatenate(([end], last_releases, last_releases - periods))
        instants = np.sort(instants[instants > 0])[-_EXAMINED_INSTANTS:]
        work = ((instants[:, None] + (jitters - 1)) // periods + 1) @ wcets
        time_left = instants - work - self._blocking[index]
        best_places = np.concatenate(
            (
                np.argsort(time_left)[-_STORED_INSTANTS // 2 :],
                np.argsort(time_left / instants)[-_STORED_INSTANTS // 2 :],
            )
        )
        best_places = np.resize(best_places, _STORED_INSTANTS)
        return instants[best_places], time_left[best_places]

    def largest(self, index: int, least: int, most: int) -> int | None:
        """Return the longest WCET in ns, from `least` to `most`, of the task at `index` with which all tasks hold while
        the others stay as they are; None if they do not hold even with `least`."""
        limit = min(most, self._shares.longest_wcet(index))
        rough_limits = self._rough_limits(index)
        order = iter(np.argsort(rough_limits, kind="stable").tolist())
        next_task = next(order, None)
        closer: list[tuple[int, int]] = []
        # The most restrictive task comes first: by a rough limit, then a closer one, then by search.
        while limit >= least:
            least_closer = closer[0][0] if closer else MAX_TIME
            if next_task is not None and rough_limits[next_task] < min(limit, least_closer):
                heappush(closer, (self._closer_limit(next_task, index, int(rough_limits[next_task])), next_task))
                next_task = next(order, None)
            elif least_closer < limit:
                known_limit, other = heappop(closer)
                limit = largest_that_holds(max(least - 1, known_limit), limit, self._search(other, index))
            else:
                return limit
        return None

    def _rough_limits(self, index: int) -> Integers:
        """Return for each task a WCET of the task at `index` with which it certainly holds; the true limit may be
        higher."""
        task, columns = self._tasks.tasks[index], self._priorities.columns
        jobs = (self._instants + (task.jitter - 1)) // task.period + 1
        most_left = self._time_left.max(axis=1)
        waits = columns.urgency <= task.urgency
        blocked = ~waits & (columns.level <= task.ceiling)
        limits: Integers = task.wcet + (self._time_left // jobs).max(axis=1)
        limits[blocked] = np.where(most_left < 0, -MAX_TIME, self._blocking + most_left + 1)[blocked]
        is_unaffected = ~waits & ~blocked
        limits[is_unaffected] = np.where(self._is_failing[is_unaffected], -MAX_TIME, MAX_TIME)
        return limits

    def _closer_limit(self, index: int, growing: int, known_limit: int) -> int:
        """Return a closer limit of the task at `growing` for the task at `index`, at least `known_limit`."""
        task, other, slack = self._tasks.tasks[index], self._tasks.tasks[growing], self._slack(index)
        if not slack.is_known:
            return known_limit
        if index == growing:
            return max(known_limit, task.wcet + slack.for_itself())
        if other.urgency >= task.urgency:
            ceiling = self._priorities.ceiling(index)
            preempts = ceiling is None or other.level > ceiling
            return max(known_limit, other.wcet + slack.for_another(other.period, other.jitter, preempts))
        time_left = slack.for_blocking() if other.ceiling >= task.level else -1
        return known_limit if time_left < 0 else max(known_limit, int(self._blocking[index]) + time_left + 1)

    @cached_property
    def _is_failing(self) -> Mask:
        """The tasks for which it is not shown that they hold with the present WCETs."""
        places = range(len(self._tasks.tasks))
        return np.array([bool(self._time_left[i].max() < 0) and not self._priorities.in_time(i) for i in places], bool)

    def _search(self, index: int, growing: int) -> Callable[[int], int | None]:
        """Return a function that tries a WCET of the task at `growing` and returns None if the task at `index` does not
        hold with it, else an upper limit of that WCET that follows from the response times seen."""
        priorities, task, other = self._priorities, self._tasks.tasks[index], self._tasks.tasks[growing]
        ceiling = priorities.ceiling(index)
        may_preempt = ceiling is None or other.level > ceiling

        def tried(wcet: int) -> int | None:
            wait = priorities.wait(index, {growing: wcet})
            if wait is None:
                return None
            upper_limit = MAX_TIME
            try:
                for number, job in enumerate(wait.jobs(task.deadline)):
                    time_left = task.deadline + job.ready - job.finish
                    if time_left < 0:
                        return None
                    if index == growing:
                        jobs = number + 1
                    elif other.urgency < task.urgency:
                        upper_limit = min(upper_limit, max(wcet, wait.blocking + 1) + time_left)
                        continue
                    elif may_preempt:
                        jobs = (job.finish + other.jitter - 1) // other.period + 1
                    else:
                        jobs = (job.start + other.jitter) // other.period + 1
                    upper_limit = min(upper_limit, wcet + time_left // jobs) if jobs else upper_limit
            except TooLongError:
                return None
            return upper_limit

        return tried
