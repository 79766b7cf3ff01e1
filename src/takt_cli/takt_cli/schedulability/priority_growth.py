# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How long the jobs of one task may get before fixed priorities no longer hold.

Source: E. Bini, G. Buttazzo, "Schedulability analysis of periodic fixed priority systems", IEEE Transactions on
Computers 53, 2004: a task holds if at some instant before its deadline all is done that came before. What is left
there says how much all others may grow, for each at once; a search of its own is needed for the few tasks of
which it says too little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from heapq import heappop, heappush

import numpy as np

from takt_cli.schedulability.columns import FAR, Integers, Mask
from takt_cli.schedulability.fixed_priority import FixedPriorities
from takt_cli.schedulability.sensitivity import largest
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.slack import Slack
from takt_cli.schedulability.task import TaskSet, TooLongError

# How many instants are looked at for each task, and how many of them kept.
_LOOKED = 24
_KEPT = 4
# Of how many tasks more is kept than that.
_SLACKS = 256


class PriorityGrowth:
    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._found = FixedPriorities(tasks)
        self._shares = Shares(tasks)
        self._blocking = np.array([self._found.blocking(i).length for i in range(len(tasks.tasks))], np.int64)
        self._slack = lru_cache(_SLACKS)(lambda index: Slack(self._found, index))
        done = [self._done(index) for index in range(len(tasks.tasks))]
        # Of each task: instants at which all may be done, and what is left then.
        self._instants, self._left = (np.array([each[i] for each in done], np.int64) for i in (0, 1))

    def _done(self, index: int) -> tuple[Integers, Integers]:
        """Where all of its busy period is over that began with a release of all at once, whatever preempts whom."""
        found, task = self._found, self._tasks.tasks[index]
        periods, jitters = found.kinds.values
        wcets = found.sums(task.urgency, None)
        there = wcets > 0
        periods, jitters, wcets = periods[there], jitters[there], wcets[there]
        end = task.deadline - task.jitter
        nothing = np.ones(_KEPT, np.int64), np.full(_KEPT, -FAR)
        # Of jobs that take no time, it is not said here.
        if end <= 0 or not task.wcet:
            return nothing
        last = (end + jitters) // periods * periods - jitters
        instants = np.concatenate(([end], last, last - periods))
        instants = np.sort(instants[instants > 0])[-_LOOKED:]
        asked = ((instants[:, None] + (jitters - 1)) // periods + 1) @ wcets
        left = instants - asked - self._blocking[index]
        best = np.concatenate((np.argsort(left)[-_KEPT // 2 :], np.argsort(left / instants)[-_KEPT // 2 :]))
        best = np.resize(best, _KEPT)
        return instants[best], left[best]

    def largest(self, index: int, least: int, most: int) -> int | None:
        """The longest that jobs of the task at `index` may take, within these limits, for all tasks to hold still, or
        to hold at all; None if all do not with the least."""
        task = self._tasks.tasks[index]
        part = self._shares.whole // task.period
        limit = min(most, (self._shares.whole - self._shares.all) // part + task.wcet)
        roughly = self._roughly(index)
        order = iter(np.argsort(roughly, kind="stable").tolist())
        following = next(order, None)
        closer: list[tuple[int, int]] = []
        # Who allows the least comes first: roughly, then closer, then for certain.
        while limit >= least:
            least_closer = closer[0][0] if closer else FAR
            if following is not None and roughly[following] < min(limit, least_closer):
                heappush(closer, (self._closer(following, index, int(roughly[following])), following))
                following = next(order, None)
            elif least_closer < limit:
                known, other = heappop(closer)
                limit = largest(max(least - 1, known), limit, self._search(other, index))
            else:
                return limit
        return None

    def _roughly(self, index: int) -> Integers:
        """For each task: how long the jobs of that at `index` may take at least for it to hold."""
        task, columns = self._tasks.tasks[index], self._found.columns
        jobs = (self._instants + (task.jitter - 1)) // task.period + 1
        most_left = self._left.max(axis=1)
        waits = columns.urgency <= task.urgency
        blocked = ~waits & (columns.level <= task.ceiling)
        found: Integers = task.wcet + (self._left // jobs).max(axis=1)
        found[blocked] = np.where(most_left < 0, -FAR, self._blocking + most_left + 1)[blocked]
        apart = ~waits & ~blocked
        found[apart] = np.where(self._fails[apart], -FAR, FAR)
        return found

    def _closer(self, index: int, growing: int, known: int) -> int:
        """The same for one of them, more closely."""
        task, other, slack = self._tasks.tasks[index], self._tasks.tasks[growing], self._slack(index)
        if not slack.known:
            return known
        if index == growing:
            return max(known, task.wcet + slack.for_itself())
        if other.urgency >= task.urgency:
            ceiling = self._found.ceiling(index)
            preempts = ceiling is None or other.level > ceiling
            return max(known, other.wcet + slack.for_another(other.period, other.jitter, preempts))
        left = slack.for_blocking() if other.ceiling >= task.level else -1
        return known if left < 0 else max(known, int(self._blocking[index]) + left + 1)

    @cached_property
    def _fails(self) -> Mask:
        """Of which tasks it is not shown that they hold as it is."""
        places = range(len(self._tasks.tasks))
        return np.array([bool(self._left[i].max() < 0) and not self._found.in_time(i) for i in places], bool)

    def _search(self, index: int, growing: int) -> Callable[[int], int | None]:
        """Whether the task at `index` holds if jobs of another take so long, or its own: how long these may take
        at most, by what is seen there, or None."""
        found, task, other = self._found, self._tasks.tasks[index], self._tasks.tasks[growing]
        ceiling = found.ceiling(index)
        after = ceiling is None or other.level > ceiling

        def tried(wcet: int) -> int | None:
            wait = found.wait(index, {growing: wcet})
            if wait is None:
                return None
            most = FAR
            try:
                for number, job in enumerate(wait.jobs(task.deadline)):
                    left = task.deadline + job.ready - job.finish
                    if left < 0:
                        return None
                    if index == growing:
                        jobs = number + 1
                    elif other.urgency < task.urgency:
                        most = min(most, max(wcet, wait.blocking + 1) + left)
                        continue
                    elif after:
                        jobs = (job.finish + other.jitter - 1) // other.period + 1
                    else:
                        jobs = (job.start + other.jitter) // other.period + 1
                    most = min(most, wcet + left // jobs) if jobs else most
            except TooLongError:
                return None
            return most

        return tried
