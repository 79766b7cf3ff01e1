# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Resources of a process over time: memory, open files and threads, and whether they grew."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.results.sample_files import Rows
from takt_cli.statistics.slope import theil_sen_slope

GAUGES = ("resident", "heap", "descriptors", "threads")
# The allowed growth from beginning to end, as a share: what is in transit at an instant differs.
_GROWTH_LIMIT = {"resident": 0.01, "heap": 0.02, "descriptors": 0.0, "threads": 0.0}
# With fewer samples growth cannot be judged.
LEAST_SAMPLES = 3
_EDGE_SHARE = 0.1
# The number of samples, evenly spread, from which the slope is computed.
_SLOPE_SAMPLES = 100
_HOUR = 3600e9


def gauge_figures(gauges: Rows) -> dict[str, Any]:
    """Return the figures of each gauge, for JSON: bytes or counts."""
    return {name: _gauge_summary(gauges, name) for name in GAUGES}


def grown_gauges(statistics: dict[str, Any]) -> list[str]:
    """Return, in words, which gauges were higher at the end than at the beginning."""
    return [
        f"{name} grew from {gauge['first']:g} to {gauge['last']:g}"
        for name, limit in _GROWTH_LIMIT.items()
        if (gauge := statistics[name])["n"] >= LEAST_SAMPLES and gauge["last"] > gauge["first"] * (1 + limit)
    ]


def _gauge_summary(gauges: Rows, name: str) -> dict[str, Any]:
    """Return the medians of the first and the last tenth, the maximum, and the slope per hour with its 95 % interval,
    in bytes or counts. The slope has no interval if it is too short to judge, as for what grows in steps."""
    values = gauges[name].astype(np.float64)
    n = len(values)
    if n < LEAST_SAMPLES:
        nothing = dict.fromkeys(("first", "last", "max", "per_hour", "low", "high"))
        return {"n": n, **nothing, "too_short": True}
    edge = max(int(n * _EDGE_SHARE), 1)
    # The samples of an hour would have millions of pairs.
    thinned_indices = np.unique(np.linspace(0, n - 1, min(n, _SLOPE_SAMPLES)).astype(np.int64))
    fit = theil_sen_slope([(gauges["at"][thinned_indices] / _HOUR, values[thinned_indices])])
    return {
        "n": n,
        "first": float(np.median(values[:edge])),
        "last": float(np.median(values[-edge:])),
        "max": float(values.max()),
        **fit.figures("per_hour"),
    }
