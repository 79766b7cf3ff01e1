# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The fair server of Linux 6.12 and later, which reserves CPU time for ordinary threads on CPUs that real-time threads
occupy, even if real-time throttling is off. It is set in debugfs, which may be unmounted or locked down."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from takt_cli.tuning.knob import Change, Plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import Setting
from takt_cli.tuning.system import System, format_cpus, parse_cpus

_DEBUG = "sys/kernel/debug"
_SERVERS = f"{_DEBUG}/sched/fair_server"
_FIRST = (6, 12)
# The kernel's default share, for messages.
DEFAULT = "50 ms of every 1000 by default"


@dataclass(frozen=True)
class Share:
    """The CPU time reserved for ordinary threads on one CPU: `runtime` in each `period`, both in ns; 0 is off."""

    runtime: int
    period: int


@dataclass(frozen=True)
class FairServers:
    """The fair servers of some CPUs. `shares` has one entry per CPU. If the kernel has fair servers that cannot be
    read, `shares` is empty, `hidden` gives the reason and `remedy` what helps; if it has none, all are empty."""

    shares: dict[int, Share]
    hidden: str = ""
    remedy: str = ""


def fair_servers(system: System, cpus: Sequence[int]) -> FairServers:
    """Return the fair servers of these CPUs: either all of them or, if one cannot be read, none."""
    cpus_with_server = system.numbered(_SERVERS, "cpu")
    wanted_cpus = [cpu for cpu in cpus if cpu in cpus_with_server]
    values = {cpu: (system.integer(_file(cpu, "runtime")), system.integer(_file(cpu, "period"))) for cpu in wanted_cpus}
    shares = {
        cpu: Share(runtime, period) for cpu, (runtime, period) in values.items() if runtime is not None and period
    }
    if cpus_with_server and len(shares) == len(wanted_cpus):
        return FairServers(shares)
    if cpus_with_server:
        return FairServers({}, "debugfs is locked", "boot without kernel lockdown (Secure Boot enables it)")
    if not has_fair_server(system) or system.entries(f"{_DEBUG}/sched"):
        return FairServers({})
    if _mounted(system):
        return FairServers({}, "only root can read debugfs", "run as root")
    return FairServers({}, "debugfs is not mounted", f"mount -t debugfs none /{_DEBUG}")


def has_fair_server(system: System) -> bool:
    """Return whether this kernel's version has the fair server (6.12 or later)."""
    release = re.match(r"(\d+)\.(\d+)", system.text("proc/sys/kernel/osrelease") or "")
    return release is not None and (int(release[1]), int(release[2])) >= _FIRST


def _mounted(system: System) -> bool:
    return any(line.split(" ")[2:3] == ["debugfs"] for line in (system.text("proc/mounts") or "").splitlines())


def _file(cpu: int, name: str) -> str:
    return f"{_SERVERS}/cpu{cpu}/{name}"


@dataclass(frozen=True)
class FairServerRuntime(Setting):
    """The fair servers' runtimes on the CPUs `cpus` (a list such as `0-1`). A value holds one runtime in ns per CPU,
    separated by blanks. Either all are written or none."""

    kind: ClassVar[str] = "fair server"
    cpus: str

    @property
    def label(self) -> str:
        return f"runtime of the fair server of CPU {self.cpus}, ns"

    def read(self, system: System) -> str | None:
        values = [system.text(file) for file in self._files()]
        if None not in values:
            return " ".join(map(str, values))
        # The setting still exists, so a value that must be restored is not forgotten.
        hidden = fair_servers(system, parse_cpus(self.cpus)).hidden
        return f"unknown: {hidden}" if hidden else None

    def write(self, system: System, value: str) -> None:
        servers = fair_servers(system, parse_cpus(self.cpus))
        if servers.hidden:
            raise OSError(errno.ENODEV, f"{servers.hidden}; {servers.remedy}")
        written: list[tuple[str, str]] = []
        try:
            for file, new_value in zip(self._files(), value.split(), strict=True):
                current = system.text(file)
                if current is not None and current != new_value:
                    system.write(file, new_value)
                    written.append((file, current))
        except OSError:
            for file, previous in written:
                with suppress(OSError):
                    system.write(file, previous)
            raise

    def commands(self, value: str) -> list[str]:
        return [f"echo {each} > /{file}" for file, each in zip(self._files(), value.split(), strict=True)]

    def _files(self) -> list[str]:
        return [_file(cpu, "runtime") for cpu in parse_cpus(self.cpus)]


class FairServer:
    """Switches the fair server off on the CPUs of real-time work, if the profile sets real-time threads no limit."""

    name = "fair server"

    def plan(self, system: System, profile: Profile) -> Plan:
        if profile.rt_runtime_us is None or profile.rt_runtime_us >= 0:
            return Plan()
        servers = fair_servers(system, profile.cpus)
        if servers.hidden:
            consequence = f"ordinary threads keep a share of each CPU ({DEFAULT})"
            return Plan(lacking=[f"{self.name}: {consequence}, as {servers.hidden}; {servers.remedy}, and apply again"])
        if not servers.shares:
            return Plan()
        cpus = sorted(servers.shares)
        setting = FairServerRuntime(format_cpus(cpus))
        return Plan([Change(self.name, setting, " ".join("0" for _ in cpus))])
