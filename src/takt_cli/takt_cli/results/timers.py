# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of a result of `takt measure timers`: its settings, and what its programs reported.

Beside `result.json` the folder `round-N` has, for each variant, its samples, its facts and the stalls of the host.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from takt_cli.results.program import Grants, Thread, Window
from takt_cli.results.result_file import ResultFormat

FLOOR_LOOP, FLOOR_WAKEUP, FLOOR_RCLCPP = "floor-loop", "floor-wakeup", "floor-rclcpp"
WARMUP = 10**9


@dataclass(frozen=True)
class Variant:
    """A variant to measure: its name in results, the program's arguments, and the floor that it is compared with."""

    name: str
    executor: str
    policy: str
    floor: str

    @property
    def tag(self) -> str:
        return self.name.replace(":", "-")

    @property
    def is_floor(self) -> bool:
        return self.name == self.floor


@dataclass(frozen=True)
class TimersSettings:
    """The settings of the measurement. Times in nanoseconds; `duration` is that of a variant in a round."""

    callbacks: int
    nodes: int
    period: int
    phases: str
    duration: int
    rounds: int
    cpu: int
    variants: tuple[Variant, ...]

    @property
    def parts(self) -> int:
        return self.rounds * len(self.everything)

    @property
    def seconds(self) -> float:
        """The duration of the whole measurement in s, including warm-ups."""
        return self.parts * (WARMUP + self.duration) / 1e9

    @property
    def everything(self) -> tuple[Variant, ...]:
        """The variants and their floors; the floor for rclcpp nodes only if a variant needs it."""
        floors = [
            Variant(FLOOR_LOOP, FLOOR_LOOP, "np-rm", FLOOR_LOOP),
            Variant(FLOOR_WAKEUP, FLOOR_WAKEUP, "rm", FLOOR_WAKEUP),
        ]
        if any(each.floor == FLOOR_RCLCPP for each in self.variants):
            floors.append(Variant(FLOOR_RCLCPP, FLOOR_RCLCPP, "ros", FLOOR_RCLCPP))
        return (*self.variants, *floors)


class Releases(msgspec.Struct, frozen=True):
    """The number of releases on the grid within the window, and of those that no job answered."""

    releases: int
    skipped: int
    unfinished: int


class TimersProcess(msgspec.Struct, frozen=True, kw_only=True):
    """The report of the program `timers` about one variant in one round."""

    window: Window
    jobs: int
    releases: Releases
    process_cpu_ns: int
    threads: list[Thread]
    rmw: str | None = None
    grants: Grants | None = None


class TimersRecord(msgspec.Struct, frozen=True):
    """The reports of all variants, by name, one for each round."""

    processes: dict[str, list[TimersProcess]]


TIMERS_FORMAT = ResultFormat("timers", 2, TimersSettings, TimersRecord)
