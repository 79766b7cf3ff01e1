# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The tasks of one processor, as every analysis takes them. All times are whole nanoseconds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

_ABOVE = 1_000_000
"""Urgency and level: above those of all jobs."""
ONCE = 1 << 50
"""The period of what comes but once, ns: days."""


@dataclass(frozen=True)
class Task:
    """Jobs come at least `period` apart, and become ready at most `jitter` after their release.

    A job may start while its `level` is above the `ceiling` of every started one; a ceiling is at least
    the level. That is all there is to preemption: jobs that nobody preempts have the highest ceiling,
    jobs of an exclusive group the highest level of its members (see levels.py).
    """

    name: str
    period: int
    deadline: int
    wcet: int
    urgency: int = 0
    """Under fixed priorities: the higher goes first. Equal ones go by deadline, release and index."""
    level: int = 1
    ceiling: int = 1
    jitter: int = 0
    section: int = 0
    """The longest stretch in which it keeps everybody from starting."""
    phase: int = 0
    queue: int = 0
    """How many further jobs may wait while one is unfinished."""
    background: bool = False
    """Part of its jobs is below everything else, and keeps everybody waiting while in a section."""
    brings: bool = False
    """Part of its work is jobs that go before its own start, when others may still come in between."""

    def may_preempt(self, other: Task) -> bool:
        """Whether its jobs, which are as urgent, may come in after the other's work has begun."""
        return other.brings or self.level > other.ceiling

    @property
    def utilisation(self) -> Fraction:
        return Fraction(self.wcet, self.period)

    @property
    def patience(self) -> int:
        """A job is never skipped while every response is at most this long."""
        return (self.queue + 1) * self.period


@dataclass(frozen=True)
class TaskSet:
    """The tasks of one processor in the order of the spec, by which ties break in the end."""

    tasks: tuple[Task, ...]
    by_deadline: bool = False
    """Earliest deadline first; else by urgency."""
    above: tuple[Task, ...] = ()
    """What takes the processor from every job at any time: threads above the workers (see `above_all`)."""

    @cached_property
    def everything(self) -> tuple[Task, ...]:
        return (*self.above, *self.tasks)

    @cached_property
    def utilisation(self) -> Fraction:
        return utilisation_of((task.wcet, task.period) for task in self.everything)

    @cached_property
    def hyperperiod(self) -> int:
        return math.lcm(*{task.period for task in self.everything})

    def with_wcets(self, wcets: list[int]) -> TaskSet:
        return replace(self, tasks=tuple(replace(t, wcet=c) for t, c in zip(self.tasks, wcets, strict=True)))


def utilisation_of(asked: Iterable[tuple[int, int]]) -> Fraction:
    """Of work and periods: exact, and in one step for all, since fractions are slow to add."""
    by_period: dict[int, int] = {}
    for wcet, period in asked:
        by_period[period] = by_period.get(period, 0) + wcet
    whole = math.lcm(*by_period)
    return Fraction(sum(wcet * (whole // period) for period, wcet in by_period.items()), whole)


def above_all(name: str, period: int, wcet: int) -> Task:
    """A thread above all workers. Nobody knows its phase."""
    return Task(name, period, 0, wcet, _ABOVE, _ABOVE, _ABOVE, phase=-1)


@dataclass(frozen=True)
class Bound:
    """What an analysis says of the response times of one task."""

    response: int | None
    """None: not bounded, or not analysed."""
    exact: bool = False
    """The task set's own releases reach it if jobs take their WCETs and no release of the task is skipped;
    else it is an upper bound."""
    blocking: int = 0
    """Of the bound: for how long a less urgent job may keep it waiting."""
    blocker: str | None = None
    why: str = ""
    """Why there is no bound."""
    after: int = 0
    """Under deadlines: how long after the beginning of a busy period the worst job is released."""


class TooLongError(Exception):
    """An analysis would look at more jobs than is reasonable; callers make an answer of it."""
