# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The fair server as a setting: it takes CPU time from real-time threads even if throttling is off."""

from __future__ import annotations

import errno
from contextlib import suppress

from takt_cli.host.cpu_list import parse_cpus
from takt_cli.host.fair_server import fair_servers, file_of
from takt_cli.host.system import System
from takt_cli.tuning.setting import Setting

# The kernel's default share, for messages.
DEFAULT = "50 ms of every 1000 by default"


class FairServerRuntime(Setting, frozen=True, tag="fair server"):
    """The fair servers' runtimes on the CPUs `cpus` (a list such as `0-1`). A value holds one runtime in ns per CPU,
    separated by blanks. Either all are written or none."""

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
