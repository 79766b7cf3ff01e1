# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Intervals by bootstrap in blocks: neighbouring jobs share their fate, so whole stretches are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_DRAWS = 2000
_LEAST_BLOCKS = 5


def ratio_interval(
    hits: npt.NDArray[np.bool_], instants: npt.NDArray[np.int64], block: int, level: float = 0.95
) -> tuple[float, float] | None:
    """The interval of the share of `hits`, drawn in blocks of `block` ns; None for too few blocks.

    The same samples give the same interval: the generator is seeded.
    """
    if len(hits) == 0:
        return None
    number = (instants - instants.min()) // block
    _, place = np.unique(number, return_inverse=True)
    totals = np.bincount(place).astype(np.float64)
    successes = np.bincount(place, weights=hits.astype(np.float64))
    if len(totals) < _LEAST_BLOCKS:
        return None
    drawn = np.random.default_rng(0).integers(0, len(totals), (_DRAWS, len(totals)))
    ratios = successes[drawn].sum(axis=1) / totals[drawn].sum(axis=1)
    low, high = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def over_rounds(values: npt.ArrayLike, level: float = 0.95) -> dict[str, Any]:
    """The median of one figure for each round, and its interval, drawn over the rounds; without an
    interval for too few of them. Whatever disturbs a round stays within it."""
    rounds = np.asarray(values, np.float64)
    result: dict[str, Any] = {"median": float(np.median(rounds)), "low": None, "high": None, "rounds": len(rounds)}
    if len(rounds) < _LEAST_BLOCKS:
        return result
    drawn = np.random.default_rng(0).integers(0, len(rounds), (_DRAWS, len(rounds)))
    low, high = np.quantile(np.median(rounds[drawn], axis=1), [(1 - level) / 2, (1 + level) / 2])
    return result | {"low": float(low), "high": float(high)}
