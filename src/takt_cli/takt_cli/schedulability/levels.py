# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Preemption levels and ceilings, computed as takt's model does (takt_core/src/model/levels.cpp)."""

from __future__ import annotations

from collections.abc import Sequence

# The maximum number of workers per processor: if there are more ranks, neighbouring ranks share one.
MOST_LEVELS = 45


def levels_of(ranks: Sequence[int], most: int = MOST_LEVELS) -> list[int]:
    """Return the level of each rank, from 1. A task of a higher level may preempt one of a lower."""
    distinct = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    count = min(len(distinct), most)
    return [1 + distinct[rank] * count // len(distinct) for rank in ranks]


def ceilings_of(levels: Sequence[int], groups: Sequence[int | None]) -> list[int]:
    """Return the ceiling of each task: the highest level in its exclusive group, or its own level if `groups` has None
    for it."""
    highest: dict[int, int] = {}
    for level, group in zip(levels, groups, strict=True):
        if group is not None:
            highest[group] = max(highest.get(group, level), level)
    return [level if group is None else highest[group] for level, group in zip(levels, groups, strict=True)]
