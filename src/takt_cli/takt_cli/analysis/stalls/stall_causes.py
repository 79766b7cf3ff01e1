# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Stalls by what had the CPU in them, by the kernel's context switches: no thread, or one that kept others off."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from takt_cli.analysis.misses import overlaps
from takt_cli.results.program import Switches
from takt_cli.results.sample_files import Ints, Mask, Rows

PROBE_THREAD = "lab.probe"
"""The name of the thread that watches for stalls of the host."""
ENDED = "a thread that has ended"
_NO_THREAD = 0


@dataclass(frozen=True)
class StallsByCause:
    """`host`: the stalls in which no thread had the CPU, or the probe itself. `kept`: those in which another thread had
    it for most of the time: then either the kernel could not be preempted in what that thread did, or the host stopped
    the CPU meanwhile, which cannot be distinguished. `kept_by`: how many of these had each thread, by its name."""

    host: Rows
    kept: Rows
    kept_by: dict[str, int]

    def causes(self, begin: Ints, end: Ints) -> tuple[Mask, Mask]:
        """Return which intervals overlap a stall of the host, and which overlap only stalls of the other kind."""
        of_host: Mask = overlaps(begin, end, self.host)
        return of_host, overlaps(begin, end, self.kept) & ~of_host


def stalls_by_cause(stalls: Rows, turns: Rows, switches: Switches) -> StallsByCause:
    """Tell stalls apart by the turns of threads on the CPU. Without the kernel's records of them all are the host's."""
    if switches.refused:
        return StallsByCause(stalls, stalls[:0], {})
    names = {each.tid: each.name for each in switches.threads}
    holders = longest_holders(stalls, turns)
    of_host = np.isin(holders, [_NO_THREAD, *(tid for tid, name in names.items() if name == PROBE_THREAD)])
    kept_by = Counter(names.get(int(tid)) or ENDED for tid in holders[~of_host])
    return StallsByCause(stalls[of_host], stalls[~of_host], dict(kept_by.most_common()))


def longest_holders(stretches: Rows, turns: Rows) -> Ints:
    """Return for each interval (`from`, `to`, ns) the thread that had the CPU for the longest total time; 0 if none
    had it, or if the interval lies before the first record."""
    result = np.full(len(stretches), _NO_THREAD, np.int64)
    for stretch, (begin, end) in enumerate(zip(stretches["from"], stretches["to"], strict=True)):
        tids, lengths = turns_within(turns, begin, end)
        if len(tids):
            unique, tid_of_turn = np.unique(tids, return_inverse=True)
            result[stretch] = unique[np.argmax(np.bincount(tid_of_turn, lengths))]
    return result


def turns_within(turns: Rows, begin: int, end: int) -> tuple[Ints, Ints]:
    """Return the threads that had the CPU in an interval, in order, and for how long each had it; none if the interval
    begins before the first record."""
    first, last = np.searchsorted(turns["at"], [begin, end], side="right") - 1
    if first < 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    edges = np.concatenate([[begin], turns["at"][first + 1 : last + 1], [end]])
    return turns["tid"][first : last + 1], np.diff(edges)
