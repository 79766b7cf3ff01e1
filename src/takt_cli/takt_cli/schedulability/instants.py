# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All instants of several periods within a stretch."""

from __future__ import annotations

import numpy as np

from takt_cli.schedulability.columns import Integers


def count(first: Integers, period: Integers, begin: int, end: int) -> int:
    """How many there are from `begin` on and before `end`, of those that begin at `first`."""
    return int(_numbers(first, period, begin, end)[1].sum())


def instants(first: Integers, period: Integers, begin: int, end: int) -> tuple[Integers, Integers]:
    """They, and of which period each is, in the order of the periods."""
    skipped, counts = _numbers(first, period, begin, end)
    of = np.repeat(np.arange(len(first)), counts)
    place = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first[of] + (skipped[of] + place) * period[of], of


def _numbers(first: Integers, period: Integers, begin: int, end: int) -> tuple[Integers, Integers]:
    skipped = np.maximum(0, -((first - begin) // period))
    return skipped, np.maximum(0, -((first - end) // period) - skipped)
