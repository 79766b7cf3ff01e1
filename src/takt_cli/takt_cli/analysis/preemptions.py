# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Counts of preemptions, computed from starts and finishes in the same way for every executor."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from takt_cli.analysis.grid import Outcomes, stacked
from takt_cli.analysis.job_keys import found_among, job_keys
from takt_cli.results.sample_files import EXTRA, Ints, Mask, Rows


class Preemptions(msgspec.Struct, frozen=True):
    """The number of preemptions, of preempted jobs, and the largest number for one job."""

    total: int
    jobs: int
    max: int


def preemptions(out: Outcomes, jobs: Rows, task_cpus: Sequence[int], end: int) -> Ints | None:
    """Return for each release how often its job was preempted, or None if it is unknown which job had which CPU.

    A job is preempted when another one starts on its CPU while it is the last to have started of the started and
    unfinished jobs. All jobs of the run count as preempting ones, including those of the warm-up and those released off
    the grid. `task_cpus`: the CPU of each task; `end`: the end of the window, after which finishes are unknown."""
    executed_jobs = jobs[(jobs["start"] >= 0) & (jobs["start"] < end)]
    cpu_of_job = np.asarray(task_cpus, np.int64)[executed_jobs["task"]]
    count = np.zeros(len(executed_jobs), np.int64)
    finish = np.where(executed_jobs["finish"] >= 0, executed_jobs["finish"], end)
    for cpu in np.unique(cpu_of_job):
        jobs_on_cpu = np.flatnonzero(cpu_of_job == cpu)
        if not stacked(int(cpu), executed_jobs["start"][jobs_on_cpu], finish[jobs_on_cpu]):
            return None
        count[jobs_on_cpu] = _times(executed_jobs["start"][jobs_on_cpu], finish[jobs_on_cpu])
    times = np.zeros(len(out), np.int64)
    is_on_grid = (executed_jobs["flags"] & EXTRA) == 0
    on_grid = executed_jobs[is_on_grid]
    place, is_executed = found_among(job_keys(out.task, out.index), job_keys(on_grid["task"], on_grid["index"]))
    times[is_executed] = count[is_on_grid][place[is_executed]]
    return times


def preemption_figures(times: Ints | None, mask: Mask) -> Preemptions | None:
    """Return the preemptions of the selected releases; None if they are unknown."""
    if times is None:
        return None
    selected_times = times[mask]
    return Preemptions(int(selected_times.sum()), int((selected_times > 0).sum()), int(selected_times.max(initial=0)))


def _times(start: Ints, finish: Ints) -> Ints:
    """Return the number of preemptions of each job on one CPU. The jobs may be in any order."""
    times = np.zeros(len(start), np.int64)
    # A job that ends at the instant at which another starts is not preempted by it.
    order = np.lexsort((finish, start))
    starts, finishes = start[order].tolist(), finish[order].tolist()
    stack: list[int] = []
    counted = [0] * len(starts)
    for job, instant in enumerate(starts):
        while stack and finishes[stack[-1]] <= instant:
            stack.pop()
        if stack:
            counted[stack[-1]] += 1
        stack.append(job)
    times[order] = counted
    return times
