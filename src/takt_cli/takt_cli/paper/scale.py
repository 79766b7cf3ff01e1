# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The scale of a reproduction: all combinations of parameters at any scale, but fewer and shorter runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

_S, _MS = 10**9, 10**6
# Shorter runs are not meaningful: some tasks have a period of 100 ms, and the start must have settled first.
SHORTEST = 2 * _S


@dataclass(frozen=True)
class Scale:
    """The number of runs and their duration in ns at a scale; at a factor of 1 they are those of the paper."""

    factor: float
    runs: int
    duration: int


def scale_for(factor: float, runs: int, duration: int) -> Scale:
    """Return the scale for a factor, from the paper's number of runs and their duration in ns.

    Both shrink by the square root of the factor, so that the total measured time is proportional to the factor. No run
    is shorter than two seconds, and there are never more or longer runs than in the paper.
    """
    count = min(max(round(runs * math.sqrt(factor)), 1), runs)
    length = min(factor * runs * duration / count, duration)
    return Scale(factor, count, max(round(length / _MS) * _MS, min(SHORTEST, duration)))
