# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the host took from a CPU, as the kernel's context switches show it, where no probe saw a stall.

A probe that looks several times a millisecond misses stalls that end before it would have looked for the second time.
If one delays a release, the switches show it: from the release on, the CPU stayed with a less urgent thread, or idle,
and then went to the thread that makes the releases. And the probe itself, the most urgent thread of its CPU, does the
same each time: where one of its turns took several times as long as usual, the host took the difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from takt_cli.analysis.stalls.stall_causes import PROBE_THREAD
from takt_cli.results.program import SwitchedThread
from takt_cli.results.sample_files import STALLS, Ints, Rows

_RELEASING = "takt.timer"
# A turn of the probe counts from so many times the usual length on.
_UNUSUAL = 5
# Threads of the kernel that are more urgent than the one that makes the releases.
_ABOVE = ("irq/", "migration/")


def late_wakeups(releases: Ints, turns: Rows, threads: list[SwitchedThread], cpu: int, threshold: int) -> Rows:
    """Return as stalls the times from a release until the thread that makes it got the CPU, where these are longer than
    `threshold` ns and only one less urgent thread had the CPU meanwhile. That the probe is woken by the same interrupt,
    and goes first, makes no difference."""
    names = {each.tid: each.name for each in threads}
    releasing = [tid for tid, name in names.items() if name == _RELEASING]
    probes = [tid for tid, name in names.items() if name == PROBE_THREAD]
    above = [*releasing, *probes, *(tid for tid, name in names.items() if name.startswith(_ABOVE))]
    tids = turns["tid"]
    current = np.searchsorted(turns["at"], releases, side="right") - 1
    known = (current >= 0) & (current + 2 < len(turns))
    current, begin = current[known], releases[known]
    end = turns["at"][current + 1]
    goes_to_releasing = np.isin(tids[current + 1], releasing) | (
        np.isin(tids[current + 1], probes) & np.isin(tids[current + 2], releasing)
    )
    late = goes_to_releasing & (end - begin > threshold) & ~np.isin(tids[current], above)
    stalls = np.zeros(int(late.sum()), STALLS)
    stalls["cpu"], stalls["from"], stalls["to"] = cpu, begin[late], end[late]
    return stalls


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


def stolen_pieces(turns: Rows, threads: list[SwitchedThread]) -> StolenPieces:
    """Return what the host took from the turns of the probe. Without recorded turns it is nothing."""
    probes = [each.tid for each in threads if each.name == PROBE_THREAD]
    of_probe = np.flatnonzero(np.isin(turns["tid"][:-1], probes))
    lengths = turns["at"][of_probe + 1] - turns["at"][of_probe]
    usual = int(np.median(lengths)) if len(lengths) else 0
    long = lengths > _UNUSUAL * usual
    taken = lengths[long] - usual
    return StolenPieces(turns["at"][of_probe + 1][long], np.concatenate([[0], np.cumsum(taken)]))
