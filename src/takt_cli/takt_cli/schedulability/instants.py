# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The instants of several periodic sequences within an interval."""

from __future__ import annotations

import numpy as np

from takt_cli.schedulability.columns import Integers


def count(first: Integers, period: Integers, begin: int, end: int) -> int:
    """Return how many instants of the sequences that start at `first` lie in the interval [begin, end)."""
    return int(_numbers(first, period, begin, end)[1].sum())


def instants(first: Integers, period: Integers, begin: int, end: int) -> tuple[Integers, Integers]:
    """Return these instants, and for each the index of its sequence; ordered by sequence."""
    skipped, counts = _numbers(first, period, begin, end)
    part_of_instant = np.repeat(np.arange(len(first)), counts)
    place = np.arange(len(part_of_instant)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first[part_of_instant] + (skipped[part_of_instant] + place) * period[part_of_instant], part_of_instant


def _numbers(first: Integers, period: Integers, begin: int, end: int) -> tuple[Integers, Integers]:
    skipped = np.maximum(0, -((first - begin) // period))
    return skipped, np.maximum(0, -((first - end) // period) - skipped)
