# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What it costs a job to write down what it did, as each process measured it behind its run."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.percentiles import percentiles


def measuring(processes: list[dict[str, Any]]) -> dict[str, Any] | None:
    """CPU time of one call, ns: of the averages over `calls` calls each, `n` in all processes together. None
    in results of before it was measured."""
    told = [process["measuring"] for process in processes if process.get("measuring")]
    if not told:
        return None
    averages = np.concatenate([np.asarray(each["ns_per_call"], np.float64) for each in told])
    figures = percentiles(averages)
    return {
        **{name: int(told[0][name]) for name in ("calls", "repeats", "reads", "publishes")},
        "processes": len(told),
        "ns_per_call": figures | {"min": float(averages.min())},
    }
