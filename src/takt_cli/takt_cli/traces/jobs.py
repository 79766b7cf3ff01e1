# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The jobs in a trace, and the intervals in which each had its processor."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from takt_cli.results.sample_files import Ints, Rows
from takt_cli.results.trace_file import LOWERED, TRANSITION, Kind, Trace

# The deadline of a task that has none.
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Jobs:
    """The jobs, one per release, in order of task, then index; instants in ns, -1 if there is none."""

    task: Ints
    index: npt.NDArray[np.uint64]
    release: Ints
    """The instant at which the job was meant to become ready."""
    noticed: Ints
    """The instant at which the release was noticed; -1 also if the release was skipped immediately."""
    chosen: Ints
    start: Ints
    finish: Ints
    deadline: Ints
    """NEVER if the task has none; -1 if it is unknown because the job neither started nor was reported as a miss."""
    level: Ints
    missed: Ints
    """The instant at which the miss was noticed."""
    transition: Ints
    """1 if a change of scenario was under way at the miss."""
    skipped: Ints
    """The instant at which the job was shed; if it had been released before, because its data was too old."""

    def __len__(self) -> int:
        return len(self.task)

    def select(self, mask: Any) -> Jobs:
        """Return the jobs selected by a mask."""
        return Jobs(*(getattr(self, each.name)[mask] for each in fields(Jobs)))

    def index_of(self, task: int, index: int) -> int:
        """Return the place of a job; -1 if it is not there."""
        first, first_and_end = np.searchsorted(self.task, (task, task + 1))
        place = int(first) + int(np.searchsorted(self.index[first:first_and_end], np.uint64(index)))
        return place if place < first_and_end and int(self.index[place]) == index else -1


_OF_JOBS = (
    Kind.release, Kind.skip, Kind.choice, Kind.start, Kind.finish, Kind.miss, Kind.raise_, Kind.lower, Kind.exhaustion,
)  # fmt: skip


def jobs_in_trace(trace: Trace) -> Jobs:
    """Return all jobs in a trace."""
    events = trace.events[np.isin(trace.events["kind"], _OF_JOBS)]
    keys = np.empty(len(events), [("task", "<u4"), ("index", "<u8")])
    keys["task"], keys["index"] = events["task"], events["index"]
    unique, job = np.unique(keys, return_inverse=True)
    kind = events["kind"]

    def column(event_kind: Kind, field: str = "at") -> Ints:
        values = np.full(len(unique), -1, np.int64)
        is_of_kind = kind == event_kind
        values[job[is_of_kind]] = events[field][is_of_kind]
        return values

    release = np.maximum(column(Kind.release, "value"), column(Kind.skip, "value"))
    deadline = np.maximum(column(Kind.start, "value"), column(Kind.miss, "value"))
    return Jobs(
        task=unique["task"].astype(np.int64),
        index=unique["index"],
        release=release,
        noticed=column(Kind.release),
        chosen=column(Kind.choice),
        start=column(Kind.start),
        finish=column(Kind.finish),
        deadline=deadline,
        level=np.maximum(column(Kind.release, "level"), column(Kind.choice, "level")),
        missed=column(Kind.miss),
        transition=((np.maximum(column(Kind.miss, "flags"), 0) & TRANSITION) != 0).astype(np.int64),
        skipped=column(Kind.skip),
    )


class Activity(IntEnum):
    """The activity of a job while it has the processor."""

    runs = 0
    comes = 1
    """The job was chosen, but its thread has not started it yet."""
    background = 2


@dataclass(frozen=True)
class Slices:
    """The intervals in which one job had its processor, in order of their beginning."""

    first_task: Ints
    """The first task of the processor, which identifies it."""
    task: Ints
    index: npt.NDArray[np.uint64]
    begin: Ints
    end: Ints
    activity: Ints
    above: Ints
    """The number of started jobs that wait below this one."""

    def __len__(self) -> int:
        return len(self.task)

    def select(self, mask: Any) -> Slices:
        """Return the slices selected by a mask."""
        return Slices(*(getattr(self, each.name)[mask] for each in fields(Slices)))


def slices_in_trace(trace: Trace) -> Slices:
    """Return which job had the processor when, by the decisions of the executor. The kernel may have given the CPU to
    other threads meanwhile."""
    rows: list[tuple[int, ...]] = []
    for first in trace.processors or (0,):
        rows += _Stack(trace, first).rows
    rows.sort(key=lambda row: row[3])
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 7
    kinds = ["<u8" if each.name == "index" else "<i8" for each in fields(Slices)]
    return Slices(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))


class _Stack:
    """The stack of started jobs on one processor, reconstructed from its events."""

    def __init__(self, trace: Trace, first: int) -> None:
        self.first = first
        self._holes = trace.dropped > 0
        self.rows: list[tuple[int, ...]] = []
        self._stack: list[tuple[int, int]] = []
        self._behind: list[tuple[int, int]] = []
        self._coming: set[tuple[int, int]] = set()
        self._since = 0
        kinds = (Kind.choice, Kind.start, Kind.finish, Kind.raise_, Kind.lower, Kind.spin)
        events = _of_processor(trace, first, kinds)
        for instant, kind, task, index, flags in zip(
            *(events[name].tolist() for name in ("at", "kind", "task", "index", "flags")), strict=True
        ):
            self._close(instant)
            self._change(kind, (task, index), flags)

    def _close(self, instant: int) -> None:
        """End the slice of the job that ran until now; if it goes on, the next slice continues it."""
        begin, self._since = self._since, instant
        running = self._stack or self._behind
        if not running or begin == instant:
            return
        job = running[-1]
        activity = Activity.comes if job in self._coming else Activity.runs if self._stack else Activity.background
        row = (self.first, *job, begin, instant, int(activity), max(len(self._stack) - 1, 0))
        if self.rows and self.rows[-1][1:3] == job and self.rows[-1][4:6] == (begin, int(activity)):
            self.rows[-1] = (*self.rows[-1][:4], instant, *self.rows[-1][5:])
        else:
            self.rows.append(row)

    def _change(self, kind: int, job: tuple[int, int], flags: int) -> None:
        if kind == Kind.choice:
            if self._holes:
                # The finish of another job of this task may have been dropped.
                self._stack = [other for other in self._stack if other[0] != job[0]]
                self._coming = {other for other in self._coming if other[0] != job[0]}
            self._stack.append(job)
            self._coming.add(job)
        elif kind == Kind.start:
            self._coming.discard(job)
        elif kind == Kind.finish:
            self._coming.discard(job)
            _drop(self._behind if flags & LOWERED else self._stack, job)
        elif kind == Kind.raise_ and job in self._stack:
            _drop(self._stack, job)
            self._stack.append(job)
        elif kind == Kind.lower and job in self._stack:
            _drop(self._stack, job)
            self._behind.append(job)


def _drop(jobs: list[tuple[int, int]], job: tuple[int, int]) -> None:
    if job in jobs:
        jobs.remove(job)


def _of_processor(trace: Trace, first: int, kinds: tuple[Kind, ...]) -> Rows:
    """Return the events of these kinds that belong to tasks of one processor."""
    later_processors = [other for other in trace.processors if other > first]
    events = trace.events[np.isin(trace.events["kind"], kinds)]
    is_of_processor = events["task"] >= first
    if later_processors:
        is_of_processor &= events["task"] < min(later_processors)
    chosen: Rows = events[is_of_processor]
    return chosen


def events_with_their_jobs(trace: Trace, kind: Kind) -> tuple[Rows, Rows]:
    """Return the events of a kind that only jobs cause, and for each the start event of its job. Events whose start is
    unknown are left out."""
    events, starts = (trace.events[trace.events["kind"] == each] for each in (kind, Kind.start))
    events_by_ring: list[Rows] = [events[:0]]
    starts_by_ring: list[Rows] = [starts[:0]]
    for ring in np.unique(events["ring"]):
        events_of_ring, starts_of_ring = events[events["ring"] == ring], starts[starts["ring"] == ring]
        place = np.searchsorted(starts_of_ring["at"], events_of_ring["at"], side="right") - 1
        events_by_ring.append(events_of_ring[place >= 0])
        starts_by_ring.append(starts_of_ring[place[place >= 0]])
    return np.concatenate(events_by_ring), np.concatenate(starts_by_ring)
