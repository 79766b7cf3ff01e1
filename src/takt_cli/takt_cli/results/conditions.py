# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The surroundings of an experiment as they are asked for: background load, traffic, a link and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from takt_cli.errors import UsageError

KINDS = ("cpu", "vm", "io", "hdd")
LOAD_TOOLS = ("stress-ng", "stress")
# Rates of a link in Mbit/s, and where traffic flows.
RATES = (100, 1000)
PLACES = ("same", "own")


@dataclass(frozen=True)
class Load:
    """Numbers of workers by kind: on all CPUs together, or on each one if `on_each_cpu`. `paper` is the name of a
    paper's load; `made_for` is the number of CPUs of the machine that it was designed for, None if unknown."""

    kinds: Mapping[str, int]
    tool: str = "stress-ng"
    paper: str | None = None
    made_for: int | None = None
    scaled_to: int | None = None
    on_each_cpu: bool = False

    def __post_init__(self) -> None:
        if not self.kinds or not set(self.kinds) <= set(KINDS) or min(self.kinds.values()) < 1:
            raise ValueError(f"a load has workers of {', '.join(KINDS)}, at least one of each kind that it has")
        if self.tool not in LOAD_TOOLS:
            raise ValueError(f"a load is made by {' or '.join(LOAD_TOOLS)}")

    @property
    def name(self) -> str:
        """The load as `parse_load` reads it."""
        return self.paper or ",".join(kind if self.on_each_cpu else f"{kind}={n}" for kind, n in self.kinds.items())

    def total(self, cpus: int) -> Load:
        """Return this load with the numbers of workers on all of this number of CPUs together."""
        factor = cpus if self.on_each_cpu else 1
        return replace(self, kinds={kind: n * factor for kind, n in self.kinds.items()}, on_each_cpu=False)

    @property
    def workers(self) -> int:
        """The number of all workers."""
        return sum(self.kinds.values())

    def scaled(self, cpus: int) -> Load:
        """Return this load scaled to a number of CPUs: with as many workers per CPU as on the machine it was designed
        for or, if that is unknown, one of each kind per CPU."""
        if self.on_each_cpu:
            return self
        per_cpu = {kind: n / self.made_for if self.made_for else 1.0 for kind, n in self.kinds.items()}
        return replace(self, kinds={kind: max(1, round(n * cpus)) for kind, n in per_cpu.items()}, scaled_to=cpus)

    def with_tool(self, tool: str) -> Load:
        """Return this load as run by another tool."""
        return replace(self, tool=tool)


@dataclass(frozen=True)
class Link:
    """A link's rate, in Mbit/s in each direction."""

    mbit: int = 100


@dataclass(frozen=True)
class Traffic:
    """The traffic's payload rate in Mbit/s in each direction. `link` is `same` for the measured link, or `own`."""

    mbit_each_way: float
    link: str = "same"

    def __post_init__(self) -> None:
        if self.mbit_each_way <= 0 or self.link not in PLACES:
            raise ValueError("traffic needs a rate above 0, and goes over the same link or one of its own")


@dataclass(frozen=True)
class Limits:
    """Limits on load and traffic together: `cpu_share` of all CPUs' time, above 0 and up to 1, and `mbit`, the
    traffic's rate on the link in Mbit/s in each direction."""

    cpu_share: float | None = None
    mbit: float | None = None


@dataclass(frozen=True)
class Conditions:
    """The surroundings that are asked for. Raises a UsageError if they contradict each other."""

    load: Load | None = None
    traffic: Traffic | None = None
    link: Link | None = None
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        if self.link is not None and self.link.mbit not in RATES:
            raise UsageError(f"--link: {self.link.mbit} is not a link's rate; give {' or '.join(map(str, RATES))}")
        share, mbit = self.limits.cpu_share, self.limits.mbit
        if share is not None and not 0 < share <= 1:
            raise UsageError(f"--limit-cpu: {share:g} is not a share of the CPUs; give one above 0 and up to 1")
        if share is not None and self.load is None and self.traffic is None:
            raise UsageError("--limit-cpu limits load and traffic, but there is neither; give --load or --traffic")
        if mbit is not None and (mbit <= 0 or self.traffic is None):
            raise UsageError("--limit-rate limits traffic to a rate above 0; give --traffic, too")
        if mbit is not None and self.link is None and self.traffic is not None and self.traffic.link == "same":
            raise UsageError("--limit-rate needs a link; give --link 100, or --traffic-link own")

    def any(self) -> bool:
        return self != Conditions()
