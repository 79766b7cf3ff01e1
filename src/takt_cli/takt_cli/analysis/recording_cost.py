# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The cost of recording a job, as each process measured it after its run."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.statistics.percentiles import percentiles


def recording_cost(processes: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the CPU time in ns for recording one job: percentiles of the averages over `calls` calls each, `n` in all
    processes together. None if the result is older than this measurement."""
    reports = [process["measuring"] for process in processes if process.get("measuring")]
    if not reports:
        return None
    averages = np.concatenate([np.asarray(each["ns_per_call"], np.float64) for each in reports])
    metrics = percentiles(averages)
    return {
        **{name: int(reports[0][name]) for name in ("calls", "repeats", "reads", "publishes")},
        "processes": len(reports),
        "ns_per_call": metrics | {"min": float(averages.min())},
    }
