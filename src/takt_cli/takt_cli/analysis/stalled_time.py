# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Upper limit of the time that the host took from an interval."""

from __future__ import annotations

import numpy as np

from takt_cli.analysis.intervals import union
from takt_cli.results.sample_files import Ints, Rows

# The period of the stall probe, ns: a stall may have begun up to this long before the wake-up that came late.
PROBE_PERIOD = 10**6


class StalledTime:
    """The stalls of the relevant CPUs, merged."""

    def __init__(self, stalls: Rows) -> None:
        rows = union(stalls["from"] - PROBE_PERIOD, stalls["to"])
        self._edges = rows.ravel()
        lengths = rows[:, 1] - rows[:, 0]
        self._total = np.stack([np.cumsum(lengths) - lengths, np.cumsum(lengths)], axis=1).ravel()

    def time(self, begin: Ints, end: Ints) -> Ints:
        """Return the stalled time in ns within each interval; 0 for an interval that ends before it begins."""
        if len(self._edges) == 0:
            return np.zeros(len(begin), np.int64)
        return self._until(np.maximum(end, begin)) - self._until(begin)

    def _until(self, instants: Ints) -> Ints:
        """Return the stalled time up to each instant, in integers, since floating point is not exact enough."""
        place = np.searchsorted(self._edges, instants, side="right")
        edges_before = np.maximum(place - 1, 0)
        is_in_stall = place % 2 == 1
        stalled_until: Ints = np.where(
            place == 0, 0, self._total[edges_before] + np.where(is_in_stall, instants - self._edges[edges_before], 0)
        )
        return stalled_until
