# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How much of a processor tasks ask for: exact, in parts of one denominator, which are quicker than fractions."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate

from takt_cli.schedulability.task import TaskSet


class Shares:
    """`whole` is all of the processor; every share is a whole number of its parts."""

    def __init__(self, tasks: TaskSet) -> None:
        self.whole = tasks.hyperperiod
        self._jobs = [self.whole // task.period for task in tasks.tasks]
        self._urgencies = [task.urgency for task in tasks.tasks]
        self._above = sum(thread.wcet * (self.whole // thread.period) for thread in tasks.above)
        self._wcets: Sequence[int] = [task.wcet for task in tasks.tasks]

    def with_wcets(self, wcets: Sequence[int]) -> Shares:
        """Of the same tasks with other execution times."""
        there = copy(self)
        there._wcets = wcets
        for known in ("all", "_by_urgency"):
            there.__dict__.pop(known, None)
        return there

    def share(self, index: int, wcet: int) -> int:
        """Of the task at `index`, if its jobs took so long."""
        return wcet * self._jobs[index]

    @cached_property
    def all(self) -> int:
        return self._above + sum(wcet * jobs for wcet, jobs in zip(self._wcets, self._jobs, strict=True))

    def of(self, urgency: int) -> int:
        """Of all that are as urgent, threads above all jobs among them."""
        return self._by_urgency[urgency]

    @cached_property
    def _by_urgency(self) -> dict[int, int]:
        order = sorted(range(len(self._wcets)), key=lambda index: -self._urgencies[index])
        used = accumulate((self.share(index, self._wcets[index]) for index in order), initial=self._above)
        # The last of each urgency stays.
        return {self._urgencies[index]: share for index, share in zip(order, list(used)[1:], strict=True)}
