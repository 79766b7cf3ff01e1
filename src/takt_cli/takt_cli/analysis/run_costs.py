# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Costs in a traced run beside the callbacks' own execution times: per job, per preemption, per release.

They are found by least squares over the jobs: the time that a job had its processor beyond its WCET is regressed on how
often it was preempted, how many other releases occurred while it had the processor, and for how long it had it. What
remains is the job's own cost, of which the 99th percentile is taken, as for the benchmarks: the rest is due to the
host. Jobs that are known to have been delayed by the host are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.observations import longest_section
from takt_cli.analysis.result import Result
from takt_cli.analysis.stalls.host_time import HostTime
from takt_cli.errors import ResultError
from takt_cli.results.sample_files import Ints
from takt_cli.schedulability.model import Costs
from takt_cli.traces.summary import TraceAnalysis

LEVEL = 99
# Jobs above this percentile of the residuals tell more about the host than about takt; they are left out of the fit.
_TRIMMED = 97
_ROUNDS = 3
_MS = 1e6
_FEWEST = 100


@dataclass(frozen=True)
class JobTimes:
    """Finished jobs, with one element per job; times in ns."""

    beyond_wcet: Ints
    """The time that it had the processor, minus its WCET."""
    processor_time: Ints
    """The time that it had the processor."""
    preempted: Ints
    """The number of times that it was preempted."""
    releases: Ints
    """The number of other jobs that were released while it had the processor."""


def run_costs(analysis: TraceAnalysis, result: Result) -> Costs:
    """Return the costs in ns that a traced run shows. Raises ResultError if too few jobs finished."""
    host = HostTime(analysis, result, 0)
    times, late = job_times(analysis, result, host)
    if len(times.beyond_wcet) < _FEWEST:
        raise ResultError(
            f"{result.folder}: only {len(times.beyond_wcet)} jobs finished, which are too few; run for longer"
        )
    regressors = np.stack(
        [np.ones(len(times.processor_time)), times.preempted, times.releases, times.processor_time / _MS], axis=1
    )
    each, residuals = _fit_costs(regressors, times.beyond_wcet.astype(np.float64))
    return Costs(
        job=math.ceil(max(each[0] + float(np.percentile(residuals, LEVEL)), 0)),
        preemption=math.ceil(each[1]),
        section=longest_section(result),
        jitter=math.ceil(np.percentile(late, LEVEL)),
        release=math.ceil(each[2]),
        others=math.ceil(each[3]),
        burst=_longest_burst(host, result),
    )


def _longest_burst(host: HostTime, result: Result) -> int:
    """Return the longest turn of a thread above the jobs, by the kernel's context switches; without them, the total CPU
    time of the middleware thread that used most, which is an upper limit."""
    longest_seen = host.longest_above(result.window.start, result.window.end)
    if longest_seen is not None:
        return longest_seen
    threads = [each for process in result.processes for each in process.threads]
    middleware_cpu_times = [each.cpu_ns for each in threads if each.kind == "middleware" and (each.granted or 0) > 0]
    return max(middleware_cpu_times, default=0)


def job_times(analysis: TraceAnalysis, result: Result, host: HostTime) -> tuple[JobTimes, Ints]:
    """Return the times of the finished jobs, and how late their releases were noticed, in ns."""
    trace, slices, jobs = analysis.trace, analysis.slices, analysis.jobs_in_window
    wcets = {task.id: task.callback.wcet for task in result.application.tasks}
    names = [trace.task_name(int(task)) for task in jobs.task]
    is_usable = np.array([name in wcets for name in names], bool) & (jobs.finish >= 0) & (jobs.start >= 0)
    is_usable &= ~host.disturbed(jobs.release, jobs.finish)
    slices_by_job: dict[tuple[int, int], list[int]] = {}
    for i, (task, index) in enumerate(zip(slices.task.tolist(), slices.index.tolist(), strict=True)):
        slices_by_job.setdefault((task, index), []).append(i)
    noticed_instants = np.sort(analysis.jobs.noticed[analysis.jobs.noticed >= 0])
    rows = []
    for job in np.flatnonzero(is_usable):
        own_slices = np.array(slices_by_job.get((int(jobs.task[job]), int(jobs.index[job])), []), np.int64)
        if not len(own_slices):
            continue
        begin, end = slices.begin[own_slices], slices.end[own_slices]
        processor_time = int((end - begin).sum())
        # If a slice begins where the one before ended, the job was not preempted in between.
        preempted = int((begin[1:] > end[:-1]).sum())
        releases_inside = int((np.searchsorted(noticed_instants, (begin, end), side="right") * [[-1], [1]]).sum())
        rows.append((processor_time - wcets[names[job]], processor_time, preempted, releases_inside))
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return JobTimes(*columns), jobs.noticed[is_usable] - jobs.release[is_usable]


def _fit_costs(
    terms: npt.NDArray[np.float64], values: npt.NDArray[np.float64]
) -> tuple[list[float], npt.NDArray[np.float64]]:
    """Return the coefficients, none negative except the first, and the residuals."""
    is_kept = np.ones(len(values), bool)
    coefficients: list[float] = []
    residuals = values
    for _ in range(_ROUNDS):
        first, *others = np.linalg.lstsq(terms[is_kept], values[is_kept], rcond=None)[0].tolist()
        coefficients = [first, *(max(value, 0) for value in others)]
        residuals = values - terms @ np.array(coefficients)
        is_kept = residuals <= np.percentile(residuals, _TRIMMED)
    return coefficients, residuals
