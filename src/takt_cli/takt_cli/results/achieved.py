# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The surroundings of an experiment as they were achieved, each with what was asked for."""

from __future__ import annotations

from typing import Any

import msgspec

from takt_cli.results.conditions import Limits, Link, Load, Traffic


class Settling(msgspec.Struct, frozen=True):
    """When a load became stationary: `seconds` after it was released. `has_settled` is False if it did not settle, and
    `seconds` is then how long it was observed."""

    seconds: float
    has_settled: bool


class OwnFigures(msgspec.Struct, frozen=True, rename="kebab"):
    """What stress-ng counted of the workers of one kind, by its own names. Times in s."""

    bogo_ops: float | None = None
    bogo_ops_per_second_real_time: float | None = None
    wall_clock_time: float | None = None
    user_time: float | None = None
    system_time: float | None = None


class AchievedLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A load, made `by` a tool. It had the weight of this many processes, and ran for `seconds` while it was not held;
    `cpus_used` are the CPUs that its workers used by kind, `share_of_cpu` what they used of each CPU to which they were
    bound. `load_average` and `pressure` are those of the host, `own_figures` the tool's own, by kind."""

    asked: Load
    by: str
    counts_as_processes: float | None = None
    settling: Settling | None = None
    seconds: float = 0.0
    held_seconds: float = 0.0
    cpus_used: dict[str, float] = {}
    share_of_cpu: dict[str, float] = {}
    load_average: list[float] = []
    pressure: dict[str, dict[str, float]] | None = None
    own_figures: dict[str, OwnFigures] | None = None


class Rates(msgspec.Struct, frozen=True):
    """What one end of a flow counted in so many whole seconds: the mean and the least rate in Mbit/s, and packets."""

    mbit: float
    least_mbit: float
    seconds: int
    packets: int
    lost: int


class AchievedFlow(msgspec.Struct, frozen=True):
    """What has arrived of the traffic in one direction, and what its ends counted."""

    seconds: float = 0.0
    received_mbit: float | None = None
    sent: Rates | None = None
    received: Rates | None = None


class AchievedTraffic(msgspec.Struct, frozen=True):
    """Traffic by a tool, over a link or loopback: its flows, such as `client_to_server`."""

    asked: Traffic
    by: str
    over: str
    flows: dict[str, AchievedFlow]


class Carried(msgspec.Struct, frozen=True):
    """What a link has carried in one direction, counted at the sender, and what was dropped from its queue."""

    bytes: int = 0
    packets: int = 0
    drops: int = 0


class AchievedLink(msgspec.Struct, frozen=True):
    """A link, and what it has carried in each direction."""

    asked: Link
    sent: dict[str, Carried]
    kind: str = "two network namespaces of one host, which share its CPUs"


class AchievedLimits(msgspec.Struct, frozen=True):
    """Limits: the CPUs that the kernel granted, in how many of its periods it throttled, and for how many seconds. None
    if the CPU time was not limited."""

    asked: Limits
    cpus: float | None = None
    periods: int | None = None
    throttled: int | None = None
    throttled_seconds: float | None = None


class Achieved(msgspec.Struct, frozen=True):
    """All surroundings; None for what was not asked for."""

    load: AchievedLoad | None = None
    traffic: AchievedTraffic | None = None
    link: AchievedLink | None = None
    limits: AchievedLimits | None = None

    def asked(self) -> dict[str, Any]:
        """Return what was asked for, by name."""
        return {name: part and part.asked for name, part in msgspec.structs.asdict(self).items()}
