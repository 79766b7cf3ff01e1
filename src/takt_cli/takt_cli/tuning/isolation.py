# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs that use control groups: CPUs for takt alone, its real-time runtime, and limits for everything else."""

from __future__ import annotations

from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.hierarchy import OTHERS_GROUP, TAKT_GROUP, Hierarchy, hierarchy_of
from takt_cli.host.system import System
from takt_cli.tuning.control_group import PRESENT, TAKEN, Controllers, Group, Population, members
from takt_cli.tuning.cpu_knobs import other_cpus
from takt_cli.tuning.knob import Change, Steps
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import FileValue

_PERIOD_US, _SECOND_US = 100_000, 1_000_000


def isolation(system: System, profile: Profile) -> Steps:
    """Confine everything else to the other CPUs, and takt's processes to the CPUs of real-time work."""
    if profile.isolation is None:
        return
    others = other_cpus(system, profile)
    if not others:
        yield f"no CPU but {format_cpus(profile.cpus)} is left for everything else"
        return
    place = hierarchy_of(system, "cpuset")
    if place is None:
        yield "no cpuset controller is mounted"
    elif place.version == 1:
        yield from _isolation_in_first_version(system, place, profile, others)
    else:
        yield from _isolation_in_second_version(system, place, profile, others)
    runtime = profile.isolation.get("rt_runtime_us")
    if runtime is not None:
        yield from _runtime(system, runtime)


def _isolation_in_first_version(system: System, hierarchy: Hierarchy, profile: Profile, others: list[int]) -> Steps:
    memory = system.text(f"{hierarchy.mount}/cpuset.mems") or "0"
    takt_group, others_group = f"{hierarchy.mount}/{TAKT_GROUP}", f"{hierarchy.mount}/{OTHERS_GROUP}"
    for path, cpus in ((takt_group, profile.cpus), (others_group, others)):
        yield Change(Group(path, {"cpuset.cpus": format_cpus(cpus), "cpuset.mems": memory}), PRESENT)
    yield from taking_in(system, hierarchy)
    yield Change(Population(others_group, ordinary=False), TAKEN, tentative=True)
    for name in _groups(system, hierarchy):
        yield f"/{hierarchy.mount}/{name} is managed by others; its members keep their CPUs"


def _isolation_in_second_version(system: System, hierarchy: Hierarchy, profile: Profile, others: list[int]) -> Steps:
    yield from _controlled(system, hierarchy, "cpuset")
    for name in _groups(system, hierarchy):
        setting = FileValue(f"{hierarchy.mount}/{name}/cpuset.cpus", f"CPUs of {name}")
        yield Change(setting, format_cpus(others), tentative=True)
    files = {"cpuset.cpus": format_cpus(profile.cpus), "cpuset.cpus.partition": "root"}
    yield Change(Group(f"{hierarchy.mount}/{TAKT_GROUP}", files, "cgroup.procs"), PRESENT)
    yield from taking_in(system, hierarchy)


def _runtime(system: System, runtime: int) -> Steps:
    place = hierarchy_of(system, "cpu")
    if place is None or place.version == 2:
        yield "control groups of version 2 have no real-time runtime of their own"
    elif not system.exists(f"{place.mount}/cpu.rt_runtime_us"):
        yield "this kernel has no real-time runtime per group; none is needed"
    else:
        files = {"cpu.rt_period_us": str(_SECOND_US), "cpu.rt_runtime_us": str(runtime)}
        yield Change(Group(f"{place.mount}/{TAKT_GROUP}", files), PRESENT)
        yield from taking_in(system, place)


def cpu_limit(system: System, profile: Profile) -> Steps:
    """Limit the CPU time of everything else. Only ordinary threads: real-time ones are throttled already."""
    if profile.cpu_share is None:
        return
    quota = round(profile.cpu_share * len(system.cpus()) * _PERIOD_US)
    place = hierarchy_of(system, "cpu")
    if place is None:
        yield "no cpu controller is mounted"
    elif place.version == 2:
        yield from _controlled(system, place, "cpu")
        groups = _groups(system, place)
        for name in groups:
            # Version 2 has no single group around all others, so each one is limited by itself.
            setting = FileValue(f"{place.mount}/{name}/cpu.max", f"CPU limit of {name}")
            yield Change(setting, f"{quota} {_PERIOD_US}", tentative=True)
        if not groups:
            yield "everything is in the root group, which cannot be limited"
    elif not system.exists(f"{place.mount}/cpu.cfs_quota_us") and not system.entries(place.mount):
        yield "this kernel has no bandwidth control"
    else:
        files = {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(quota)}
        others_group = f"{place.mount}/{OTHERS_GROUP}"
        yield Change(Group(others_group, files), PRESENT)
        yield Change(Population(others_group, ordinary=True), TAKEN, tentative=True)


def taking_in(system: System, hierarchy: Hierarchy) -> Steps:
    """Move takt's processes into its group."""
    for member in members(system, hierarchy):
        yield Change(member, f"/{TAKT_GROUP}", tentative=True)


def _controlled(system: System, hierarchy: Hierarchy, controller: str) -> Steps:
    """Enable a controller for the groups below the root, if it is not enabled yet."""
    control = f"{hierarchy.mount}/cgroup.subtree_control"
    if controller not in system.words(control):
        yield Change(Controllers(control, controller), "on")


def _groups(system: System, hierarchy: Hierarchy) -> list[str]:
    """Return the groups directly below the root that are not takt's."""
    return [
        name
        for name in system.entries(hierarchy.mount)
        if name not in {TAKT_GROUP, OTHERS_GROUP} and system.exists(f"{hierarchy.mount}/{name}/cgroup.procs")
    ]
