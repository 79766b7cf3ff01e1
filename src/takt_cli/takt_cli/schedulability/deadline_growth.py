# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sensitivity under earliest deadline first: how long the jobs of one task may take before a deadline can be missed.
The limit is the time that the demand and the blocking within each length leave."""

from __future__ import annotations

import numpy as np

from takt_cli.schedulability.blocking import DeadlineBlocking
from takt_cli.schedulability.columns import MAX_TIME
from takt_cli.schedulability.processor_demand import End, Lengths, processor_demand
from takt_cli.schedulability.sensitivity import largest_that_holds
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.task import TaskSet, TooLongError


class DeadlineGrowth:
    """The limits of execution times under earliest deadline first, one task at a time."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._shares = Shares(tasks)
        self._lengths = Lengths(tasks)
        self._blocking = DeadlineBlocking(tasks)
        self._end = End(tasks)
        self._computed_up_to = -1
        self._compute_up_to(self._lengths.longest)

    def _compute_up_to(self, end: int) -> bool:
        """Compute the demand for all lengths up to `end`; return False if they are too many."""
        if end > self._computed_up_to and self._lengths.are_few(end):
            self._computed_up_to = end
            self._all_lengths, self._due = self._lengths.all_before(end + 1)
            self._blocking_apart_from = self._blocking.apart_from_each(self._all_lengths)
        return end <= self._computed_up_to

    def largest(self, index: int, least: int, most: int) -> int | None:
        """Return the longest WCET in ns, from `least` to `most`, of the task at `index` with which all deadlines are
        met while the others stay as they are; None if they are not met even with `least`."""
        task = self._tasks.tasks[index]
        limit = min(most, self._shares.longest_wcet(index))
        if any(each.deadline <= each.jitter for each in self._tasks.tasks):
            return self._largest_by_search(index, least, limit)
        examined_up_to, end = -1, self._lengths.longest
        while limit >= least and end > examined_up_to:
            if not self._compute_up_to(end):
                return self._largest_by_search(index, least, limit)
            limit = min(limit, self._limit_within(index, examined_up_to, end))
            examined_up_to, end = end, self._end.with_more(index, limit - task.wcet)
        return limit if limit >= least else None

    def _limit_within(self, index: int, above: int, end: int) -> int:
        """Return the limit that follows from the lengths in (above, end]; negative if no WCET fits."""
        task = self._tasks.tasks[index]
        selected = slice(*np.searchsorted(self._all_lengths, (above, end), side="right"))
        lengths = self._all_lengths[selected]
        if not len(lengths):
            return MAX_TIME
        own_jobs = np.maximum(0, (lengths - task.deadline + task.jitter) // task.period + 1)
        time_left = lengths - self._due[selected] + task.wcet * own_jobs
        unblocked_time = time_left - self._blocking_apart_from(index)[selected]
        blocks = (lengths < task.deadline) & (lengths >= self._blocking.begins(index))
        has_own_jobs = own_jobs > 0
        if (unblocked_time[~has_own_jobs] < 0).any():
            return -1
        return int(
            min(
                (unblocked_time[has_own_jobs] // own_jobs[has_own_jobs]).min(initial=MAX_TIME),
                ((time_left[blocks] + 1) // (own_jobs[blocks] + 1)).min(initial=MAX_TIME),
            )
        )

    def _largest_by_search(self, index: int, least: int, most: int) -> int | None:
        """Return the same as `largest`, by search, where there are too many lengths to examine at once."""

        wcets = [task.wcet for task in self._tasks.tasks]

        def tried(wcet: int) -> int | None:
            wcets[index] = wcet
            try:
                return MAX_TIME if processor_demand(self._tasks.with_wcets(wcets)).fits else None
            except TooLongError:
                return None

        longest = largest_that_holds(least - 1, most, tried)
        return longest if longest >= least else None
