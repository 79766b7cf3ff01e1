# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The knob of network traffic: takt's packets are sent before all others, and others at a limited rate."""

from __future__ import annotations

from takt_cli.host.hierarchy import TAKT_GROUP, Hierarchy, hierarchy_of
from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes
from takt_cli.tuning.control_group import PRESENT, Group, Member
from takt_cli.tuning.interfaces import interfaces
from takt_cli.tuning.knob import Change, Plan
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


class Traffic:
    """Puts a discipline of two classes at the root of each interface; packets are told apart by their process."""

    name = "traffic"

    def plan(self, system: System, profile: Profile) -> Plan:
        plan = Plan()
        if not profile.critical_first and profile.rate_mbit is None:
            return plan
        wanted_value = two_classes(profile.rate_mbit or 0)
        names = interfaces(system, profile)
        if not names:
            plan.lacking.append(f"{self.name}: no interface here is a hardware device; name one in the profile")
        shaped = []
        for name in names:
            setting = QueueDiscipline(name)
            current = setting.read(system)
            if current is None:
                plan.lacking.append(f"{self.name}: tc cannot read the queueing of {name}; install iproute2")
            elif current != KERNELS_OWN and not current.startswith(CRITICAL_FIRST):
                plan.lacking.append(f"{self.name}: {name} already has a queueing discipline ({current}), which is kept")
            else:
                shaped.append(name)
                plan.changes.append(Change(self.name, setting, wanted_value))
        if shaped:
            self._sorted(system, shaped, plan)
        return plan

    def _sorted(self, system: System, names: list[str], plan: Plan) -> None:
        """Plan that packets from processes in takt's group have the priority of the critical class."""
        place = hierarchy_of(system, _PRIORITIES)
        if place is None:
            controllers = [line.split()[0] for line in system.lines("proc/cgroups") if line.strip()]
            if _PRIORITIES not in controllers:
                plan.lacking.append(
                    f"{self.name}: this kernel cannot sort packets by process (net_prio); "
                    f"set SO_PRIORITY {CRITICAL_PRIORITY:#x} on the critical sockets"
                )
                return
            place = Hierarchy(_MOUNT, _PRIORITIES)
            plan.changes.append(Change(self.name, Mount(_MOUNT, _PRIORITIES), "mounted"))
        takt_group = f"{place.mount}/{TAKT_GROUP}"
        files = {f"net_prio.ifpriomap#{name}": f"{name} {CRITICAL_PRIORITY}" for name in names}
        plan.changes.append(Change(self.name, Group(takt_group, files), PRESENT))
        for pid in takt_processes(system):
            for task in system.tasks(pid):
                member = Member(task.tid, task.started, task.name, place.mount, _PRIORITIES)
                plan.changes.append(Change(self.name, member, f"/{TAKT_GROUP}", tentative=True))
