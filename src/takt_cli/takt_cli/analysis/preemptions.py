# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Counts of preemptions, computed from starts and finishes in the same way for every executor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.grid import Ints, Outcomes, stacked
from takt_cli.analysis.misses import Mask
from takt_cli.analysis.sample_files import EXTRA, Rows


def preemptions(out: Outcomes, jobs: Rows, task_cpus: Sequence[int], end: int) -> Ints | None:
    """Return for each release how often its job was preempted, or None if it is unknown which job had which CPU.

    A job is preempted when another one starts on its CPU while it is the last to have started of the started and
    unfinished jobs. All jobs of the run count as preempting ones, including those of the warm-up and those released off
    the grid. `task_cpus`: the CPU of each task; `end`: the end of the window, after which finishes are unknown."""
    ran = jobs[(jobs["start"] >= 0) & (jobs["start"] < end)]
    where = np.asarray(task_cpus, np.int64)[ran["task"]]
    count = np.zeros(len(ran), np.int64)
    finish = np.where(ran["finish"] >= 0, ran["finish"], end)
    for cpu in np.unique(where):
        here = np.flatnonzero(where == cpu)
        if not stacked(int(cpu), ran["start"][here], finish[here]):
            return None
        count[here] = _times(ran["start"][here], finish[here])
    times = np.zeros(len(out), np.int64)
    grid = (ran["flags"] & EXTRA) == 0
    keys = (ran["task"][grid].astype(np.int64) << 40) | ran["index"][grid].astype(np.int64)
    wanted = (out.task << 40) | out.index
    order = np.argsort(wanted, kind="stable")
    place = np.searchsorted(wanted[order], keys)
    inside = place < len(wanted)
    inside[inside] = wanted[order][place[inside]] == keys[inside]
    times[order[place[inside]]] = count[grid][inside]
    return times


def preemption_figures(times: Ints | None, mask: Mask) -> dict[str, Any] | None:
    """Return the number of preemptions, the number of preempted jobs, and the largest number for one job."""
    if times is None:
        return None
    mine = times[mask]
    return {"total": int(mine.sum()), "jobs": int((mine > 0).sum()), "max": int(mine.max(initial=0))}


def _times(start: Ints, finish: Ints) -> Ints:
    """Return the number of preemptions of each job on one CPU. The jobs may be in any order."""
    times = np.zeros(len(start), np.int64)
    # A job that ends at the instant at which another starts is not preempted by it.
    order = np.lexsort((finish, start))
    starts, finishes = start[order].tolist(), finish[order].tolist()
    stack: list[int] = []
    counted = [0] * len(starts)
    for job, now in enumerate(starts):
        while stack and finishes[stack[-1]] <= now:
            stack.pop()
        if stack:
            counted[stack[-1]] += 1
        stack.append(job)
    times[order] = counted
    return times
