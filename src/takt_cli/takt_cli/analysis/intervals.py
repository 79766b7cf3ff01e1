# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Operations on sets of time intervals: rows of (from, to) that are disjoint and in ascending order."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from takt_cli.results.sample_files import Ints

Intervals: TypeAlias = "npt.NDArray[np.int64]"
NEVER = int(np.iinfo(np.int64).max)


def union(begins: Any, ends: Any) -> Intervals:
    """Return the union of intervals in any order. Empty ones are left out, adjacent ones are joined."""
    rows = np.stack([np.asarray(begins, np.int64), np.asarray(ends, np.int64)], axis=1)
    rows = rows[rows[:, 1] > rows[:, 0]]
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    if len(rows) == 0:
        return rows
    latest_end = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate([[True], rows[1:, 0] > latest_end[:-1]])
    is_last = np.concatenate([first[1:], [True]])
    return np.stack([rows[first, 0], latest_end[is_last]], axis=1)


def clip(rows: Intervals, begin: int, end: int) -> Intervals:
    """Return the parts of the intervals that lie between two instants."""
    overlapping = rows[np.searchsorted(rows[:, 1], begin, side="right") : np.searchsorted(rows[:, 0], end)]
    return np.stack([np.maximum(overlapping[:, 0], begin), np.minimum(overlapping[:, 1], end)], axis=1)


def intersection(one: Intervals, other: Intervals) -> Intervals:
    """Return the intersection."""
    parts = [clip(other, int(begin), int(end)) for begin, end in one]
    return np.concatenate([np.empty((0, 2), np.int64), *parts])


def subtract(rows: Intervals, others: Intervals) -> Intervals:
    """Return the parts of `rows` that are not in `others`."""
    edges = np.concatenate([[np.iinfo(np.int64).min], others.ravel(), [np.iinfo(np.int64).max]])
    return intersection(rows, edges.reshape(-1, 2))


def total_length(rows: Intervals) -> int:
    """Return the total length."""
    return int((rows[:, 1] - rows[:, 0]).sum())


def covered(rows: Intervals, begins: Ints, ends: Ints) -> Ints:
    """Return for how long the intervals cover each stretch; 0 for one that ends before it begins. It is computed in
    integers, since floating point is not exact enough."""
    if len(rows) == 0:
        return np.zeros(len(begins), np.int64)
    total = np.concatenate([[0], np.cumsum(rows[:, 1] - rows[:, 0])])

    def until(instants: Ints) -> Ints:
        place = np.searchsorted(rows[:, 0], instants, side="right")
        # The last interval that has begun may not have ended yet.
        return np.asarray(total[place] - np.where(place > 0, np.maximum(rows[place - 1, 1] - instants, 0), 0))

    return until(np.maximum(begins, ends)) - until(begins)


def next_idle(release: Ints, finish: Ints, instants: Any) -> Ints:
    """Return the first idle instant at or after each of `instants`, at which every job released before was finished;
    NEVER if there is none. The jobs may be in any order; a negative `finish` means that the job never finished."""
    order = np.argsort(release, kind="stable")
    busy_until = np.maximum.accumulate(np.where(finish < 0, NEVER, finish)[order])
    begin, end = np.concatenate([[np.iinfo(np.int64).min], busy_until]), np.concatenate([release[order], [NEVER]])
    # An instant at which one job finishes and the next is released is idle.
    is_idle = begin <= end
    begin, end = begin[is_idle], end[is_idle]
    places = np.searchsorted(end, instants, "right")
    return np.asarray(np.maximum(begin[np.minimum(places, len(begin) - 1)], instants))
