# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The interrupts of devices: their handlers, and how often each CPU has handled them."""

from __future__ import annotations

from typing import NamedTuple

from takt_cli.host.system import System


class DeviceInterrupt(NamedTuple):
    """The names of an interrupt's handlers, preceded by its controller, and its number of occurrences by CPU."""

    names: str
    counts: dict[int, int]

    @property
    def handler(self) -> str:
        """The last of the names, which tells interrupts apart best."""
        return self.names.split(" ")[-1]


def device_interrupts(system: System) -> dict[int, DeviceInterrupt]:
    """Return the interrupts of /proc/interrupts that have a number, by this number."""
    lines = system.lines("proc/interrupts")
    cpus = [int(name.removeprefix("CPU")) for name in lines[0].split()] if lines else []
    interrupts = {}
    for line in lines[1:]:
        number, _, text = line.strip().partition(":")
        if number.isdigit():
            fields = text.split()
            counts = {cpu: int(n) for cpu, n in zip(cpus, fields, strict=False) if n.isdigit()}
            interrupts[int(number)] = DeviceInterrupt(" ".join(fields[len(cpus) :]), counts)
    return interrupts
