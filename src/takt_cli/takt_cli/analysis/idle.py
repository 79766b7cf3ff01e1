# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""When nothing was pending: whatever had piled up before is done then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.grid import Ints

NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class Idle:
    """The stretches from `begin` to `end`, in order, in which no job was released and not finished."""

    begin: Ints
    end: Ints

    def following(self, instants: Any) -> Ints:
        """The first idle instant at each of these or after it; NEVER if there is none."""
        at = np.searchsorted(self.end, instants, "right")
        following: Ints = np.maximum(self.begin[np.minimum(at, len(self.begin) - 1)], instants)
        return following


def idle(release: Ints, finish: Ints) -> Idle:
    """Of jobs in any order; a `finish` below 0 is none."""
    order = np.argsort(release, kind="stable")
    busy_until = np.maximum.accumulate(np.where(finish < 0, NEVER, finish)[order])
    begin = np.concatenate([[np.iinfo(np.int64).min], busy_until])
    end = np.concatenate([release[order], [NEVER]])
    quiet = begin <= end
    return Idle(begin[quiet], end[quiet])
