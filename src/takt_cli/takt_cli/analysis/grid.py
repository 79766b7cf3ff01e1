# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The ideal grid: which releases there had to be, and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.files import SKIPPED, Rows
from takt_cli.spec.application import Application, Callback

Ints = npt.NDArray[np.int64]

# Where a task runs, if its jobs go to whichever of several CPUs is free.
ANY_CPU = -1


class Fate(IntEnum):
    """What became of a release."""

    on_time = 0
    late = 1
    skipped = 2
    unfinished = 3
    """Not finished when the run ended, its deadline past."""
    open = 4
    """Not finished when the run ended, its deadline still to come: no miss."""


MISSES = (Fate.late, Fate.skipped, Fate.unfinished)


@dataclass(frozen=True)
class Window:
    """The measured part of a run, after the warm-up; t0 is the origin of the grid."""

    t0: int
    start: int
    end: int


@dataclass(frozen=True)
class Outcomes:
    """One entry for each release on the grid inside the window, in order of task then index."""

    task: Ints
    index: Ints
    release: Ints
    deadline: Ints
    begin: Ints
    """Start of the job; -1 if it did not start."""
    finish: Ints
    cpu: Ints
    decision: Ints
    """How long the executor took to choose the job, ns; -1 where it did not start."""
    dispatch_cpu: Ints
    """CPU time of the job's thread since a callback ended on it last, ns; -1 for the thread's first."""
    fate: npt.NDArray[np.int8]
    on: Ints
    """The CPU that the task runs on, or ANY_CPU; its processor where there is no run."""

    def __len__(self) -> int:
        return len(self.task)

    @property
    def missed(self) -> npt.NDArray[np.bool_]:
        return np.isin(self.fate, MISSES)

    def by_cpu(self) -> list[Outcomes]:
        """Those of each CPU apart; of several CPUs together those that could be on any of them."""
        return [self.select(self.on == cpu) for cpu in np.unique(self.on)]

    @property
    def stacked(self) -> bool:
        """Whether it can be told which of the started jobs had the CPU."""
        ran = self.select((self.begin >= 0) & (self.finish >= 0))
        return all(stacked(int(each.on[0]), each.begin, each.finish) for each in ran.by_cpu())

    def select(self, mask: npt.NDArray[np.bool_]) -> Outcomes:
        return Outcomes(*(getattr(self, name)[mask] for name in Outcomes.__dataclass_fields__))


def stacked(cpu: int, begin: Ints, finish: Ints) -> bool:
    """Whether jobs took turns on one CPU. On any of several they did only if none began before another's end."""
    order = np.argsort(begin, kind="stable")
    return cpu != ANY_CPU or bool((begin[order][1:] >= finish[order][:-1]).all())


def indices_within(callback: Callback, window: Window) -> tuple[int, int]:
    """The first release of the task in the window and the first behind it."""

    def first_from(instant: int) -> int:
        return max(0, -(-(instant - window.t0 - callback.phase) // callback.period))

    return first_from(window.start), first_from(window.end)


def outcomes(application: Application, window: Window, jobs: Rows, on: Sequence[int] = ()) -> Outcomes:
    """The fate of every release. One that left no row was skipped, whoever the executor. `on`: where
    each task runs; by default all on one CPU, 0."""
    parts = [
        _task_outcomes(task.index, task.callback, window, jobs, on[task.index] if on else 0)
        for task in application.tasks
    ]
    return Outcomes(*(np.concatenate([getattr(p, name) for p in parts]) for name in Outcomes.__dataclass_fields__))


def _task_outcomes(number: int, callback: Callback, window: Window, jobs: Rows, on: int) -> Outcomes:
    first, behind = indices_within(callback, window)
    index = np.arange(first, behind, dtype=np.int64)
    release = window.t0 + callback.phase + index * callback.period
    deadline = release + callback.deadline
    rows = jobs[(jobs["task"] == number) & (jobs["index"] >= first) & (jobs["index"] < behind)]
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
    # Without a row nobody can tell a skip from a job cut off by the end: only past its deadline it counts.
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
        on=np.full(len(index), on, np.int64),
    )
