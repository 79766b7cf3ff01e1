# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The idle states of a CPU, from which it needs some time to wake."""

from __future__ import annotations

from typing import NamedTuple

from takt_cli.host.system import System


class IdleState(NamedTuple):
    """An idle state: its folder in /sys, its name, and the time to leave it in us, None if it is unknown."""

    folder: str
    name: str
    latency_us: int | None


def idle_states(system: System, cpu: int) -> list[IdleState]:
    """Return the idle states of a CPU, the shallowest first; none where the kernel does not manage them."""
    folder = f"sys/devices/system/cpu/cpu{cpu}/cpuidle"
    places = {number: f"{folder}/state{number}" for number in system.numbered(folder, "state")}
    return [
        IdleState(place, system.text(f"{place}/name") or f"state {number}", system.integer(f"{place}/latency"))
        for number, place in places.items()
    ]
