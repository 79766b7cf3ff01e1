# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The knob of the fair server, which takes CPU time from real-time threads even if throttling is off."""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from takt_cli.host.cpu_list import format_cpus, parse_cpus
from takt_cli.host.fair_server import fair_servers, file_of
from takt_cli.host.system import System
from takt_cli.tuning.knob import Change, Plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import Setting

# The kernel's default share, for messages.
DEFAULT = "50 ms of every 1000 by default"


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
        return [file_of(cpu, "runtime") for cpu in parse_cpus(self.cpus)]


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
