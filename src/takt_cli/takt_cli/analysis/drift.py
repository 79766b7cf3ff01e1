# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether releases wander off the grid: the slope of (actual minus nominal release) over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

_BLOCKS = 120
_LEAST_BLOCKS = 6
_MINUTE = 60e9


def drift(release: npt.NDArray[np.int64], delay: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Slope in us a minute with its 95 % interval, from `delay` (start minus release, ns).

    The samples are cut into blocks of time; Theil and Sen's slope of the blocks' medians withstands
    the spikes of a noisy host, and blocks keep neighbours from counting as independent. None where
    there are too few blocks to say.
    """
    result: dict[str, Any] = {"slope": None, "low": None, "high": None, "n": len(release), "blocks": 0}
    if len(release) == 0:
        return result
    span = int(release.max() - release.min()) + 1
    block = ((release - release.min()) * _BLOCKS // span).astype(np.int64)
    order = np.argsort(block, kind="stable")
    edges = np.flatnonzero(np.diff(block[order], prepend=-1))
    groups = np.split(order, edges[1:])
    result["blocks"] = len(groups)
    if len(groups) < _LEAST_BLOCKS:
        return result
    middle = np.array([np.mean(release[g] - release.min()) for g in groups]) / _MINUTE
    median = np.array([np.median(delay[g]) for g in groups]) / 1000
    slope, _, low, high = stats.theilslopes(median, middle, 0.95)
    return result | {"slope": float(slope), "low": float(low), "high": float(high)}
