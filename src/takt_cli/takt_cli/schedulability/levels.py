# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Preemption levels and ceilings as takt's model makes them (takt_core/src/model/levels.cpp)."""

from __future__ import annotations

from collections.abc import Sequence

# How many workers takt has at most; where ranks outnumber them, neighbours share one.
MOST_LEVELS = 45


def levels_of(ranks: Sequence[int], most: int = MOST_LEVELS) -> list[int]:
    """Of each rank, from 1; the higher rank may preempt the lower."""
    distinct = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    count = min(len(distinct), most)
    return [1 + distinct[rank] * count // len(distinct) for rank in ranks]


def ceilings_of(levels: Sequence[int], groups: Sequence[int | None]) -> list[int]:
    """Of each task, by its exclusive group (None for none): the highest level of a member."""
    highest: dict[int, int] = {}
    for level, group in zip(levels, groups, strict=True):
        if group is not None:
            highest[group] = max(highest.get(group, level), level)
    return [level if group is None else highest[group] for level, group in zip(levels, groups, strict=True)]
