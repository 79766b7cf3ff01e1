# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a process needed over time: memory, open files, threads; and whether any of it grew."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.slope import sen

GAUGES = ("resident", "heap", "descriptors", "threads")
# What may be more at the end than at the beginning, as a share: what is on its way differs.
_GROWTH_LIMIT = {"resident": 0.01, "heap": 0.02, "descriptors": 0.0, "threads": 0.0}
# With fewer looks nobody can say.
LEAST = 3
_EDGE = 0.1
# Of a slope, spread over all of them.
_LOOKS = 100
_HOUR = 3600e9


def gauge_figures(gauges: Rows) -> dict[str, Any]:
    """Of each gauge, as JSON: bytes or numbers."""
    return {name: _figures(gauges, name) for name in GAUGES}


def grown(figures: dict[str, Any]) -> list[str]:
    """What was more at the end than at the beginning, in words."""
    return [
        f"{name} grew from {gauge['first']:g} to {gauge['last']:g}"
        for name, limit in _GROWTH_LIMIT.items()
        if (gauge := figures[name])["n"] >= LEAST and gauge["last"] > gauge["first"] * (1 + limit)
    ]


def _figures(gauges: Rows, name: str) -> dict[str, Any]:
    """How much there was in the first and the last tenth, at most, and the slope an hour with its 95 % interval; with
    none where it is too short to judge, as what grows by steps is. Bytes or numbers."""
    values = gauges[name].astype(np.float64)
    n = len(values)
    if n < LEAST:
        nothing = dict.fromkeys(("first", "last", "max", "per_hour", "low", "high"))
        return {"n": n, **nothing, "too_short": True}
    edge = max(int(n * _EDGE), 1)
    # Of an hour's there would be millions of pairs.
    thin = np.unique(np.linspace(0, n - 1, min(n, _LOOKS)).astype(np.int64))
    found = sen([(gauges["at"][thin] / _HOUR, values[thin])])
    low, high = found.ends() or (None, None)
    return {
        "n": n,
        "first": float(np.median(values[:edge])),
        "last": float(np.median(values[-edge:])),
        "max": float(values.max()),
        "per_hour": float(found.value),
        "low": low,
        "high": high,
        "too_short": low is None,
    }
