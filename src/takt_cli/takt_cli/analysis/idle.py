# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Idle instants: when no job was pending, so that any backlog from before was done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.results.sample_files import Ints

NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class IdleIntervals:
    """The intervals from `begin` to `end`, in order, in which every released job was finished."""

    begin: Ints
    end: Ints

    def following(self, instants: Any) -> Ints:
        """Return the first idle instant at or after each of `instants`; NEVER if there is none."""
        places = np.searchsorted(self.end, instants, "right")
        idle_instants: Ints = np.maximum(self.begin[np.minimum(places, len(self.begin) - 1)], instants)
        return idle_instants


def idle_intervals(release: Ints, finish: Ints) -> IdleIntervals:
    """Return the idle intervals for jobs in any order. A negative `finish` means that the job never finished."""
    order = np.argsort(release, kind="stable")
    busy_until = np.maximum.accumulate(np.where(finish < 0, NEVER, finish)[order])
    begin = np.concatenate([[np.iinfo(np.int64).min], busy_until])
    end = np.concatenate([release[order], [NEVER]])
    quiet = begin <= end
    return IdleIntervals(begin[quiet], end[quiet])
