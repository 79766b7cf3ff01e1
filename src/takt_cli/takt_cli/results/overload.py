# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of a result of `takt measure overload`. Beside `result.json` the folder has the run, and the jobs of the
simulation."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.results.conditions import Load
from takt_cli.results.result_file import NoRecord, ResultFormat

WARMUP = 10**9


@dataclass(frozen=True)
class OverloadSettings:
    """The settings of the experiment. Times in nanoseconds; `calm` is the length of each phase of normal load."""

    utilisation: float
    duration: int
    calm: int
    policy: str
    load: Load | None
    cpu: int

    @property
    def parts(self) -> int:
        return 1

    @property
    def seconds(self) -> float:
        return (WARMUP + 2 * self.calm + self.duration) / 1e9


OVERLOAD_FORMAT = ResultFormat("overload", 1, OverloadSettings, NoRecord)
