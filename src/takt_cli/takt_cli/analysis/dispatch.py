# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The cost of starting jobs: CPU time outside of the callbacks, and the gap between two jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from takt_cli.analysis.grid import Outcomes
from takt_cli.results.run import RunProcess
from takt_cli.results.sample_files import Ints, Mask
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import PercentilesWithIntervals, percentiles_with_intervals
from takt_cli.statistics.percentiles import Samples

_US = 1e3


class CpuSeconds(msgspec.Struct, frozen=True, kw_only=True):
    """The CPU time in s of the processes within the window: inside callbacks, the executor's threads outside of
    callbacks, the middleware's threads, and all others."""

    callbacks: float
    executor: float
    middleware: float
    other: float


class DispatchOverhead(PercentilesWithIntervals, frozen=True, kw_only=True, omit_defaults=True):
    """The dispatch overhead, in us of CPU time.

    `per_job` is the total: (CPU time of the processes minus CPU time inside callbacks) / `jobs`, a ratio of totals,
    with the shares of executor and middleware threads beside it. The percentiles are of the CPU time that a job's own
    thread used since the previous callback; of all `n` jobs except the first of each thread.
    """

    per_job: float | None
    executor: float | None
    middleware: float | None
    other: float | None
    jobs: int


def dispatch_overhead(processes: Sequence[RunProcess], out: Outcomes) -> DispatchOverhead:
    """Return the dispatch overhead per job, by threads and on the job's own thread."""
    jobs = sum(p.jobs for p in processes)
    parts, started = _cpu_parts(processes), dispatch_time_known(out)
    total = sum(parts.values()) - parts.pop("callbacks")
    return extended(
        percentiles_with_intervals(started.dispatch_cpu / _US, started.begin),
        DispatchOverhead,
        jobs=jobs,
        **{name: value / jobs / _US if jobs else None for name, value in (parts | {"per_job": total}).items()},
    )


def seconds_by_class(processes: Sequence[RunProcess]) -> CpuSeconds:
    """Return the CPU time of the processes within the window, in parts."""
    return CpuSeconds(**{name: value / 1e9 for name, value in _cpu_parts(processes).items()})


def _cpu_parts(processes: Sequence[RunProcess]) -> dict[str, int]:
    """Return the parts of the CPU time, in ns, as `CpuSeconds` has them."""
    process = sum(p.process_cpu_ns for p in processes)
    callbacks = sum(p.callback_cpu_ns for p in processes)
    by_class: Counter[str] = Counter()
    for thread in (each for process in processes for each in process.threads):
        by_class[thread.kind] += max(thread.cpu_ns, 0)
    executor, middleware = by_class["executor"] - callbacks, by_class["middleware"]
    # The rest is what the threads' CPU clocks do not explain: threads that started or ended, and the kernel's rounding.
    other = process - callbacks - executor - middleware
    return {"callbacks": callbacks, "executor": executor, "middleware": middleware, "other": other}


def dispatch_time_known(out: Outcomes) -> Outcomes:
    """Return the jobs for which the CPU time of their thread since the previous callback is known."""
    return out.select(out.dispatch_cpu >= 0)


def decision_time_known(out: Outcomes) -> Outcomes:
    """Return the jobs for which the duration of the executor's decision is known."""
    return out.select(out.decision >= 0)


def handover(out: Outcomes) -> Samples:
    """Return the times in ns from the end of a job to the start of the next one on its CPU that had been released by
    then: the decision, the context switch and anything else that ran in between. Empty if it is unknown which job had
    which of several CPUs."""
    return np.concatenate([np.empty(0), *(map(_handover, out.by_cpu()) if out.stacked else ())])


def release_jitter(out: Outcomes) -> Samples:
    """Return start minus release, in ns, of the jobs that found their CPU free: the delay by the executor and the host
    alone."""
    undisturbed = found_cpu_free(out)
    return (undisturbed.begin - undisturbed.release).astype(np.float64)


def found_cpu_free(out: Outcomes) -> Outcomes:
    """Return the jobs at whose release every job that had started before on their CPU was finished; on all CPUs if the
    job could run on any of them."""
    cpu_was_free = np.zeros(len(out), np.bool_)
    for cpu in np.unique(out.task_cpu):
        jobs_on_cpu = np.flatnonzero((out.task_cpu == cpu) & (out.begin >= 0))
        cpu_was_free[jobs_on_cpu] = _free(out.begin[jobs_on_cpu], out.release[jobs_on_cpu], out.finish[jobs_on_cpu])
    return out.select(cpu_was_free)


def _handover(out: Outcomes) -> Samples:
    executed = out.select((out.begin >= 0) & (out.finish >= 0))
    finishes = np.sort(executed.finish)
    previous_place = np.searchsorted(finishes, executed.begin, side="right") - 1
    previous_finish = finishes[np.maximum(previous_place, 0)] if len(finishes) else finishes
    waited = (previous_place >= 0) & (executed.release <= previous_finish)
    return (executed.begin - previous_finish)[waited].astype(np.float64)


def _free(begin: Ints, release: Ints, finish: Ints) -> Mask:
    order = np.lexsort((release, begin))
    # A job that never finished occupies the CPU for all that follow.
    finish_or_never = np.where(finish[order] >= 0, finish[order], np.iinfo(np.int64).max)
    busy_until = np.concatenate([[np.iinfo(np.int64).min], np.maximum.accumulate(finish_or_never)[:-1]])
    cpu_was_free = np.zeros(len(order), np.bool_)
    cpu_was_free[order] = busy_until[: len(order)] <= release[order]
    return cpu_was_free
