# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The tasks of one processor, as all analyses take them. All times are whole nanoseconds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

_ABOVE = 1_000_000
"""The urgency and level of threads that run above all jobs."""
ONCE = 1 << 50
"""The period, in ns, of work that occurs only once: 13 days, far longer than anything that is analysed."""


@dataclass(frozen=True)
class Task:
    """A task whose jobs are released at least `period` apart and become ready at most `jitter` after their release.

    A job may start while its `level` is above the `ceiling` of every started job; a ceiling is never below the
    task's own level. This alone defines preemption: jobs that no job may preempt have the highest ceiling, jobs
    of an exclusive group have the highest level of the group's members (see levels.py).
    """

    name: str
    period: int
    deadline: int
    wcet: int
    urgency: int = 0
    """Used under fixed priorities: higher values go first. Ties are broken by deadline, release and index."""
    level: int = 1
    ceiling: int = 1
    jitter: int = 0
    section: int = 0
    """The longest middleware section of a job, during which no other job may start."""
    phase: int = 0
    queue: int = 0
    """The number of further jobs that may wait while one is unfinished; a release beyond that is skipped."""
    background: bool = False
    """Part of each job runs at background priority, below all others, but blocks all of them while in a section."""
    runs_other_jobs_first: bool = False
    """Part of the work is jobs of other tasks that run before the task's own start (see refresh.py), so that other
    jobs may still preempt it."""

    def may_preempt(self, other: Task) -> bool:
        """Return whether jobs of this task, which is at least as urgent, may preempt the other's after their start."""
        return other.runs_other_jobs_first or self.level > other.ceiling

    @property
    def utilisation(self) -> Fraction:
        return Fraction(self.wcet, self.period)

    @property
    def longest_without_skips(self) -> int:
        """The longest response time, in ns, with which no release is skipped."""
        return (self.queue + 1) * self.period


@dataclass(frozen=True)
class TaskSet:
    """The tasks of one processor in the order of the spec, which is the last criterion to break ties."""

    tasks: tuple[Task, ...]
    by_deadline: bool = False
    """True if the policy is earliest deadline first; otherwise tasks are ordered by urgency."""
    above: tuple[Task, ...] = ()
    """Threads above the workers, which take the processor from any job at any time (see `above_all`)."""

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


def utilisation_of(wcets_and_periods: Iterable[tuple[int, int]]) -> Fraction:
    """Return the exact utilisation of (WCET, period) pairs. It is summed in one step, as fractions are slow to add."""
    by_period: dict[int, int] = {}
    for wcet, period in wcets_and_periods:
        by_period[period] = by_period.get(period, 0) + wcet
    denominator = math.lcm(*by_period)
    return Fraction(sum(wcet * (denominator // period) for period, wcet in by_period.items()), denominator)


def above_all(name: str, period: int, wcet: int) -> Task:
    """Return a thread above all workers as a task. Its phase, which is unknown, differs from that of every task."""
    return Task(name, period, 0, wcet, _ABOVE, _ABOVE, _ABOVE, phase=-1)


@dataclass(frozen=True)
class Bound:
    """The result of an analysis for the response times of one task, in ns."""

    response: int | None
    """The upper bound; None if there is none or the task was not analysed."""
    exact: bool = False
    """True if the task set's own releases reach the bound, provided that jobs take their WCETs and no release of the
    task is skipped; otherwise it is only an upper bound."""
    blocking: int = 0
    """The part of the bound in which a less urgent job may block the task."""
    blocker: str | None = None
    """The name of the task whose job may block it."""
    why: str = ""
    """The reason why there is no bound, if so."""
    after: int = 0
    """The release of the worst job after the beginning of its busy period, in ns; only under earliest deadline
    first."""


class TooLongError(Exception):
    """Raised where an analysis would examine more jobs than is reasonable; callers turn it into an answer."""
