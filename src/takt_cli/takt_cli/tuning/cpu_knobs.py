# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs of the CPUs: frequency governor, idle states, interrupt affinity, and throttling of real-time threads."""

from __future__ import annotations

from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.fair_server import fair_servers
from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.idle_state import idle_states as states_of
from takt_cli.host.system import System
from takt_cli.tuning.fair_server import DEFAULT, FairServerRuntime
from takt_cli.tuning.knob import Change, Steps
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import CpuMask, FileValue

_CPU = "sys/devices/system/cpu"
_RUNTIME = "proc/sys/kernel/sched_rt_runtime_us"


def governor(system: System, profile: Profile) -> Steps:
    """Set the governor, which chooses the clock rate, of all CPUs."""
    if profile.governor is None:
        return
    scaled = [cpu for cpu in system.cpus() if system.exists(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor")]
    for cpu in scaled:
        folder = f"{_CPU}/cpu{cpu}/cpufreq"
        available = (system.text(f"{folder}/scaling_available_governors") or profile.governor).split()
        if profile.governor in available:
            yield Change(FileValue(f"{folder}/scaling_governor", f"governor of CPU {cpu}"), profile.governor)
        else:
            yield f"CPU {cpu} has no {profile.governor}, only {', '.join(available)}"
    if not scaled:
        yield "no cpufreq here (in a virtual machine the host sets the clock rate)"


def idle_states(system: System, profile: Profile) -> Steps:
    """Disable deep idle states of the CPUs of real-time work, so that they wake quickly without being kept busy."""
    limit = profile.idle_latency_us
    if limit is None:
        return
    has_idle_states = False
    for cpu in profile.cpus:
        for state in states_of(system, cpu):
            has_idle_states = True
            if state.latency_us is not None and state.latency_us > limit:
                yield Change(FileValue(f"{state.folder}/disable", f"{state.name} of CPU {cpu} switched off"), "1")
    if not has_idle_states:
        yield "no cpuidle here; --awake of the lab's programs keeps a CPU awake"


def throttling(system: System, profile: Profile) -> Steps:
    """Set how much of each period real-time threads may run: system-wide, and for the root control group where groups
    have a real-time runtime of their own. The group's value must not exceed the system's."""
    if profile.rt_runtime_us is None:
        return
    if system.text(_RUNTIME) is None:
        yield "this kernel has no sched_rt_runtime_us"
        return
    settings = [FileValue(_RUNTIME, "sched_rt_runtime_us")]
    place = hierarchy_of(system, "cpu")
    group = f"{place.mount}/cpu.rt_runtime_us" if place is not None else ""
    if place is not None and place.version == 1 and system.exists(group):
        settings.append(FileValue(group, "cpu.rt_runtime_us of the root group"))
        if _is_less(profile.rt_runtime_us, system.integer(_RUNTIME)):
            settings.reverse()
    for setting in settings:
        yield Change(setting, str(profile.rt_runtime_us))


def fair_server(system: System, profile: Profile) -> Steps:
    """Switch the fair server off on the CPUs of real-time work, if the profile sets real-time threads no limit."""
    if profile.rt_runtime_us is None or profile.rt_runtime_us >= 0:
        return
    servers = fair_servers(system, profile.cpus)
    if servers.hidden:
        consequence = f"ordinary threads keep a share of each CPU ({DEFAULT})"
        yield f"{consequence}, as {servers.hidden}; {servers.remedy}, and apply again"
    elif servers.shares:
        cpus = sorted(servers.shares)
        yield Change(FairServerRuntime(format_cpus(cpus)), " ".join("0" for _ in cpus))


def interrupt_placement(system: System, profile: Profile) -> Steps:
    """Move interrupts, and kernel work that is not bound to a CPU, away from the CPUs of real-time work."""
    if not profile.interrupts_away:
        return
    others = other_cpus(system, profile)
    if not others:
        yield f"no CPU but {format_cpus(profile.cpus)} is left for interrupts"
        return
    interrupts = device_interrupts(system)
    for number in system.numbered("proc/irq", ""):
        path = f"proc/irq/{number}/smp_affinity_list"
        current_cpus = system.cpu_list(path)
        if current_cpus and not set(current_cpus).isdisjoint(profile.cpus) and number in interrupts:
            setting = FileValue(path, f"CPUs of IRQ {number} ({interrupts[number].handler})")
            remaining_cpus = sorted(set(current_cpus) - set(profile.cpus)) or others
            # The kernel refuses to move some, such as the timer's and those of per-CPU queues.
            yield Change(setting, format_cpus(remaining_cpus), tentative=True)
    for path, label in (
        ("proc/irq/default_smp_affinity", "CPUs of new IRQs"),
        ("sys/devices/virtual/workqueue/cpumask", "CPUs of unbound kernel work"),
    ):
        if system.text(path) is not None:
            yield Change(CpuMask(path, label), format_cpus(others), tentative=True)


def _is_less(runtime: int, current: int | None) -> bool:
    """Return whether `runtime` is less than the value now; negative values are unlimited."""
    return runtime >= 0 and (current is None or current < 0 or runtime < current)


def other_cpus(system: System, profile: Profile) -> list[int]:
    """Return the CPUs that are left for everything else."""
    return [cpu for cpu in system.cpus() if cpu not in profile.cpus]
