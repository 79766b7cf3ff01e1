# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time that the host took from a CPU in pieces that are too short to be stalls.

The stall probe is the most urgent thread of its CPU, and does the same each time. Where the kernel's context switches
show that one of its turns took several times as long as usual, the host took the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.results.sample_files import Ints, Rows

PROBE = "lab.probe"
# A turn of the probe counts from so many times the usual length on.
_UNUSUAL = 5


@dataclass(frozen=True)
class StolenPieces:
    """The ends of unusually long turns of the probe, in order, and the sums of what the host took in all turns before,
    which are one more."""

    ends: Ints
    sums: Ints

    def within(self, begin: Ints, end: Ints) -> Ints:
        """Return for each interval how many ns the host took in turns of the probe that ended in it."""
        first, last = (np.searchsorted(self.ends, each) for each in (begin, end))
        return np.asarray(self.sums[last] - self.sums[first])


def stolen_pieces(turns: Rows, threads: list[dict[str, Any]]) -> StolenPieces:
    """Return what the host took from the turns of the probe. Without recorded turns it is nothing."""
    probes = [int(each["tid"]) for each in threads if each["name"] == PROBE]
    of_probe = np.flatnonzero(np.isin(turns["tid"][:-1], probes))
    lengths = turns["at"][of_probe + 1] - turns["at"][of_probe]
    usual = int(np.median(lengths)) if len(lengths) else 0
    long = lengths > _UNUSUAL * usual
    taken = lengths[long] - usual
    return StolenPieces(turns["at"][of_probe + 1][long], np.concatenate([[0], np.cumsum(taken)]))
