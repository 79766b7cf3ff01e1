# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of a result of `takt measure bounds`. Beside `result.json` the folder has a run for the costs, and one of
each task set."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from takt_cli.results.result_file import ResultFormat

POLICIES = ("fp", "np-fp", "edf")
WARMUP = 500_000_000
# The time per task set in addition to the run itself, in s.
_OVERHEAD_PER_SET = 2.5


@dataclass(frozen=True)
class BoundsSettings:
    """The settings of the experiment. `duration` is that of each run, in ns."""

    sets: int
    seed: int
    duration: int
    cpu: int
    policies: tuple[str, ...] = POLICIES

    @property
    def parts(self) -> int:
        return self.sets + 1

    @property
    def seconds(self) -> float:
        return self.parts * (self.duration + WARMUP) / 1e9 + self.sets * _OVERHEAD_PER_SET


class BoundsRecord(msgspec.Struct, frozen=True):
    """The task sets by the names of their folders: the longest response time of each task in the model, in ns."""

    simulated: dict[str, dict[int, int]]


BOUNDS_FORMAT = ResultFormat("bounds", 1, BoundsSettings, BoundsRecord)
