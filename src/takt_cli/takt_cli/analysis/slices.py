# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The intervals in which each job had its processor, reconstructed from starts and finishes."""

from __future__ import annotations

import numpy as np

from takt_cli.analysis.grid import Outcomes
from takt_cli.results.sample_files import SLICES, Rows


def slices_of_outcomes(out: Outcomes) -> Rows:
    """Return the intervals in which each job ran: of the started and unfinished jobs, the last one to start has the
    CPU.

    This holds for preemption by level on each CPU. Stalls of the host and the middleware's threads cannot be seen and
    count for the job that they interrupted. Empty if it is unknown which job had which of several CPUs.
    """
    if not out.stacked:
        return np.empty(0, SLICES)
    return np.concatenate([np.empty(0, SLICES), *map(_slices, out.by_cpu())])


def _slices(out: Outcomes) -> Rows:
    executed = np.flatnonzero((out.begin >= 0) & (out.finish >= 0))
    # Every start and finish in order; at one instant finishes come first.
    instants = np.concatenate([out.begin[executed], out.finish[executed]])
    starts = np.repeat([1, 0], len(executed))
    jobs = np.concatenate([executed, executed])
    pieces: list[tuple[int, int, int, int]] = []
    stack: list[int] = []
    running_from = 0
    for event in np.lexsort((starts, instants)):
        instant, job = int(instants[event]), int(jobs[event])
        if stack and instant > running_from:
            top = stack[-1]
            pieces.append((int(out.task[top]), int(out.index[top]), running_from, instant))
        if starts[event]:
            stack.append(job)
        else:
            stack.remove(job)
        running_from = instant
    return np.array(pieces, SLICES)
