# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The cost of recording a job, as each process measured it after its run."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from takt_cli.results.run import RunProcess
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import Percentiles, percentiles


class CallTimes(Percentiles, frozen=True, kw_only=True, omit_defaults=True):
    """Percentiles of times, and the shortest one."""

    min: float


class RecordingCost(msgspec.Struct, frozen=True, kw_only=True):
    """The CPU time in ns for recording one job that reads and publishes so many messages: percentiles of the averages
    over `calls` calls each, of which each process made `repeats`."""

    calls: int
    repeats: int
    reads: int
    publishes: int
    processes: int
    ns_per_call: CallTimes


def recording_cost(processes: Sequence[RunProcess]) -> RecordingCost | None:
    """Return the cost of recording a job; None if the result is older than this measurement."""
    reports = [process.measuring for process in processes if process.measuring is not None]
    if not reports:
        return None
    averages = np.concatenate([np.asarray(each.ns_per_call, np.float64) for each in reports])
    return RecordingCost(
        calls=reports[0].calls,
        repeats=reports[0].repeats,
        reads=reports[0].reads,
        publishes=reports[0].publishes,
        processes=len(reports),
        ns_per_call=extended(percentiles(averages), CallTimes, min=float(averages.min())),
    )
