# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Demand under earliest deadline first: the work that is due within a length after a simultaneous release."""

from __future__ import annotations

import numpy as np

from takt_cli.schedulability.blocking import DeadlineBlocking
from takt_cli.schedulability.columns import ARRAYS_FROM, MAX_TIME, Integers, integers
from takt_cli.schedulability.task import TaskSet
from takt_cli.schedulability.task_classes import TaskClasses
from takt_cli.schedulability.workload import workload_of

# Limits: iterations towards a fixed point before a coarser limit is used, and array elements per operation.
_MAX_ITERATIONS = 64
_MAX_ELEMENTS = 200_000


class DueWork:
    """A workload of which each part has at most `most` jobs."""

    def __init__(self, period: Integers, jitter: Integers, wcet: Integers, most_jobs: Integers) -> None:
        parts = (period, jitter, wcet, most_jobs)
        self._many = parts if len(period) >= ARRAYS_FROM else None
        self._parts = [] if self._many else list(zip(*(part.tolist() for part in parts), strict=True))

    def up_to(self, length: int) -> int:
        """Return the work of the jobs that are ready at `length` or before."""
        if self._many is not None:
            period, jitter, wcet, most = self._many
            return int((np.minimum((length + jitter) // period + 1, most) * wcet).sum())
        return sum(min((length + jitter) // period + 1, most) * wcet for period, jitter, wcet, most in self._parts)

    def before(self, length: int) -> int:
        return self.up_to(length - 1)


class LatestCompletions:
    """When, at the latest, all work is done that is due within a length, of whatever task and whatever may preempt it.
    It is the same for all tasks, so only few of a task's own jobs need a closer analysis."""

    def __init__(self, tasks: TaskSet, blocking: DeadlineBlocking) -> None:
        self._blocking = blocking
        self._above = workload_of(tasks.above)
        kinds = TaskClasses((task.period, task.jitter, task.deadline - task.jitter) for task in tasks.tasks)
        self._period, self._jitter, self._first = kinds.values
        self._wcet = kinds.sums(integers([task.wcet for task in tasks.tasks]))
        self._of_above = float(sum(t.utilisation for t in tasks.above))
        self._known_lengths = integers([])
        self._busy, self._completions = integers([]), integers([])

    def within(self, lengths: Integers) -> tuple[Integers, Integers]:
        """Return for each of `lengths`, which must be ascending: the end of the busy period of the work that is due,
        and a limit that counts all of this work whenever it is released."""
        missing = np.setdiff1d(lengths, self._known_lengths, assume_unique=True)
        if len(missing):
            rows = max(1, _MAX_ELEMENTS // len(self._period))
            found = [self._find(missing[i : i + rows]) for i in range(0, len(missing), rows)]
            known = np.concatenate((self._known_lengths, missing))
            order = np.argsort(known)
            busy, whole = ([each[i] for each in found] for i in (0, 1))
            self._known_lengths = known[order]
            self._busy = np.concatenate((self._busy, *busy))[order]
            self._completions = np.concatenate((self._completions, *whole))[order]
        places = np.searchsorted(self._known_lengths, lengths)
        return self._busy[places], self._completions[places]

    def _find(self, lengths: Integers) -> tuple[Integers, Integers]:
        jobs = np.maximum(0, (lengths[:, None] - self._first) // self._period + 1)
        blocked = self._blocking.within_each(lengths)
        whole = self._with_above(blocked + jobs @ self._wcet)
        found = blocked + (jobs > 0) @ self._wcet + self._above.work_of_one_job_each
        open_ = np.arange(len(lengths))
        for _ in range(_MAX_ITERATIONS):
            now = found[open_]
            come = np.minimum((now[:, None] + (self._jitter - 1)) // self._period + 1, jobs[open_])
            following = blocked[open_] + come @ self._wcet + self._above.up_to_each(now - 1)
            found[open_] = following
            open_ = open_[following > now]
            if not len(open_):
                return found, whole
        found[open_] = whole[open_]
        return found, whole

    def _with_above(self, work: Integers) -> Integers:
        """Return when this work is done at the latest, if threads above it run as well."""
        if not self._of_above:
            return work
        if self._of_above >= 1:
            return np.full(len(work), MAX_TIME)
        # Rounded up by more than one nanosecond, because of the floating-point error.
        found: Integers = ((work + self._above.work_of_one_job_each) / (1 - self._of_above) * (1 + 1e-9) + 1).astype(
            np.int64
        )
        return found
