# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Shares of a processor that tasks use: exact, as integers over a common denominator, since fractions are slower."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate

from takt_cli.schedulability.task import TaskSet


class Shares:
    """The shares of a processor that tasks use, each as an integer out of `whole_processor`, which is the entire
    processor."""

    def __init__(self, tasks: TaskSet) -> None:
        self.whole_processor = tasks.hyperperiod
        self._jobs = [self.whole_processor // task.period for task in tasks.tasks]
        self._urgencies = [task.urgency for task in tasks.tasks]
        self._above = sum(thread.wcet * (self.whole_processor // thread.period) for thread in tasks.above)
        self._wcets: Sequence[int] = [task.wcet for task in tasks.tasks]

    def with_wcets(self, wcets: Sequence[int]) -> Shares:
        """Return the shares of the same tasks with other execution times, in ns."""
        shares = copy(self)
        shares._wcets = wcets
        for known in ("all", "_by_urgency"):
            shares.__dict__.pop(known, None)
        return shares

    def share(self, index: int, wcet: int) -> int:
        """Return the share of the task at `index` if each of its jobs took `wcet` ns."""
        return wcet * self._jobs[index]

    def longest_wcet(self, index: int) -> int:
        """Return the longest execution time, in ns, of the task at `index` with which the processor is not
        overloaded."""
        return (self.whole_processor - self.all) // self._jobs[index] + self._wcets[index]

    @cached_property
    def all(self) -> int:
        """The share of all tasks and of the threads above them."""
        return self._above + sum(wcet * jobs for wcet, jobs in zip(self._wcets, self._jobs, strict=True))

    def of_urgency(self, urgency: int) -> int:
        """Return the share of all tasks at least as urgent, including the threads above all jobs."""
        return self._by_urgency[urgency]

    @cached_property
    def _by_urgency(self) -> dict[int, int]:
        order = sorted(range(len(self._wcets)), key=lambda index: -self._urgencies[index])
        cumulated_shares = accumulate((self.share(index, self._wcets[index]) for index in order), initial=self._above)
        # Of tasks of equal urgency the last one has the sum of all; it overwrites the entries of those before.
        return {self._urgencies[index]: share for index, share in zip(order, list(cumulated_shares)[1:], strict=True)}
