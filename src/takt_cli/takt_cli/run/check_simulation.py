# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The results that `takt check` gets from takt's programs: the placement of tasks, and response times in the model."""

from __future__ import annotations

import numpy as np

from takt_cli.run.simulation import simulate
from takt_cli.spec.application import Application


def placement(application: Application, processors: int) -> tuple[int, ...]:
    """Return the processor of each task, as placed by takt."""
    if processors == 1:
        return (0,) * len(application.tasks)
    return simulate(application, 1, processors).task_cpus


def longest_responses(application: Application, duration: int, processors: int) -> dict[int, int]:
    """Return the longest response time of each task, in ns, among the jobs that finish within `duration` of virtual
    time."""
    jobs = simulate(application, duration, processors).jobs
    finished_jobs = jobs[jobs["finish"] >= 0]
    longest_of_task = np.full(len(application.tasks), -1, np.int64)
    np.maximum.at(longest_of_task, finished_jobs["task"], finished_jobs["finish"] - finished_jobs["release"])
    return {index: int(value) for index, value in enumerate(longest_of_task) if value >= 0}
