# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether the earliest deadline first meets every deadline: by the demand for the processor.

Sources: S. Baruah, L. Rosier, R. Howell, "Algorithms and complexity concerning the preemptive scheduling
of periodic, real-time tasks on one processor", Real-Time Systems 2, 1990 (the demand that is due within
any length must fit into it); F. Zhang, A. Burns, "Schedulability analysis for real-time systems with EDF
scheduling", IEEE Transactions on Computers 58, 2009 (which lengths to look at: from the longest down,
each look saying where to look next); K. Jeffay, D. Stanat, C. Martel, "On non-preemptive scheduling of
periodic and sporadic tasks", RTSS 1991, and Baruah 2006 (blocking by one less urgent job: blocking.py).

Assumes: as fixed_priority.py. Exact for tasks that share nothing, preempt each other and start together;
with blocking it is sufficient, and necessary only for releases that come at the worst moment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from takt_cli.schedulability.blocking import NOTHING, Blocking, of_background, of_deadline
from takt_cli.schedulability.busy_period import MOST_STEPS
from takt_cli.schedulability.task import TaskSet, TooLongError


@dataclass(frozen=True)
class Demand:
    """`length`: the shortest found within which more is due than fits; None if everything fits."""

    length: int | None = None
    due: int = 0
    blocking: Blocking = NOTHING
    overloaded: bool = False
    """More than the whole processor is asked for: no length need be looked at."""

    @property
    def fits(self) -> bool:
        return self.length is None and not self.overloaded


def demand(tasks: TaskSet, length: int) -> int:
    """What is released and due within any stretch of `length`, at most."""
    return sum(
        max(0, (length - task.deadline + task.jitter) // task.period + 1) * task.wcet for task in tasks.everything
    )


def processor_demand(tasks: TaskSet) -> Demand:
    """Raises TooLongError."""
    if tasks.utilisation > 1:
        return Demand(overloaded=True)
    if (due := demand(replace(tasks, above=()), 0)) > 0:
        return Demand(0, due, of_deadline(tasks, 0))  # releases may be noticed behind deadlines
    end = _end(tasks)
    # Between two deadlines the blocking is the same.
    steps = sorted({0, end + 1} | {t.deadline - shift for t in tasks.tasks for shift in (0, t.jitter)})
    for low, high in pairwise(steps):
        if high <= 0 or low > end:
            continue
        blocking = of_deadline(tasks, low)
        length = _not_fitting(tasks, low, min(high, end + 1), blocking.length)
        if length is not None:
            return Demand(length, demand(tasks, length), blocking)
    return Demand()


def _end(tasks: TaskSet) -> int:
    """Beyond this length what is due always fits: within any `t` that is not below the longest deadline at
    most t U + (the sum of (period - deadline + jitter) U) is due, and nothing blocks but sections in the
    background. What a full processor does repeats itself."""
    longest = max(task.deadline for task in tasks.tasks)
    excess = sum((t.utilisation * (t.period - t.deadline + t.jitter) for t in tasks.everything), Fraction(0))
    excess += max(0, of_background(tasks))
    if excess <= 0:
        return longest
    if tasks.utilisation == 1:
        return tasks.hyperperiod + longest
    return max(longest, math.ceil(excess / (1 - tasks.utilisation)))


def _not_fitting(tasks: TaskSet, low: int, high: int, blocking: int) -> int | None:
    """A length from `low` on, below `high`, that what is due within it and `blocking` exceed."""
    length = _last_deadline(tasks, high)
    for _ in range(MOST_STEPS):
        # What comes above all jobs grows in between, where nothing is due.
        length = None if length is None else _last_deadline(tasks, length + 1)
        if length is None or length < low:
            return None
        needed = demand(tasks, length) + blocking
        if needed > length:
            return length
        length = needed if needed < length else _last_deadline(tasks, length)
    raise TooLongError


def _last_deadline(tasks: TaskSet, before: int) -> int | None:
    """The last length below `before` at which something becomes due."""
    first = [task.deadline - task.jitter for task in tasks.tasks]
    last = [f + (before - 1 - f) // t.period * t.period for f, t in zip(first, tasks.tasks, strict=True) if f < before]
    return max(last, default=None)
