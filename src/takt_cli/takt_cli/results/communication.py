# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The formats of round trips and of cycles: variants that are measured in turns, round by round.

Beside `result.json` the folder `round-N` has, for each variant, its samples, what its processes wrote about themselves
and the stalls of each CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from takt_cli.results.conditions import Conditions
from takt_cli.results.folder import file_name
from takt_cli.results.program import Grants, Probe, Window
from takt_cli.results.result_file import ResultFormat
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.real_time import AppliedRealTime, RealTime

_MS, _SECOND = 10**6, 10**9
# About how long a load takes to become stationary, in s.
_SETTLES = 4.0
# Where the other side runs, and how the messages of cycles travel.
SAME_NODE, SAME_PROCESS, PROCESS, LINK, SSH, BY_HAND = "same-node", "same-process", "process", "link", "ssh", "by hand"
INSIDE, MIDDLEWARE = "process", "middleware"
NO_CONDITIONS = Conditions()
# The most sizes of messages in one direction.
MOST_SIZES = 20
# The most bytes of messages that are queued in each direction.
_MAX_QUEUED_BYTES = 2**20


@dataclass(frozen=True)
class Transport:
    """A transport. `program` is its name in the lab's programs. `ros` is true if it uses the selected RMW; raw
    transports do not use one."""

    name: str
    program: str
    ros: bool


_PROGRAMS = {"baseline0": "stock", "baseline1": "stock", "control": "syscalls"}
_RAW = ("fastdds", "cyclonedds", "udp", "control")
TRANSPORTS = {
    name: Transport(name, _PROGRAMS.get(name, name), name in ALL_EXECUTORS) for name in (*ALL_EXECUTORS, *_RAW)
}
# Transports without a gap in real-time settings: Fast DDS, whose profile sets histories and priorities, and those that
# have no history and no threads of their own.
_PROFILED = ("rmw_fastrtps_cpp", "rmw_fastrtps_dynamic_cpp", "fastdds", "udp", "control")


@dataclass(frozen=True)
class Way:
    """How the messages of a variant travel, where variants differ in that. `inside`: both sides are in one process.
    With `through_middleware`, messages go over the RMW even so."""

    inside: bool = False
    through_middleware: bool = False

    @property
    def label(self) -> str:
        if not self.inside:
            return ""
        return "one process, through the middleware" if self.through_middleware else "one process"


DIRECT = Way()


@dataclass(frozen=True)
class Variant:
    """A variant to measure: a transport, its RMW (None for raw transports), real-time settings and a way."""

    transport: Transport
    rmw: str | None
    real_time: RealTime
    way: Way = DIRECT

    @property
    def name(self) -> str:
        """The variant's name, such as `takt (rmw_fastrtps_cpp), rt`."""
        rmw_or_raw = self.rmw if self.transport.ros else "raw"
        return ", ".join(filter(None, (f"{self.transport.name} ({rmw_or_raw})", self.real_time.label, self.way.label)))

    @property
    def tag(self) -> str:
        """The name of the variant's files."""
        return file_name(self.name.replace("(", "").replace(")", "").replace(",", ""))

    def receiver_tag(self, receiver: int) -> str:
        """Return the name of the files of a receiver in a process of its own, counted from 1."""
        return f"{self.tag}.receiver{receiver}"

    @property
    def lacking(self) -> list[str]:
        """A line for each real-time setting that cannot be applied to this variant."""
        middleware = self.rmw if self.transport.ros else self.transport.name
        lines = []
        if "history" in self.real_time.parts and middleware not in _PROFILED:
            lines.append(f"{middleware} cannot preallocate its history")
        if self.real_time.profile_priority is not None and middleware not in _PROFILED:
            lines.append(f"{middleware} reads no priorities from the profile: its threads are set by name")
        return lines

    @property
    def applied(self) -> AppliedRealTime:
        """Its real-time settings, with those that cannot be applied."""
        return self.real_time.applied(self.lacking)


@dataclass(frozen=True)
class PeerPlacement:
    """The place where the other side runs. `host` is the name or address of another machine, with a user for ssh."""

    kind: str
    host: str = ""

    @property
    def one_process(self) -> bool:
        return self.kind in (SAME_NODE, SAME_PROCESS)

    @property
    def remote(self) -> bool:
        return self.kind in (SSH, BY_HAND)

    @property
    def beyond_host(self) -> bool:
        """True if shared memory does not reach the other side, or, over a link, must not be used."""
        return self.kind == LINK or self.remote

    def __str__(self) -> str:
        return f"{self.kind} {self.host}".strip()


OTHER_PROCESS = PeerPlacement(PROCESS)


@dataclass(frozen=True, kw_only=True)
class InterleavedSettings:
    """The settings common to all such measurements. Times in nanoseconds; `duration` is that of a variant in a round.
    `cpus` are those of the measuring process and, if there is one, of the other process. A reply later than `deadline`
    (0: the period) counts as missed, one later than `timeout` as lost. `depth` 0 means the usual one. `absent` lists
    what `all` included but is not installed."""

    variants: tuple[Variant, ...]
    payload: int
    period: int
    timeout: int = 500 * _MS
    duration: int
    cpus: tuple[int, ...]
    deadline: int = 0
    rounds: int = 1
    warmup: int = _SECOND
    reliable: bool = False
    depth: int = 0
    checkpoint: int = 60 * _SECOND
    absent: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    conditions: Conditions = NO_CONDITIONS

    def __post_init__(self) -> None:
        object.__setattr__(self, "deadline", self.deadline or self.period)
        object.__setattr__(self, "depth", self.depth or self.usual_depth)

    @property
    def usual_depth(self) -> int:
        return 1

    @property
    def payloads(self) -> tuple[int, ...]:
        """The sizes of the messages, each on a topic of its own."""
        return (self.payload,)

    @property
    def parts(self) -> int:
        return self.rounds * len(self.variants)

    @property
    def seconds(self) -> float:
        """The duration of the whole measurement in s, including warm-ups. With a load it is approximate, as the load
        settles once at the beginning and again in every warm-up."""
        if not self.conditions.load:
            return self.parts * self.turn_seconds
        return _SETTLES + self.parts * (max(self.warmup / 1e9, _SETTLES) + self.duration / 1e9)

    @property
    def turn_seconds(self) -> float:
        return (self.warmup + self.duration) / 1e9

    def cpus_of(self, variant: Variant, allowed: Sequence[int]) -> tuple[int, ...]:
        """Return the CPUs that a variant's threads may run on: all `allowed` ones if it does not set affinities."""
        return tuple(dict.fromkeys(self.cpus)) if "affinity" in variant.real_time.parts else tuple(allowed)

    def like(self, variant: Variant, transport: str) -> Variant | None:
        """Return the variant of another transport with the same real-time settings and the same way; None if there is
        none."""
        key = variant.real_time.label, variant.way
        alike = [each for each in self.variants if (each.real_time.label, each.way) == key]
        return next((each for each in alike if each.transport.name == transport and each != variant), None)

    def probed(self, allowed: Sequence[int]) -> tuple[int, ...]:
        """Return all CPUs that threads may run on."""
        return tuple(dict.fromkeys(cpu for each in self.variants for cpu in self.cpus_of(each, allowed)))


@dataclass(frozen=True, kw_only=True)
class RoundTripSettings(InterleavedSettings):
    """The settings of round trips. `beside` is the number of topics of additional, non-critical ROS 2 traffic in the
    server's node. With `through_middleware`, messages go over the RMW even within one process."""

    payload: int = 500
    period: int = 10 * _MS
    server: PeerPlacement = OTHER_PROCESS
    beside: int = 0
    through_middleware: bool = False


@dataclass(frozen=True, kw_only=True)
class CyclicSettings(InterleavedSettings):
    """The settings of cycles. `through` is inside the process, in one process over the RMW, or over a link between two
    processes; baseline1 is always two processes over the RMW. The usual depth is as many messages as can be under way:
    cycles continue while a message is late, which the next one must not replace."""

    payload: int = 64
    period: int = _MS
    through: str = INSIDE

    @property
    def usual_depth(self) -> int:
        under_way = self.timeout // self.period + 1
        return max(min(under_way, _MAX_QUEUED_BYTES // max(self.payload, 1)), 1)


@dataclass(frozen=True, kw_only=True)
class OneWaySettings(InterleavedSettings):
    """The settings of messages in one direction. Each message has one of `sizes`, which take turns: `turn` messages of
    one size, then as many of the next one. `duration` is rounded up, so that each size has the same number of turns.
    Each message goes to all `receivers`. Variants whose way is not inside one process have a process for the sender and
    one for each receiver, which runs at `place`."""

    sizes: tuple[int, ...]
    payload: int = 0
    period: int = 10 * _MS
    turn: int = 20
    receivers: int = 1
    place: PeerPlacement = OTHER_PROCESS

    def __post_init__(self) -> None:
        lap = len(self.sizes) * self.turn * self.period
        object.__setattr__(self, "payload", max(self.sizes))
        object.__setattr__(self, "duration", -(-self.duration // lap) * lap)
        super().__post_init__()

    @property
    def payloads(self) -> tuple[int, ...]:
        return self.sizes

    @property
    def turn_seconds(self) -> float:
        return super().turn_seconds + self.timeout / 1e9


class SideProcess(msgspec.Struct, frozen=True, kw_only=True):
    """The report of one side of a variant in a round. `t0` is the origin of the grid; `allocator` has its name and what
    it counted."""

    t0: int
    window: Window
    grants: Grants | None = None
    allocator: dict[str, Any] | None = None


class InterleavedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """For each variant and each round the reports of its sides, the measuring one first, and of the probes.

    `warmed_up` is the warm-up in ns, which a load may have prolonged; `preloaded` are the libraries that the variant's
    RMW needs preloaded. The report of a side on another machine remains there."""

    warmed_up: int
    preloaded: dict[str, list[str]]
    processes: dict[str, list[list[SideProcess]]]
    probes: dict[str, list[list[Probe]]]


ROUND_TRIP_FORMAT = ResultFormat("round-trip", 2, RoundTripSettings, InterleavedRecord)
ONE_WAY_FORMAT = ResultFormat("one-way", 2, OneWaySettings, InterleavedRecord)
CYCLIC_FORMAT = ResultFormat("cyclic", 2, CyclicSettings, InterleavedRecord)
