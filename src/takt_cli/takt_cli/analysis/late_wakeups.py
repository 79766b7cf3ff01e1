# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Stalls of the host that no probe saw: the CPU took the timer interrupt of a release too late.

A probe that looks several times a millisecond still misses stalls that end before it would have looked for the second
time. The kernel's context switches show them at the releases: from the release on, the CPU stayed with a less urgent
thread, or idle, and then went to the thread that makes the releases.
"""

from __future__ import annotations

import numpy as np

from takt_cli.results.program import SwitchedThread
from takt_cli.results.sample_files import STALLS, Ints, Rows

_RELEASING, _PROBE = "takt.timer", "lab.probe"
# Threads of the kernel that are more urgent than the one that makes the releases.
_ABOVE = ("irq/", "migration/")


def late_wakeups(releases: Ints, turns: Rows, threads: list[SwitchedThread], cpu: int, threshold: int) -> Rows:
    """Return as stalls the times from a release until the thread that makes it got the CPU, where these are longer than
    `threshold` ns and only one less urgent thread had the CPU meanwhile. That the probe is woken by the same interrupt,
    and goes first, makes no difference."""
    names = {each.tid: each.name for each in threads}
    releasing = [tid for tid, name in names.items() if name == _RELEASING]
    probes = [tid for tid, name in names.items() if name == _PROBE]
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
