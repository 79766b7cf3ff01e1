# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The ideal grid: which releases there should have been, and the outcome of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from takt_cli.results.sample_files import SKIPPED, Ints, Rows
from takt_cli.spec.application import Application, Callback

# The CPU of a task whose jobs may run on any of several CPUs.
ANY_CPU = -1


class Fate(IntEnum):
    """The outcome of a release."""

    on_time = 0
    late = 1
    skipped = 2
    unfinished = 3
    """Unfinished when the run ended, after its deadline."""
    open = 4
    """Unfinished when the run ended, before its deadline: not a miss."""


MISSES = (Fate.late, Fate.skipped, Fate.unfinished)


@dataclass(frozen=True)
class Window:
    """The measured part of a run, after the warm-up, in ns of CLOCK_MONOTONIC; t0 is the origin of the grid."""

    t0: int
    start: int
    end: int


@dataclass(frozen=True)
class Outcomes:
    """The releases on the grid within the window, in order of task, then index; times in ns."""

    task: Ints
    index: Ints
    release: Ints
    deadline: Ints
    begin: Ints
    """The start of the job; -1 if it did not start."""
    finish: Ints
    cpu: Ints
    decision: Ints
    """The time that the executor took to choose the job; -1 if the job did not start."""
    dispatch_cpu: Ints
    """The CPU time of the job's thread since the previous callback on it ended; -1 for the thread's first job."""
    fate: npt.NDArray[np.int8]
    task_cpu: Ints
    """The CPU of the task, or ANY_CPU; in a simulation its processor."""

    def __len__(self) -> int:
        return len(self.task)

    @property
    def missed(self) -> npt.NDArray[np.bool_]:
        return np.isin(self.fate, MISSES)

    def by_cpu(self) -> list[Outcomes]:
        """Return the releases of each CPU separately; those with ANY_CPU are one group."""
        return [self.select(self.task_cpu == cpu) for cpu in np.unique(self.task_cpu)]

    @property
    def stacked(self) -> bool:
        """True if it is known at each instant which of the started jobs had the CPU."""
        executed = self.select((self.begin >= 0) & (self.finish >= 0))
        return all(stacked(int(each.task_cpu[0]), each.begin, each.finish) for each in executed.by_cpu())

    def select(self, mask: npt.NDArray[np.bool_]) -> Outcomes:
        """Return the releases selected by a mask."""
        return Outcomes(*(getattr(self, name)[mask] for name in Outcomes.__dataclass_fields__))


def stacked(cpu: int, begin: Ints, finish: Ints) -> bool:
    """Return whether it is known which of these jobs had the CPU at each instant. With ANY_CPU it is only known if no
    job began before the previous one ended."""
    order = np.argsort(begin, kind="stable")
    return cpu != ANY_CPU or bool((begin[order][1:] >= finish[order][:-1]).all())


def indices_within(callback: Callback, window: Window) -> tuple[int, int]:
    """Return the index of the task's first release in the window, and of the first one after it."""

    def first_from(instant: int) -> int:
        return max(0, -(-(instant - window.t0 - callback.phase) // callback.period))

    return first_from(window.start), first_from(window.end)


def outcomes(application: Application, window: Window, jobs: Rows, task_cpus: Sequence[int] = ()) -> Outcomes:
    """Return the outcome of every release on the grid. A release without a row was skipped, under every executor.
    `task_cpus`: the CPU of each task; by default all are on CPU 0."""
    parts = [
        _task_outcomes(task.index, task.callback, window, jobs, task_cpus[task.index] if task_cpus else 0)
        for task in application.tasks
    ]
    return Outcomes(*(np.concatenate([getattr(p, name) for p in parts]) for name in Outcomes.__dataclass_fields__))


def _task_outcomes(number: int, callback: Callback, window: Window, jobs: Rows, task_cpu: int) -> Outcomes:
    first, end_index = indices_within(callback, window)
    index = np.arange(first, end_index, dtype=np.int64)
    release = window.t0 + callback.phase + index * callback.period
    deadline = release + callback.deadline
    rows = jobs[(jobs["task"] == number) & (jobs["index"] >= first) & (jobs["index"] < end_index)]
    place = rows["index"].astype(np.int64) - first
    skipped = np.ones(len(index), np.bool_)
    skipped[place] = (rows["flags"] & SKIPPED) != 0

    def column(name: str) -> Ints:
        values = np.full(len(index), -1, np.int64)
        values[place] = rows[name]
        values[skipped] = -1
        return values

    finish = column("finish")
    due = deadline <= window.end
    fate = np.full(len(index), Fate.on_time, np.int8)
    fate[finish > deadline] = Fate.late
    fate[(finish < 0) & due] = Fate.unfinished
    fate[(finish < 0) & ~due] = Fate.open
    recorded = np.zeros(len(index), np.bool_)
    recorded[place] = True
    # Without a row, a skip and a job cut off by the end of the run look the same: it counts only past its deadline.
    fate[skipped & (recorded | due)] = Fate.skipped
    return Outcomes(
        task=np.full(len(index), number, np.int64),
        index=index,
        release=release,
        deadline=deadline,
        begin=column("start"),
        finish=finish,
        cpu=column("cpu"),
        decision=column("decision"),
        dispatch_cpu=column("dispatch_cpu"),
        fate=fate,
        task_cpu=np.full(len(index), task_cpu, np.int64),
    )
