# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Resources of a process over time: memory, open files and threads, and whether they grew."""

from __future__ import annotations

import msgspec
import numpy as np

from takt_cli.results.sample_files import Rows
from takt_cli.statistics.slope import theil_sen_slope

# The allowed growth from beginning to end, as a share: what is in transit at an instant differs.
_GROWTH_LIMIT = {"resident": 0.01, "heap": 0.02, "descriptors": 0.0, "threads": 0.0}
# With fewer samples growth cannot be judged.
LEAST_SAMPLES = 3
_EDGE_SHARE = 0.1
# The number of samples, evenly spread, from which the slope is computed.
_SLOPE_SAMPLES = 100
_HOUR = 3600e9


class Gauge(msgspec.Struct, frozen=True, kw_only=True):
    """A resource, in bytes or as a count: the medians of the first and the last tenth, the maximum, and the slope per
    hour with its interval; None if there are too few samples. `too_short`: the slope has no interval, as for what grows
    in steps."""

    n: int
    first: float | None = None
    last: float | None = None
    max: float | None = None
    per_hour: float | None = None
    low: float | None = None
    high: float | None = None
    too_short: bool = True


class Gauges(msgspec.Struct, frozen=True, kw_only=True):
    """Memory in bytes, open files and threads."""

    resident: Gauge
    heap: Gauge
    descriptors: Gauge
    threads: Gauge


GAUGES = Gauges.__struct_fields__


def gauge_figures(gauges: Rows) -> Gauges:
    """Return the figures of each gauge."""
    return Gauges(**{name: _gauge(gauges, name) for name in GAUGES})


def grown_gauges(gauges: Gauges) -> list[str]:
    """Return, in words, which gauges were higher at the end than at the beginning."""
    return [
        f"{name} grew from {gauge.first:g} to {gauge.last:g}"
        for name, limit in _GROWTH_LIMIT.items()
        if (gauge := getattr(gauges, name)).first is not None and gauge.last > gauge.first * (1 + limit)
    ]


def _gauge(gauges: Rows, name: str) -> Gauge:
    values = gauges[name].astype(np.float64)
    n = len(values)
    if n < LEAST_SAMPLES:
        return Gauge(n=n)
    edge = max(int(n * _EDGE_SHARE), 1)
    # The samples of an hour would have millions of pairs.
    thinned_indices = np.unique(np.linspace(0, n - 1, min(n, _SLOPE_SAMPLES)).astype(np.int64))
    fit = theil_sen_slope([(gauges["at"][thinned_indices] / _HOUR, values[thinned_indices])])
    low, high = fit.ends() or (None, None)
    return Gauge(
        n=n,
        first=float(np.median(values[:edge])),
        last=float(np.median(values[-edge:])),
        max=float(values.max()),
        per_hour=float(fit.value),
        low=low,
        high=high,
        too_short=low is None,
    )
