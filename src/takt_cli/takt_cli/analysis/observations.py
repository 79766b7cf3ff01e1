# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Execution times of tasks and the longest middleware section, as observed in a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from takt_cli.analysis.grid import outcomes
from takt_cli.analysis.result import Result
from takt_cli.errors import ResultError
from takt_cli.results.run import RunProcess
from takt_cli.spec.application import Application


@dataclass(frozen=True)
class ObservedTimes:
    """The observations of one task; times in ns."""

    jobs: int
    execution: int
    """The longest CPU time of a job inside its callback, including the sending of messages."""
    response: int | None
    """The longest response time of the finished jobs."""


def observed_times(application: Application, result: Result) -> dict[int, ObservedTimes]:
    """Return the observations by the index of the task. Raises ResultError if the run lacks a task or none of its jobs
    finished."""
    out = outcomes(result.application, result.window, result.jobs)
    index_in_result = {task.id: task.index for task in result.application.tasks}
    observations = {}
    for task in application.tasks:
        if task.id not in index_in_result:
            raise ResultError(f"{result.folder}: has no callback {task.id}; name a run of this spec")
        finished_jobs = out.select((out.task == index_in_result[task.id]) & (out.finish >= 0))
        if not len(finished_jobs):
            raise ResultError(f"{result.folder}: no job of {task.id} finished; name a longer run")
        longest_response = int((finished_jobs.finish - finished_jobs.release).max())
        observations[task.index] = ObservedTimes(len(finished_jobs), int(finished_jobs.cpu.max()), longest_response)
    return observations


def with_margin(execution: int, margin: Fraction) -> int:
    """Return an execution time enlarged by a margin, rounded up."""
    return math.ceil(execution * (1 + margin))


def longest_section(result: Result) -> int:
    """Return the longest time, in ns, for which a middleware section deferred other jobs, over all processors, limited
    to what the executor permits (`max_section`); 0 if none was recorded."""
    return max((_longest_deferral(process) for process in result.processes), default=0)


def _longest_deferral(process: RunProcess) -> int:
    longest_of_process = max((each.statistics.longest_section_ns or 0 for each in process.processors), default=0)
    limit = process.grants.max_section_ns if process.grants is not None else None
    return longest_of_process if limit is None else min(longest_of_process, limit)
