# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs that use control groups: CPUs for takt alone, its real-time runtime, and limits for everything else."""

from __future__ import annotations

from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.hierarchy import OTHERS_GROUP, TAKT_GROUP, Hierarchy, hierarchy_of
from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes
from takt_cli.tuning.control_group import PRESENT, TAKEN, Group, Member, Population
from takt_cli.tuning.cpu_knobs import other_cpus
from takt_cli.tuning.knob import Change, Plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import FileValue

_PERIOD_US, _SECOND_US = 100_000, 1_000_000


class Isolation:
    """Confines everything else to the other CPUs, and takt's processes to the CPUs of real-time work."""

    name = "isolation"

    def plan(self, system: System, profile: Profile) -> Plan:
        if profile.isolation is None:
            return Plan()
        others = other_cpus(system, profile)
        if not others:
            return Plan(lacking=[f"{self.name}: no CPU but {format_cpus(profile.cpus)} is left for everything else"])
        place = hierarchy_of(system, "cpuset")
        if place is None:
            plan = Plan(lacking=[f"{self.name}: no cpuset controller is mounted"])
        elif place.version == 1:
            plan = self._first_version(system, place, profile, others)
        else:
            plan = self._second_version(system, place, profile, others)
        runtime = profile.isolation.get("rt_runtime_us")
        if runtime is not None:
            self._runtime(system, runtime, plan)
        return plan

    def _first_version(self, system: System, hierarchy: Hierarchy, profile: Profile, others: list[int]) -> Plan:
        memory = system.text(f"{hierarchy.mount}/cpuset.mems") or "0"
        takt_group, others_group = f"{hierarchy.mount}/{TAKT_GROUP}", f"{hierarchy.mount}/{OTHERS_GROUP}"
        plan = Plan()
        for path, cpus in ((takt_group, profile.cpus), (others_group, others)):
            files = {"cpuset.cpus": format_cpus(cpus), "cpuset.mems": memory}
            plan.changes.append(Change(self.name, Group(path, files), PRESENT))
        plan.changes += _members(self.name, system, hierarchy)
        plan.changes.append(Change(self.name, Population(others_group, ordinary=False), TAKEN, tentative=True))
        for name in _groups(system, hierarchy):
            plan.lacking.append(
                f"{self.name}: /{hierarchy.mount}/{name} is managed by others; its members keep their CPUs"
            )
        return plan

    def _second_version(self, system: System, hierarchy: Hierarchy, profile: Profile, others: list[int]) -> Plan:
        plan = _controlled(self.name, system, hierarchy, "cpuset")
        for name in _groups(system, hierarchy):
            setting = FileValue(f"{hierarchy.mount}/{name}/cpuset.cpus", f"CPUs of {name}")
            plan.changes.append(Change(self.name, setting, format_cpus(others), tentative=True))
        takt_group = f"{hierarchy.mount}/{TAKT_GROUP}"
        files = {"cpuset.cpus": format_cpus(profile.cpus), "cpuset.cpus.partition": "root"}
        plan.changes.append(Change(self.name, Group(takt_group, files, "cgroup.procs"), PRESENT))
        plan.changes += _members(self.name, system, hierarchy)
        return plan

    def _runtime(self, system: System, runtime: int, plan: Plan) -> None:
        place = hierarchy_of(system, "cpu")
        if place is None or place.version == 2:
            plan.lacking.append(f"{self.name}: control groups of version 2 have no real-time runtime of their own")
        elif not system.exists(f"{place.mount}/cpu.rt_runtime_us"):
            plan.lacking.append(f"{self.name}: this kernel has no real-time runtime per group; none is needed")
        else:
            files = {"cpu.rt_period_us": str(_SECOND_US), "cpu.rt_runtime_us": str(runtime)}
            plan.changes.append(Change(self.name, Group(f"{place.mount}/{TAKT_GROUP}", files), PRESENT))
            plan.changes += _members(self.name, system, place)


class Limits:
    """Limits the CPU time of everything else. Only ordinary threads: real-time ones are throttled already."""

    name = "CPU limit"

    def plan(self, system: System, profile: Profile) -> Plan:
        if profile.cpu_share is None:
            return Plan()
        quota = round(profile.cpu_share * len(system.cpus()) * _PERIOD_US)
        place = hierarchy_of(system, "cpu")
        if place is None:
            return Plan(lacking=[f"{self.name}: no cpu controller is mounted"])
        if place.version == 1:
            if not system.exists(f"{place.mount}/cpu.cfs_quota_us") and not system.entries(place.mount):
                return Plan(lacking=[f"{self.name}: this kernel has no bandwidth control"])
            files = {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(quota)}
            others_group = f"{place.mount}/{OTHERS_GROUP}"
            return Plan(
                [
                    Change(self.name, Group(others_group, files), PRESENT),
                    Change(self.name, Population(others_group, ordinary=True), TAKEN, tentative=True),
                ]
            )
        plan = _controlled(self.name, system, place, "cpu")
        groups = _groups(system, place)
        for name in groups:
            # Version 2 has no single group around all others, so each one is limited by itself.
            setting = FileValue(f"{place.mount}/{name}/cpu.max", f"CPU limit of {name}")
            plan.changes.append(Change(self.name, setting, f"{quota} {_PERIOD_US}", tentative=True))
        if not groups:
            plan.lacking.append(f"{self.name}: everything is in the root group, which cannot be limited")
        return plan


def _controlled(knob: str, system: System, hierarchy: Hierarchy, controller: str) -> Plan:
    """Return the plan that enables a controller for the groups below the root, if it is not enabled yet."""
    control = f"{hierarchy.mount}/cgroup.subtree_control"
    if controller in system.words(control):
        return Plan()
    return Plan([Change(knob, Controllers(control, controller), "on")])


class Controllers(FileValue):
    """The setting that says whether a controller is enabled for child groups. The file is written with a sign and read
    as a list."""

    kind = "controller"

    @property
    def label(self) -> str:
        return f"controller {self.name}"

    def read(self, system: System) -> str | None:
        current = system.text(self.path)
        return None if current is None else ("on" if self.name in current.split() else "off")

    def write(self, system: System, value: str) -> None:
        system.write(self.path, f"{'+' if value == 'on' else '-'}{self.name}")

    def commands(self, value: str) -> list[str]:
        return [f"echo {'+' if value == 'on' else '-'}{self.name} > /{self.path}"]


def _groups(system: System, hierarchy: Hierarchy) -> list[str]:
    """Return the groups directly below the root that are not takt's."""
    return [
        name
        for name in system.entries(hierarchy.mount)
        if name not in {TAKT_GROUP, OTHERS_GROUP} and system.exists(f"{hierarchy.mount}/{name}/cgroup.procs")
    ]


def _members(knob: str, system: System, hierarchy: Hierarchy) -> list[Change]:
    """Return the changes that move takt's processes into its group, thread by thread where the version allows it."""
    member_ids = []
    for pid in takt_processes(system):
        for task in system.tasks(pid):
            if hierarchy.version == 1 or task.tid == pid:
                member = Member(task.tid, task.started, task.name, hierarchy.mount, hierarchy.controller)
                member_ids.append(Change(knob, member, f"/{TAKT_GROUP}", tentative=True))
    return member_ids
