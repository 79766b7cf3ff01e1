# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How much of a paper's runs is made: all parameters at any scale, but fewer and shorter runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

_S, _MS = 10**9, 10**6
# Shorter runs say nothing: a period of some tasks is 100 ms, and everything has to come to rest first.
SHORTEST = 2 * _S


@dataclass(frozen=True)
class Scale:
    """Times in nanoseconds, those of the paper at a factor of 1."""

    factor: float
    runs: int
    duration: int


def scaled(factor: float, runs: int, duration: int) -> Scale:
    """Both get fewer by the factor's square root, so that the time that is measured goes with the factor; but no
    run is shorter than two seconds, nor are there more or longer ones than in the paper."""
    count = min(max(round(runs * math.sqrt(factor)), 1), runs)
    length = min(factor * runs * duration / count, duration)
    return Scale(factor, count, max(round(length / _MS) * _MS, min(SHORTEST, duration)))
