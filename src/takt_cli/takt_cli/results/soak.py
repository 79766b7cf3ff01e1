# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of a result of `takt soak`: its settings, and what its programs reported.

Beside `result.json` the folder has the whole reports of the program and the probe, and their samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from takt_cli.results.program import Grants, Probe, Switches, UsedPolicy, Window
from takt_cli.results.result_file import ResultFormat

APPLICATIONS = ("full", "urgent")


@dataclass(frozen=True)
class SoakSettings:
    """The settings of the soak. Times in nanoseconds; `load` is the background load by its name, None for none."""

    duration: int
    warmup: int
    cpu: int
    load: str | None
    application: str = APPLICATIONS[0]

    @property
    def parts(self) -> int:
        return 1

    @property
    def seconds(self) -> float:
        return (self.warmup + self.duration) / 1e9


class SoakTask(msgspec.Struct, frozen=True):
    """A task of the application, the most urgent one first."""

    group: int
    period_ns: int
    phase_ns: int


class SoakCounters(msgspec.Struct, frozen=True):
    """The executor's own counts, for all tasks and including the warm-up."""

    skipped: int


class SoakStatistics(msgspec.Struct, frozen=True):
    """The executor's changes of scenario: how many took effect, how many were overwritten by a later request, and the
    longest time from request to effect."""

    scenario_switches: int
    scenario_requests_overwritten: int
    longest_switch_ns: int


class ReadOutside(msgspec.Struct, frozen=True):
    """The number of messages of 4 MiB that another process has read."""

    messages: int


class SoakProcess(msgspec.Struct, frozen=True, kw_only=True):
    """The report of the program `soak`. `dropped` counts rows that found no room."""

    rmw: str
    policy: UsedPolicy
    t0: int
    window: Window
    tasks: list[SoakTask]
    received: int
    read_outside: ReadOutside
    dropped: int
    switches: Switches
    counters: SoakCounters
    statistics: SoakStatistics
    grants: Grants


class SoakRecord(msgspec.Struct, frozen=True):
    """The reports of the program and of the stall probe."""

    process: SoakProcess
    probe: Probe


SOAK_FORMAT = ResultFormat("soak", 2, SoakSettings, SoakRecord)
