# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The knob of network traffic: takt's packets are sent before all others, and others at a limited rate."""

from __future__ import annotations

from takt_cli.host.hierarchy import TAKT_GROUP, Hierarchy, hierarchy_of
from takt_cli.host.system import System
from takt_cli.tuning.control_group import PRESENT, Group
from takt_cli.tuning.interfaces import interfaces
from takt_cli.tuning.isolation import taking_in
from takt_cli.tuning.knob import Change, Steps
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.queue_discipline import (
    CRITICAL_FIRST,
    CRITICAL_PRIORITY,
    KERNELS_OWN,
    Mount,
    QueueDiscipline,
    two_classes,
)

_PRIORITIES = "net_prio"
_MOUNT = "run/takt/net_prio"


def traffic(system: System, profile: Profile) -> Steps:
    """Put a discipline of two classes at the root of each interface; packets are told apart by their process."""
    if not profile.critical_first and profile.rate_mbit is None:
        return
    names = interfaces(system, profile)
    if not names:
        yield "no interface here is a hardware device; name one in the profile"
    shaped = []
    for name in names:
        setting = QueueDiscipline(name)
        current = setting.read(system)
        if current is None:
            yield f"tc cannot read the queueing of {name}; install iproute2"
        elif current != KERNELS_OWN and not current.startswith(CRITICAL_FIRST):
            yield f"{name} already has a queueing discipline ({current}), which is kept"
        else:
            shaped.append(name)
            yield Change(setting, two_classes(profile.rate_mbit or 0))
    if shaped:
        yield from _sorted(system, shaped)


def _sorted(system: System, names: list[str]) -> Steps:
    """Give packets from processes in takt's group the priority of the critical class."""
    place = hierarchy_of(system, _PRIORITIES)
    if place is None:
        controllers = [line.split()[0] for line in system.lines("proc/cgroups") if line.strip()]
        if _PRIORITIES not in controllers:
            yield (
                "this kernel cannot sort packets by process (net_prio); "
                f"set SO_PRIORITY {CRITICAL_PRIORITY:#x} on the critical sockets"
            )
            return
        place = Hierarchy(_MOUNT, _PRIORITIES)
        yield Change(Mount(_MOUNT, _PRIORITIES), "mounted")
    files = {f"net_prio.ifpriomap#{name}": f"{name} {CRITICAL_PRIORITY}" for name in names}
    yield Change(Group(f"{place.mount}/{TAKT_GROUP}", files), PRESENT)
    yield from taking_in(system, place)
