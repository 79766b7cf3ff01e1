# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Network interfaces and their interrupts."""

from __future__ import annotations

import re

from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.system import System
from takt_cli.tuning.profile import Profile

_NET = "sys/class/net"


def interfaces(system: System, profile: Profile) -> list[str]:
    """Return the interfaces that the profile names; without names, those of hardware devices."""
    all_interfaces = system.entries(_NET)
    if profile.interfaces is not None:
        return [name for name in profile.interfaces if name in all_interfaces]
    return [name for name in all_interfaces if system.exists(f"{_NET}/{name}/device")]


def interrupts_of(system: System, interface: str) -> list[int]:
    """Return the numbers of an interface's interrupts: those of its device, else of the device's parent (virtio), else
    those with the interface's name among their handlers."""
    device = f"{_NET}/{interface}/device"
    if not system.exists(device):
        return []
    for place in (device, f"{device}/.."):
        numbers = system.numbered(f"{place}/msi_irqs", "")
        if numbers:
            return numbers
    return [number for number, each in device_interrupts(system).items() if _called_after(interface, each.names)]


def _called_after(interface: str, names: str) -> bool:
    return re.search(rf"(?:^|[\s,]){re.escape(interface)}(?:$|[\s,-])", names) is not None
