# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What it costs to get jobs started: CPU time beside the callbacks, and the gap between two jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from takt_cli.analysis.grid import Ints, Outcomes
from takt_cli.analysis.percentiles import Samples, percentiles

_US = 1e3
CLASSES = ("executor", "middleware", "other")


def cpu_by_class(processes: list[dict[str, Any]]) -> dict[str, int]:
    """CPU time of the threads of each class within the window, ns."""
    total = dict.fromkeys(CLASSES, 0)
    for process in processes:
        for thread in process["threads"]:
            total[thread["class"]] += max(int(thread["cpu_ns"]), 0)
    return total


def dispatch_overhead(processes: list[dict[str, Any]], out: Outcomes) -> dict[str, Any]:
    """What it costs to get from one callback to the next, us of CPU.

    `per_job` is everything, (CPU time of the processes minus CPU time inside callbacks) / `jobs`, a
    ratio of totals; executor and middleware threads shown apart. The percentiles are of what a job's
    own thread did since the callback before it; of every job but the first of each thread, `n`.
    """
    jobs = sum(int(p["jobs"]) for p in processes)
    process = sum(int(p["process_cpu_ns"]) for p in processes)
    callbacks = sum(int(p["callback_cpu_ns"]) for p in processes)
    threads = cpu_by_class(processes)
    executor = threads["executor"] - callbacks
    middleware = threads["middleware"]
    per_job = {
        "per_job": process - callbacks,
        "executor": executor,
        "middleware": middleware,
        # What the threads' clocks do not explain: threads that came and went, and the kernel's rounding.
        "other": process - callbacks - executor - middleware,
    }
    ratios = {name: value / jobs / _US if jobs else None for name, value in per_job.items()}
    return ratios | {"jobs": jobs} | percentiles(_known(out.dispatch_cpu) / _US)


def decisions(out: Outcomes) -> Samples:
    """How long the executor took to choose each job that it started, ns."""
    return _known(out.decision)


def handover(out: Outcomes) -> Samples:
    """From the end of a job to the start of the next on its CPU that was released by then, ns:
    decision, switch and whatever else ran between the two."""
    return _of_each_cpu(_handover, out)


def release_jitter(out: Outcomes) -> Samples:
    """Start minus release, ns, of the jobs that found their CPU free: at whose release no job that
    started before them was unfinished. What remains is the executor's own delay and its host's."""
    return _of_each_cpu(_release_jitter, out)


def _of_each_cpu(figure: Callable[[Outcomes], Samples], out: Outcomes) -> Samples:
    return np.concatenate([figure(out.select(np.zeros(len(out), np.bool_))), *map(figure, out.by_cpu())])


def _handover(out: Outcomes) -> Samples:
    ran = out.select((out.begin >= 0) & (out.finish >= 0))
    finishes = np.sort(ran.finish)
    before = np.searchsorted(finishes, ran.begin, side="right") - 1
    last = finishes[np.maximum(before, 0)] if len(finishes) else finishes
    waited = (before >= 0) & (ran.release <= last)
    return (ran.begin - last)[waited].astype(np.float64)


def _release_jitter(out: Outcomes) -> Samples:
    ran = out.select(out.begin >= 0)
    order = np.lexsort((ran.release, ran.begin))
    begin, release = ran.begin[order], ran.release[order]
    # A job that never finished keeps the CPU busy for all that follow.
    finish = np.where(ran.finish[order] >= 0, ran.finish[order], np.iinfo(np.int64).max)
    busy_until = (
        np.concatenate([[np.iinfo(np.int64).min], np.maximum.accumulate(finish)[:-1]]) if len(order) else finish
    )
    return (begin - release)[busy_until <= release].astype(np.float64)


def _known(column: Ints) -> Samples:
    return column[column >= 0].astype(np.float64)
