# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Blocking: how long a less urgent job keeps more urgent ones waiting. At most one job does, and only once.

Sources: T. P. Baker, "Stack-based scheduling of realtime processes", Real-Time Systems 3, 1991 (a job is
blocked at most once, before it starts); S. Baruah, "Resource sharing in EDF-scheduled systems: a closer
look", RTSS 2006 (under earliest deadline first). Here a critical section is a whole job, since a job holds its group
from its start to its end. A job that no other may preempt is the same with the highest ceiling. A middleware
section is a critical section of its own length with the highest ceiling: during it no other job starts.

A job that has exhausted its budget and continues at background priority is below all others, but may still be
inside a middleware section (decision 24).

The blocking job must have started before the jobs that it blocks, by one nanosecond at least: hence `- 1`. Had it been
released together with them, it would wait.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import TypeAlias

import numpy as np

from takt_cli.schedulability.columns import MAX_TIME, Columns, Integers, integers
from takt_cli.schedulability.task import Task, TaskSet


@dataclass(frozen=True)
class Blocking:
    """A blocking time in ns, and the name of the task that causes it."""

    length: int = 0
    blocker: str | None = None


NOTHING = Blocking()


def blocking_of_urgency(tasks: Columns, urgency: int, level: int) -> Blocking:
    """Return the blocking, under fixed priorities, of a task of this level and everything at least as urgent."""
    within = np.where(tasks.ceiling >= level, np.maximum(tasks.wcet, tasks.section), tasks.section)
    return _longest(tasks, np.where(tasks.urgency < urgency, within, np.where(tasks.background, tasks.section, 0)))


def _longest(tasks: Columns, held: Integers) -> Blocking:
    place = int(held.argmax())
    length = int(held[place]) - 1
    return Blocking(length, tasks.names[place]) if length > 0 else NOTHING


class DeadlineBlocking:
    """Blocking under earliest deadline first: of the jobs that are due within a length after the beginning of a busy
    period.

    Releases are noticed in their order, with or without jitter: a job that started earlier was released earlier, so it
    blocks only jobs whose relative deadline is shorter than its own."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = Columns(tasks.tasks)
        due = self._tasks.deadline - self._tasks.jitter
        self._first = int(due.min())
        order = np.argsort(self._tasks.deadline, kind="stable")
        self._deadlines, self._due, self._levels = self._tasks.deadline[order], due[order], self._tasks.level[order]
        pairs = list(zip(self._tasks.deadline.tolist(), self._tasks.ceiling.tolist(), strict=True))
        begins_of_pair = {pair: self._begins(*pair) for pair in set(pairs)}
        self._with_jobs, self._with_sections = (integers([begins_of_pair[pair][i] for pair in pairs]) for i in (0, 1))

    def _begins(self, deadline: int, ceiling: int) -> tuple[int, int]:
        """Return the length from which on a job with this relative deadline and ceiling blocks a job that is due within
        that length: once for the whole job, and once for its middleware sections."""
        shorter = int(np.searchsorted(self._deadlines, deadline))
        due = self._due[:shorter]
        due_of_blockable = due[self._levels[:shorter] <= ceiling]
        return int(due_of_blockable.min(initial=MAX_TIME)), int(due.min(initial=MAX_TIME))

    def within(self, length: int) -> Blocking:
        """Return the blocking of jobs that are due within `length`."""
        starts, blockings = self._steps
        return blockings[bisect_right(starts, length) - 1]

    def within_each(self, lengths: Integers) -> Integers:
        """Return the blocking time, in ns, for each of many lengths."""
        starts, blockings = self._steps
        return _values_at_lengths(lengths, starts, [each.length for each in blockings])

    def of_task(self, task: Task, length: int) -> Blocking:
        """Return the blocking of jobs that are due within `length`, if the last of them is a job of `task`."""
        if length >= task.deadline:
            return self.within(length)
        if length < self._first:
            return NOTHING
        tasks = self._tasks
        jobs = np.where(self._with_jobs <= length, np.maximum(tasks.wcet, tasks.section), 0)
        held = np.maximum(jobs, np.where(self._with_sections <= length, tasks.section, 0))
        held = np.where(tasks.deadline > task.deadline, held, 0)
        return _longest(tasks, np.maximum(held, np.where(tasks.background, tasks.section, 0)))

    @cached_property
    def _steps(self) -> tuple[list[int], list[Blocking]]:
        """The lengths at which the blocking changes, and the blocking from each on."""
        starts, jobs = _longest_of(self._jobs())
        section_starts, sections = _longest_of(self._sections())
        all_starts = sorted({*starts, *section_starts})

        def at(start: int) -> Blocking:
            candidates = [
                found[bisect_right(begins, start) - 1][0]
                for begins, found in ((starts, jobs), (section_starts, sections))
            ]
            held, index = max(candidates, key=lambda each: (each[0], -each[1]))
            return Blocking(held - 1, self._tasks.names[index]) if held > 1 else NOTHING

        return all_starts, [at(start) for start in all_starts]

    def apart_from_each(self, lengths: Integers) -> Callable[[int], Integers]:
        """Return a function of a task's index that returns the blocking time for each of `lengths` if whole jobs of
        that task do not block."""
        starts, jobs = _longest_of(self._jobs())
        section_starts, sections = _longest_of(self._sections())
        of_sections = _values_at_lengths(lengths, section_starts, [two[0][0] for two in sections])
        first, task_of_first, second = (
            _values_at_lengths(lengths, starts, values)
            for values in zip(*((one[0], one[1], other[0]) for one, other in jobs), strict=True)
        )

        def apart(index: int) -> Integers:
            held: Integers = np.maximum(of_sections, np.where(task_of_first == index, second, first)) - 1
            return held.clip(0)

        return apart

    def begins(self, index: int) -> int:
        """Return the length from which on whole jobs of the task block."""
        return int(self._with_jobs[index])

    def _jobs(self) -> Iterable[_Part]:
        """Yield when each whole job can block."""
        longest = np.maximum(self._tasks.wcet, self._tasks.section).tolist()
        begins, ends = self._with_jobs.tolist(), self._tasks.deadline.tolist()
        for i, (begin, end, held) in enumerate(zip(begins, ends, longest, strict=True)):
            if begin < end:
                yield begin, end, held, i

    def _sections(self) -> Iterable[_Part]:
        """Yield when each middleware section can block."""
        sections, ends = self._tasks.section.tolist(), self._tasks.deadline.tolist()
        for i, (begin, end, section) in enumerate(zip(self._with_sections.tolist(), ends, sections, strict=True)):
            if section and begin < end:
                yield begin, end, section, i
            if section and self._tasks.background[i]:
                yield self._first, 2 * MAX_TIME, section, i


_Part: TypeAlias = tuple[int, int, int, int]
"""A blocking candidate: from which length on, up to which, for how long, and the index of its task."""
_Held: TypeAlias = tuple[int, int]
"""A length of time in ns, and the index of the task."""


def _longest_of(parts: Iterable[_Part]) -> tuple[list[int], list[tuple[_Held, _Held]]]:
    """Return the lengths at which the candidates change, and the two longest from each on; ties go to the lower
    index."""
    waiting = sorted(parts, reverse=True)
    starts = sorted({-MAX_TIME} | {begin for begin, *_ in waiting} | {end for _, end, *_ in waiting})
    two_longest: list[tuple[_Held, _Held]] = []
    present: list[tuple[int, int, int]] = []
    for start in starts:
        while waiting and waiting[-1][0] <= start:
            _, end, held, index = waiting.pop()
            heappush(present, (-held, index, end))
        top_two: list[tuple[int, int, int]] = []
        while present and len(top_two) < 2:
            top = heappop(present)
            if top[2] > start:
                top_two.append(top)
        first, second, *_ = [(-held, index) for held, index, _ in top_two] + [(0, -1), (0, -1)]
        two_longest.append((first, second))
        for each in top_two:
            heappush(present, each)
    return starts, two_longest


def _values_at_lengths(lengths: Integers, starts: list[int], values: Sequence[int]) -> Integers:
    return integers(values)[np.searchsorted(integers(starts), lengths, side="right") - 1]


def blocking_by_background_jobs(tasks: TaskSet) -> int:
    """Return for how long, in ns, a job may be blocked by one at background priority, however late it is due."""
    return max((task.section - 1 for task in tasks.tasks if task.background), default=0)
