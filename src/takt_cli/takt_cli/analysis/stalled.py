# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How much of a stretch of time the host took away, at most."""

from __future__ import annotations

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.grid import Ints
from takt_cli.analysis.intervals import union

# How often the stall probe looks, ns: by so much a stall can have begun before the look that came late.
LOOK = 10**6


class Stalled:
    """The stalls of the CPUs that count, those of several together."""

    def __init__(self, stalls: Rows) -> None:
        rows = union(stalls["from"] - LOOK, stalls["to"])
        self._edges = rows.ravel()
        lengths = rows[:, 1] - rows[:, 0]
        self._total = np.stack([np.cumsum(lengths) - lengths, np.cumsum(lengths)], axis=1).ravel()

    def time(self, begin: Ints, end: Ints) -> Ints:
        """ns of each stretch; none of one that ends before it begins."""
        if len(self._edges) == 0:
            return np.zeros(len(begin), np.int64)
        return self._until(np.maximum(end, begin)) - self._until(begin)

    def _until(self, at: Ints) -> Ints:
        """ns up to an instant: in whole ns, which floating point does not hold."""
        place = np.searchsorted(self._edges, at, side="right")
        last = np.maximum(place - 1, 0)
        inside = place % 2 == 1
        found: Ints = np.where(place == 0, 0, self._total[last] + np.where(inside, at - self._edges[last], 0))
        return found
