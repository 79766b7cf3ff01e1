# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Percentiles of all samples, always with their number and the maximum."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Samples: TypeAlias = "npt.NDArray[np.float64]"

# The level of each percentile, and the least n: with fewer samples it would just be the maximum.
LEVELS = {"p50": (0.5, 1), "p90": (0.9, 10), "p99": (0.99, 100), "p99.9": (0.999, 1000), "p99.99": (0.9999, 10_000)}


def percentiles(samples: Samples) -> dict[str, Any]:
    """Return n, p50 to p99.99 and max. Each figure is one of the samples; None if there are too few samples.

    Infinite samples count (before the first message, data is infinitely old): a figure that would be infinite is
    None, and the key `infinite`, which is present only then, gives their number.
    """
    ordered = np.sort(np.asarray(samples, dtype=np.float64))
    n = len(ordered)
    result: dict[str, Any] = {"n": n}
    for name, (level, least) in LEVELS.items():
        if n >= least:
            # Nearest rank: of 100 samples the 99th is p99.
            result[name] = _finite(ordered[max(math.ceil(level * n) - 1, 0)])
        elif name in {"p50", "p90", "p99"}:
            result[name] = None
    result["max"] = _finite(ordered[-1]) if n else None
    infinite = int(np.isinf(ordered).sum())
    if infinite:
        result["infinite"] = infinite
    return result


def _finite(value: np.float64) -> float | None:
    return float(value) if np.isfinite(value) else None
