# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How long a processor can be busy without a pause.

Source: J. P. Lehoczky, "Fixed priority scheduling of periodic task sets with arbitrary deadlines", RTSS
1990: the worst response is in the longest busy period, and not always of its first job. Jitter as in
K. Tindell, A. Burns, A. Wellings, "An extendible approach for analyzing fixed priority hard real-time
tasks", Real-Time Systems 6, 1994.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from takt_cli.schedulability.task import Task, TooLongError, utilisation_of
from takt_cli.schedulability.workload import Workload, workload_of

# Steps of one search for a fixed point, and jobs of one task that are looked at.
MOST_STEPS = 200_000
MOST_JOBS = 20_000


def fixed_point(demand: Callable[[int], int], start: int, stop_above: int | None = None) -> int:
    """The least t with demand(t) = t that is not below `start`, for a demand that never falls and is at
    least `start` there; or some t above `stop_above`."""
    t = start
    for _ in range(MOST_STEPS):
        following = demand(t)
        if following <= t or (stop_above is not None and following > stop_above):
            return following
        t = following
    raise TooLongError


def busy_period(tasks: Sequence[Task], blocking: int = 0) -> int | None:
    """The longest stretch in which these tasks keep the processor busy, after `blocking`; None if it
    may never end."""
    used = utilisation_of((task.wcet, task.period) for task in tasks)
    if used > 1 or (used == 1 and (blocking > 0 or any(task.jitter for task in tasks))):
        return None
    there = workload_of(tasks)
    return fixed_point(lambda t: blocking + there.before(t), blocking + there.once)


def jobs_within(period: int, jitter: int, there: Workload, blocking: int) -> Iterator[int]:
    """The numbers of the jobs of a task that are ready within the longest stretch in which all that is `there`,
    itself included, keeps the processor busy; found as they are asked for, since it may never end."""
    busy, job = blocking + there.once, 0
    for _ in range(MOST_STEPS):
        while job * period - jitter < busy or job == 0:
            yield job
            job += 1
        further = blocking + there.before(busy)
        if further <= busy:
            return
        busy = further
    raise TooLongError
