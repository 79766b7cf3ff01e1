# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Busy periods: the longest interval in which a processor can be busy without a pause.

Source: J. P. Lehoczky, "Fixed priority scheduling of periodic task sets with arbitrary deadlines", RTSS
1990: the worst response time occurs in the longest busy period, but not always at its first job. Release jitter
as in K. Tindell, A. Burns, A. Wellings, "An extendible approach for analyzing fixed priority hard real-time
tasks", Real-Time Systems 6, 1994.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from takt_cli.schedulability.task import Task, TooLongError, utilisation_of
from takt_cli.schedulability.workload import Workload, workload_of

# Limits: iterations of one fixed-point search, and jobs of one task that are examined in a busy period.
MOST_STEPS = 200_000
MOST_JOBS = 20_000


def fixed_point(demand: Callable[[int], int], start: int, stop_above: int | None = None) -> int:
    """Return the least t with demand(t) = t that is not below `start`.

    `demand` must never decrease and must be at least `start` at `start`. With `stop_above` the search ends early:
    where the fixed point is above it, some value above `stop_above` is returned. Raises TooLongError after
    MOST_STEPS iterations."""
    t = start
    for _ in range(MOST_STEPS):
        next_t = demand(t)
        if next_t <= t or (stop_above is not None and next_t > stop_above):
            return next_t
        t = next_t
    raise TooLongError


def busy_period(tasks: Sequence[Task], blocking: int = 0) -> int | None:
    """Return the length in ns of the longest interval in which these tasks keep the processor busy, `blocking` ns
    of blocking included; None if it may never end. Raises TooLongError."""
    utilisation = utilisation_of((task.wcet, task.period) for task in tasks)
    if utilisation > 1 or (utilisation == 1 and (blocking > 0 or any(task.jitter for task in tasks))):
        return None
    total_workload = workload_of(tasks)
    return fixed_point(lambda t: blocking + total_workload.before(t), blocking + total_workload.work_of_one_job_each)


def jobs_within(period: int, jitter: int, total_workload: Workload, blocking: int) -> Iterator[int]:
    """Yield the numbers, from 0, of the jobs of one task that become ready within the longest busy period of
    `total_workload`, which includes the task itself. It is a generator because the busy period may never end.
    Raises TooLongError."""
    busy, job = blocking + total_workload.work_of_one_job_each, 0
    for _ in range(MOST_STEPS):
        while job * period - jitter < busy or job == 0:
            yield job
            job += 1
        next_busy = blocking + total_workload.before(busy)
        if next_busy <= busy:
            return
        busy = next_busy
    raise TooLongError
