# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Schedulability under earliest deadline first, by the demand for the processor.

Sources: S. Baruah, L. Rosier, R. Howell, "Algorithms and complexity concerning the preemptive scheduling
of periodic, real-time tasks on one processor", Real-Time Systems 2, 1990 (the demand that is due within
any length must fit into it); F. Zhang, A. Burns, "Schedulability analysis for real-time systems with EDF
scheduling", IEEE Transactions on Computers 58, 2009 (which lengths to examine: from the longest downwards,
each result giving the next length); K. Jeffay, D. Stanat, C. Martel, "On non-preemptive scheduling of
periodic and sporadic tasks", RTSS 1991, and Baruah 2006 (blocking by one less urgent job: blocking.py).

Assumes the same as fixed_priority.py. The test is exact for tasks that share nothing, preempt each other and are
released together; with blocking it is sufficient, and necessary only if the releases occur at the worst moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from takt_cli.schedulability.blocking import NOTHING, Blocking, DeadlineBlocking, blocking_by_background_jobs
from takt_cli.schedulability.busy_period import MOST_STEPS
from takt_cli.schedulability.columns import ARRAYS_FROM, MAX_TIME, Integers, integers
from takt_cli.schedulability.instants import count, instants
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.task import TaskSet, TooLongError
from takt_cli.schedulability.task_classes import TaskClasses
from takt_cli.schedulability.workload import workload_of

# Up to this many lengths are examined at once; more of them are examined one by one from the longest downwards.
MOST_LENGTHS = 100_000


@dataclass(frozen=True)
class Demand:
    """The result of the test. `length`: the shortest length found, in ns, whose demand exceeds it; None if every demand
    fits."""

    length: int | None = None
    due: int = 0
    blocking: Blocking = NOTHING
    overloaded: bool = False
    """The utilisation is above 1, so no length was examined."""

    @property
    def fits(self) -> bool:
        return self.length is None and not self.overloaded


def demand(tasks: TaskSet, length: int) -> int:
    """Return the largest demand, in ns, that is released and due within an interval of `length` ns."""
    return sum(
        max(0, (length - task.deadline + task.jitter) // task.period + 1) * task.wcet for task in tasks.everything
    )


def processor_demand(tasks: TaskSet) -> Demand:
    """Return whether the demand within every length fits into it, together with the blocking. Raises TooLongError."""
    if tasks.utilisation > 1:
        return Demand(overloaded=True)
    blocking = DeadlineBlocking(tasks)
    if (due := demand(replace(tasks, above=()), 0)) > 0:
        return Demand(0, due, blocking.within(0))  # a release may be noticed only after its deadline
    end, lengths = End(tasks).with_more(), Lengths(tasks)
    # Between two deadlines the blocking does not change.
    steps = sorted({0, end + 1} | {t.deadline - shift for t in tasks.tasks for shift in (0, t.jitter)})
    examined = lengths.looked_at(end)
    suspect = _first_not_fitting(lengths, blocking, examined)
    for low, high in pairwise(steps):
        if high <= 0 or low > end or (low >= 0 and high <= examined and (suspect is None or high <= suspect)):
            continue
        blocked = blocking.within(low)
        length = _not_fitting(lengths, low, min(high, end + 1), blocked.length)
        if length is not None:
            return Demand(length, demand(tasks, length), blocked)
    return Demand()


class Lengths:
    """The lengths at which jobs become due, and the demand within them."""

    def __init__(self, tasks: TaskSet) -> None:
        self.kinds = TaskClasses((task.deadline - task.jitter, task.period) for task in tasks.tasks)
        self.first, self.period = self.kinds.values
        self.wcet = self.kinds.sums(integers([task.wcet for task in tasks.tasks]))
        self.longest = max(task.deadline for task in tasks.tasks)
        self._parts = list(zip(self.first.tolist(), self.period.tolist(), self.wcet.tolist(), strict=True))
        self._above = workload_of(tasks.above)

    def demand(self, length: int) -> int:
        """Return the demand within `length`, as the function `demand` does."""
        work_above = self._above.up_to(length) if length >= 0 else 0
        if self._many(length):
            jobs = np.maximum(0, (length - self.first) // self.period + 1)
            return int((jobs * self.wcet).sum()) + work_above
        return work_above + sum(
            ((length - first) // period + 1) * wcet for first, period, wcet in self._parts if length >= first
        )

    def last(self, before: int) -> int | None:
        """Return the largest length below `before` at which a job becomes due; None if there is none."""
        if self._many(before):
            due_before = self.first < before
            first, period = self.first[due_before], self.period[due_before]
            return int((first + (before - 1 - first) // period * period).max()) if due_before.any() else None
        last = [f + (before - 1 - f) // period * period for f, period, _ in self._parts if f < before]
        return max(last, default=None)

    def _many(self, length: int) -> bool:
        return len(self._parts) >= ARRAYS_FROM and length < MAX_TIME

    def looked_at(self, end: int) -> int:
        """Return the end of the lengths that may be examined at once."""
        return next((each for each in (end, self.longest) if each <= end and self.are_few(each)), -1) + 1

    def are_few(self, end: int) -> bool:
        """Return whether the lengths up to `end` are few enough to be examined at once."""
        return end < MAX_TIME and count(self.first, self.period, 0, end + 1) <= MOST_LENGTHS

    def all_before(self, end: int) -> tuple[Integers, Integers]:
        """Return all lengths before `end`, and the demand within each, including threads above all jobs."""
        due_instants, part_of_instant = instants(self.first, self.period, 0, end)
        order = np.argsort(due_instants, kind="stable")
        due_instants, due = due_instants[order], np.cumsum(self.wcet[part_of_instant[order]])
        is_last = np.append(due_instants[1:] != due_instants[:-1], True) if len(due_instants) else np.zeros(0, bool)
        return due_instants[is_last], due[is_last] + self._above.up_to_each(due_instants[is_last])


def _first_not_fitting(lengths: Lengths, blocking: DeadlineBlocking, end: int) -> int | None:
    """Return the first length before `end` that is exceeded by its demand plus the blocking; None if there is none."""
    all_lengths, due = lengths.all_before(end)
    (exceeded,) = np.nonzero(due + blocking.within_each(all_lengths) > all_lengths)
    return int(all_lengths[exceeded[0]]) if len(exceeded) else None


class End:
    """The length beyond which every demand fits. Within any `t` that is not below the longest deadline, the demand is
    at most t U + (the sum of (period - deadline + jitter) U), and only sections of jobs at background priority block.
    If the processor is fully utilised, the schedule repeats itself."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks.tasks
        self._shares = shares = Shares(tasks)
        self._longest = max(task.deadline for task in tasks.tasks)
        # In units of 1 / shares.whole_processor of the processor, as all shares are.
        self._excess = shares.whole_processor * max(0, blocking_by_background_jobs(tasks)) + sum(
            t.wcet * (shares.whole_processor // t.period) * (t.period - t.deadline + t.jitter) for t in tasks.everything
        )

    def with_more(self, index: int = 0, increase: int = 0) -> int:
        """Return that length if each job of the task at `index` took `increase` ns longer."""
        task, whole_processor = self._tasks[index], self._shares.whole_processor
        share = self._shares.share(index, increase)
        excess = self._excess + share * (task.period - task.deadline + task.jitter)
        remaining_share = whole_processor - self._shares.all - share
        if excess <= 0:
            return self._longest
        return (
            whole_processor + self._longest
            if not remaining_share
            else max(self._longest, -(-excess // remaining_share))
        )


def _not_fitting(lengths: Lengths, low: int, high: int, blocking: int) -> int | None:
    """Return a length from `low` on and below `high` that is exceeded by its demand plus `blocking`; None if there is
    none. Raises TooLongError."""
    length = lengths.last(high)
    for _ in range(MOST_STEPS):
        # The work of threads above all jobs also grows between these lengths, where no job becomes due.
        length = None if length is None else lengths.last(length + 1)
        if length is None or length < low:
            return None
        needed_time = lengths.demand(length) + blocking
        if needed_time > length:
            return length
        length = needed_time if needed_time < length else lengths.last(length)
    raise TooLongError
