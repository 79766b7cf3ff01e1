# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Workload: how much processor time tasks request within a length. Tasks of one period and jitter count as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from takt_cli.schedulability.columns import ARRAYS_FROM, MAX_TIME, Integers, integers
from takt_cli.schedulability.task import Task
from takt_cli.schedulability.task_classes import TaskClasses

Part: TypeAlias = tuple[int, int, int]
"""Period, jitter, and the total WCET of the tasks that share them."""


class Workload:
    """The largest workload: all tasks are released together at the beginning of a busy period, and then
    periodically."""

    def __init__(self, parts: Sequence[Part], arrays: tuple[Integers, Integers, Integers] | None = None) -> None:
        """Combine parts to a workload. `arrays` are further parts, as arrays of period, jitter and WCET."""
        self._parts = parts
        self._arrays = arrays

    @property
    def work_of_one_job_each(self) -> int:
        """The work of one job of each task, in ns."""
        return sum(wcet for _, _, wcet in self._parts) + (0 if self._arrays is None else int(self._arrays[2].sum()))

    def plus(self, period: int, jitter: int, wcet: int) -> Workload:
        """Return the workload with `wcet` more work per job of this period and jitter; it may be negative."""
        return Workload([*self._parts, (period, jitter, wcet)], self._arrays)

    def up_to(self, length: int) -> int:
        """Return the work of all jobs that are ready at `length` or before."""
        work = 0
        for period, jitter, wcet in self._parts:
            work += ((length + jitter) // period + 1) * wcet
        if self._arrays is None:
            return work
        if length >= MAX_TIME:
            return Workload(self.parts).up_to(length)
        periods, jitters, wcets = self._arrays
        return work + int((((length + jitters) // periods + 1) * wcets).sum())

    def up_to_each(self, lengths: Integers) -> Integers:
        """Return the same as `up_to` for each of many lengths."""
        work = np.zeros(len(lengths), np.int64)
        for period, jitter, wcet in self.parts:
            work += ((lengths + jitter) // period + 1) * wcet
        return work

    def before(self, length: int) -> int:
        """Return the work of all jobs that are ready before `length`."""
        return self.up_to(length - 1)

    @property
    def parts(self) -> list[Part]:
        """All parts as a list."""
        arrays = () if self._arrays is None else zip(*(each.tolist() for each in self._arrays), strict=True)
        return [*self._parts, *arrays]


def workload(period: Integers, jitter: Integers, wcet: Integers) -> Workload:
    """Return a workload from arrays, without the parts that have no work."""
    (places,) = wcet.nonzero()
    parts = (period[places], jitter[places], wcet[places])
    if len(places) >= ARRAYS_FROM:
        return Workload((), parts)
    return Workload(list(zip(*(part.tolist() for part in parts), strict=True)))


def workload_of(tasks: Sequence[Task]) -> Workload:
    """Return the workload of tasks, which may be none."""
    if not tasks:
        return Workload(())
    kinds = TaskClasses((task.period, task.jitter) for task in tasks)
    period, jitter = kinds.values
    return workload(period, jitter, kinds.sums(integers([task.wcet for task in tasks])))
