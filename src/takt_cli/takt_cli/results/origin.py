# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where a result comes from: the command, the versions, the host and what else ran on it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from takt_cli.errors import ResultError
from takt_cli.results.achieved import Achieved

_FIRST_WITH_FAIR_SERVER = (6, 12)


class RealtimeThread(msgspec.Struct, frozen=True):
    """A real-time thread of another program, and the CPU time that it used on the measured CPUs."""

    pid: int
    name: str
    policy: str
    priority: int
    cpu_ms: float


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of a host and of the CPUs used that affect timing; None if unknown. Times in us or ns as their
    names say, memory in KiB. `load` is the load average over 1, 5 and 15 minutes before, `load_after` after;
    `other_realtime` are the real-time threads of other programs that had the CPUs meanwhile; `virtual_time` says how a
    guest counts time."""

    hostname: str
    kernel: str
    kernel_version: str
    preemption: str
    cmdline: str | None
    machine: str
    cpu_model: str | None
    virtual: bool
    cpus: int | None
    used_cpus: list[int]
    allowed_cpus: list[int]
    isolated_cpus: str | None
    governor: str | None
    clocksource: str | None
    memory_kib: int | None
    rt_runtime_us: int | None
    rt_period_us: int | None
    rt_throttling: bool | None
    fair_server_ns: list[int | None]
    fair_server_period_ns: list[int | None]
    rt_priority_limit: int
    memlock_limit: int
    root: bool
    load: list[float]
    virtual_time: str | None = None
    other_realtime: list[RealtimeThread] = []
    load_after: list[float] | None = None


class MiddlewareFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the middleware that all processes of a measurement shared. Sizes in bytes."""

    domain: int
    discovery: str
    shared_memory_segment: int
    publication_mode: str
    asynchronous_sender: str
    profile: str
    participants: int
    socket_receive_buffer: int
    socket_receive_buffer_limit: int | None
    cyclonedds_uri: str
    preloaded: list[str]


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """The virtual machine that a result was measured in. `time` says how it counts time."""

    asked: str
    package: str
    package_version: str
    guest: dict[str, Any]
    qemu: str
    machine: str
    memory_mib: int
    icount_shift: int
    time: str


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """How and where a result came about. `began` is the time of the wall clock, in ISO 8601 with the time zone;
    `commit` has `+` at its end if files had been modified; `conditions` are what ran beside the measurement, as asked
    for and as achieved; `virtual` is the guest that it was measured in, if any."""

    command: list[str]
    began: str
    versions: dict[str, str | None]
    commit: str | None
    host: Host | None
    middleware: MiddlewareFacts | None = None
    conditions: Achieved | None = None
    virtual: Guest | None = None

    @property
    def known_host(self) -> Host:
        """The host. Raises ResultError if it is unknown."""
        if self.host is None:
            raise ResultError("the result does not say which host it was made on; measure again")
        return self.host


def kernel_has_fair_server(release: str) -> bool:
    """Return whether Linux of this release has the fair server, which reserves CPU time for ordinary threads."""
    version = re.match(r"(\d+)\.(\d+)", release)
    return version is not None and (int(version[1]), int(version[2])) >= _FIRST_WITH_FAIR_SERVER
