# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Percentiles of all samples, always with their number and the maximum."""

from __future__ import annotations

import math
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

Samples: TypeAlias = "npt.NDArray[np.float64]"

# The level of each percentile, and the least n: with fewer samples it would just be the maximum.
LEVELS = {"p50": (0.5, 1), "p90": (0.9, 10), "p99": (0.99, 100), "p99.9": (0.999, 1000), "p99.99": (0.9999, 10_000)}


class Percentiles(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The number of samples, their percentiles and the maximum. Each figure is one of the samples; None if there are
    too few samples.

    Infinite samples count (before the first message, data is infinitely old): a figure that would be infinite is
    None, and `infinite` is their number.
    """

    n: int
    p50: float | None
    p90: float | None
    p99: float | None
    p99_9: float | None = msgspec.field(default=None, name="p99.9")
    p99_99: float | None = msgspec.field(default=None, name="p99.99")
    max: float | None
    infinite: int = 0

    def figure(self, name: str) -> float | None:
        """Return the figure that has this name in JSON, for instance `p99.9`."""
        value: float | None = getattr(self, name.replace(".", "_"))
        return value


def percentiles(samples: Samples) -> Percentiles:
    """Return n, p50 to p99.99 and max."""
    ordered = np.sort(np.asarray(samples, dtype=np.float64))
    n = len(ordered)
    # Nearest rank: of 100 samples the 99th is p99.
    p50, p90, p99, p99_9, p99_99 = (
        _finite(ordered[max(math.ceil(level * n) - 1, 0)]) if n >= least else None for level, least in LEVELS.values()
    )
    return Percentiles(
        n=n,
        p50=p50,
        p90=p90,
        p99=p99,
        p99_9=p99_9,
        p99_99=p99_99,
        max=_finite(ordered[-1]) if n else None,
        infinite=int(np.isinf(ordered).sum()),
    )


def five_numbers(samples: Samples) -> list[float]:
    """Return minimum, quartiles and maximum, interpolated as those that the thesis prints; NaN without samples, and
    where one is between infinite ones."""
    if len(samples) == 0:
        return [math.nan] * 5
    with np.errstate(invalid="ignore"):
        return [float(value) for value in np.quantile(samples, (0, 0.25, 0.5, 0.75, 1))]


def _finite(value: np.float64) -> float | None:
    return float(value) if np.isfinite(value) else None
