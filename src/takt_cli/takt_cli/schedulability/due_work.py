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
    """A workload of which each part has at most `most_jobs` jobs."""

    def __init__(self, period: Integers, jitter: Integers, wcet: Integers, most_jobs: Integers) -> None:
        parts = (period, jitter, wcet, most_jobs)
        self._arrays = parts if len(period) >= ARRAYS_FROM else None
        self._parts = [] if self._arrays else list(zip(*(part.tolist() for part in parts), strict=True))

    def up_to(self, length: int) -> int:
        """Return the work of the jobs that are ready at `length` or before."""
        if self._arrays is not None:
            period, jitter, wcet, most_jobs = self._arrays
            return int((np.minimum((length + jitter) // period + 1, most_jobs) * wcet).sum())
        return sum(min((length + jitter) // period + 1, most) * wcet for period, jitter, wcet, most in self._parts)

    def before(self, length: int) -> int:
        return self.up_to(length - 1)


class LatestCompletions:
    """The latest instants at which all work is done that is due within a given length, whatever task it belongs to
    and whatever may preempt it. They are the same for all tasks, so only few of a task's own jobs need a closer
    analysis."""

    def __init__(self, tasks: TaskSet, blocking: DeadlineBlocking) -> None:
        self._blocking = blocking
        self._above = workload_of(tasks.above)
        kinds = TaskClasses((task.period, task.jitter, task.deadline - task.jitter) for task in tasks.tasks)
        self._period, self._jitter, self._first_due = kinds.values
        self._wcet = kinds.sums(integers([task.wcet for task in tasks.tasks]))
        self._utilisation_above = float(sum(t.utilisation for t in tasks.above))
        self._known_lengths = integers([])
        self._busy, self._completions = integers([]), integers([])

    def within(self, lengths: Integers) -> tuple[Integers, Integers]:
        """Return for each of `lengths`, which must be ascending: the end of the busy period of the work that is due,
        and a limit that counts all of this work whenever it is released."""
        missing_lengths = np.setdiff1d(lengths, self._known_lengths, assume_unique=True)
        if len(missing_lengths):
            rows = max(1, _MAX_ELEMENTS // len(self._period))
            found_by_block = [self._find(missing_lengths[i : i + rows]) for i in range(0, len(missing_lengths), rows)]
            all_lengths = np.concatenate((self._known_lengths, missing_lengths))
            order = np.argsort(all_lengths)
            busy, completions = ([each[i] for each in found_by_block] for i in (0, 1))
            self._known_lengths = all_lengths[order]
            self._busy = np.concatenate((self._busy, *busy))[order]
            self._completions = np.concatenate((self._completions, *completions))[order]
        places = np.searchsorted(self._known_lengths, lengths)
        return self._busy[places], self._completions[places]

    def _find(self, lengths: Integers) -> tuple[Integers, Integers]:
        jobs = np.maximum(0, (lengths[:, None] - self._first_due) // self._period + 1)
        blocked = self._blocking.within_each(lengths)
        completions = self._with_above(blocked + jobs @ self._wcet)
        busy_ends = blocked + (jobs > 0) @ self._wcet + self._above.work_of_one_job_each
        unsettled = np.arange(len(lengths))
        for _ in range(_MAX_ITERATIONS):
            current_ends = busy_ends[unsettled]
            jobs_before = np.minimum((current_ends[:, None] + (self._jitter - 1)) // self._period + 1, jobs[unsettled])
            next_ends = blocked[unsettled] + jobs_before @ self._wcet + self._above.up_to_each(current_ends - 1)
            busy_ends[unsettled] = next_ends
            unsettled = unsettled[next_ends > current_ends]
            if not len(unsettled):
                return busy_ends, completions
        busy_ends[unsettled] = completions[unsettled]
        return busy_ends, completions

    def _with_above(self, work: Integers) -> Integers:
        """Return when this work is done at the latest, if threads above it run as well."""
        if not self._utilisation_above:
            return work
        if self._utilisation_above >= 1:
            return np.full(len(work), MAX_TIME)
        # Rounded up by more than one nanosecond, because of the floating-point error.
        completions: Integers = (
            (work + self._above.work_of_one_job_each) / (1 - self._utilisation_above) * (1 + 1e-9) + 1
        ).astype(np.int64)
        return completions
