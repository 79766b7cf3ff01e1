# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs of the CPUs: frequency governor, idle states, interrupt affinity, and throttling of real-time threads."""

from __future__ import annotations

from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.system import System
from takt_cli.tuning.knob import Change, Plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import CpuMask, FileValue

_CPU = "sys/devices/system/cpu"
_RUNTIME = "proc/sys/kernel/sched_rt_runtime_us"


class Governor:
    """Sets the governor, which chooses the clock rate, of all CPUs."""

    name = "governor"

    def plan(self, system: System, profile: Profile) -> Plan:
        wanted_governor, plan = profile.governor, Plan()
        if wanted_governor is None:
            return plan
        scaled = [cpu for cpu in system.cpus() if system.exists(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor")]
        for cpu in scaled:
            folder = f"{_CPU}/cpu{cpu}/cpufreq"
            available = (system.text(f"{folder}/scaling_available_governors") or wanted_governor).split()
            if wanted_governor in available:
                setting = FileValue(f"{folder}/scaling_governor", f"governor of CPU {cpu}")
                plan.changes.append(Change(self.name, setting, wanted_governor))
            else:
                plan.lacking.append(f"{self.name}: CPU {cpu} has no {wanted_governor}, only {', '.join(available)}")
        if not scaled:
            plan.lacking.append(f"{self.name}: no cpufreq here (in a virtual machine the host sets the clock rate)")
        return plan


class IdleStates:
    """Disables deep idle states of the CPUs of real-time work, so that they wake quickly without being kept busy."""

    name = "idle states"

    def plan(self, system: System, profile: Profile) -> Plan:
        plan, limit = Plan(), profile.idle_latency_us
        if limit is None:
            return plan
        has_idle_states = False
        for cpu in profile.cpus:
            folder = f"{_CPU}/cpu{cpu}/cpuidle"
            for state in system.numbered(folder, "state"):
                has_idle_states = True
                latency = system.integer(f"{folder}/state{state}/latency")
                if latency is not None and latency > limit:
                    state_name = system.text(f"{folder}/state{state}/name") or f"state {state}"
                    setting = FileValue(f"{folder}/state{state}/disable", f"{state_name} of CPU {cpu} switched off")
                    plan.changes.append(Change(self.name, setting, "1"))
        if not has_idle_states:
            plan.lacking.append(f"{self.name}: no cpuidle here; --awake of the lab's programs keeps a CPU awake")
        return plan


class Throttling:
    """Sets how much of each period real-time threads may run: system-wide, and for the root control group where groups
    have a real-time runtime of their own. The group's value must not exceed the system's."""

    name = "real-time throttling"

    def plan(self, system: System, profile: Profile) -> Plan:
        if profile.rt_runtime_us is None:
            return Plan()
        if system.text(_RUNTIME) is None:
            return Plan(lacking=[f"{self.name}: this kernel has no sched_rt_runtime_us"])
        settings = [FileValue(_RUNTIME, "sched_rt_runtime_us")]
        place = hierarchy_of(system, "cpu")
        group = f"{place.mount}/cpu.rt_runtime_us" if place is not None else ""
        if place is not None and place.version == 1 and system.exists(group):
            settings.append(FileValue(group, "cpu.rt_runtime_us of the root group"))
            if _is_less(profile.rt_runtime_us, system.integer(_RUNTIME)):
                settings.reverse()
        return Plan([Change(self.name, setting, str(profile.rt_runtime_us)) for setting in settings])


class InterruptPlacement:
    """Moves interrupts, and kernel work that is not bound to a CPU, away from the CPUs of real-time work."""

    name = "IRQ affinity"

    def plan(self, system: System, profile: Profile) -> Plan:
        plan = Plan()
        if not profile.interrupts_away:
            return plan
        others = other_cpus(system, profile)
        if not others:
            plan.lacking.append(f"{self.name}: no CPU but {format_cpus(profile.cpus)} is left for interrupts")
            return plan
        interrupts = device_interrupts(system)
        for number in system.numbered("proc/irq", ""):
            path = f"proc/irq/{number}/smp_affinity_list"
            current_cpus = system.cpu_list(path)
            if current_cpus and not set(current_cpus).isdisjoint(profile.cpus) and number in interrupts:
                label = f"CPUs of IRQ {number} ({interrupts[number].handler})"
                remaining_cpus = sorted(set(current_cpus) - set(profile.cpus)) or others
                # The kernel refuses to move some, such as the timer's and those of per-CPU queues.
                plan.changes.append(
                    Change(self.name, FileValue(path, label), format_cpus(remaining_cpus), tentative=True)
                )
        for path, label in (
            ("proc/irq/default_smp_affinity", "CPUs of new IRQs"),
            ("sys/devices/virtual/workqueue/cpumask", "CPUs of unbound kernel work"),
        ):
            if system.text(path) is not None:
                change = Change(self.name, CpuMask(path, label), format_cpus(others), tentative=True)
                plan.changes.append(change)
        return plan


def _is_less(runtime: int, current: int | None) -> bool:
    """Return whether `runtime` is less than the value now; negative values are unlimited."""
    return runtime >= 0 and (current is None or current < 0 or runtime < current)


def other_cpus(system: System, profile: Profile) -> list[int]:
    """Return the CPUs that are left for everything else."""
    return [cpu for cpu in system.cpus() if cpu not in profile.cpus]
