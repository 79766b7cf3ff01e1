# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs of the CPUs: clock rate, sleep, interrupts, and how long real-time threads may run."""

from __future__ import annotations

from takt_cli.tuning.hierarchy import hierarchy_of
from takt_cli.tuning.interfaces import interrupt_names
from takt_cli.tuning.knob import Change, Plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import CpuMask, FileValue
from takt_cli.tuning.system import System, format_cpus, parse_cpus

_CPU = "sys/devices/system/cpu"
_RUNTIME = "proc/sys/kernel/sched_rt_runtime_us"


class Governor:
    """Who chooses the clock rate."""

    name = "governor"

    def plan(self, system: System, profile: Profile) -> Plan:
        wanted, plan = profile.governor, Plan()
        if wanted is None:
            return plan
        scaled = [cpu for cpu in system.cpus() if system.exists(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor")]
        for cpu in scaled:
            folder = f"{_CPU}/cpu{cpu}/cpufreq"
            known = (system.text(f"{folder}/scaling_available_governors") or wanted).split()
            if wanted in known:
                setting = FileValue(f"{folder}/scaling_governor", f"governor of CPU {cpu}")
                plan.changes.append(Change(self.name, setting, wanted))
            else:
                plan.lacking.append(f"{self.name}: CPU {cpu} has no {wanted}, only {', '.join(known)}")
        if not scaled:
            plan.lacking.append(f"{self.name}: no cpufreq here (in a virtual machine the host keeps the clock rate)")
        return plan


class IdleStates:
    """Deep idle states of the CPUs of real-time work are switched off, so nobody need stay running for it."""

    name = "idle states"

    def plan(self, system: System, profile: Profile) -> Plan:
        plan, limit = Plan(), profile.idle_latency_us
        if limit is None:
            return plan
        seen = False
        for cpu in profile.cpus:
            folder = f"{_CPU}/cpu{cpu}/cpuidle"
            for state in system.numbered(folder, "state"):
                seen = True
                latency = system.integer(f"{folder}/state{state}/latency")
                if latency is not None and latency > limit:
                    called = system.text(f"{folder}/state{state}/name") or f"state {state}"
                    setting = FileValue(f"{folder}/state{state}/disable", f"{called} of CPU {cpu} switched off")
                    plan.changes.append(Change(self.name, setting, "1"))
        if not seen:
            plan.lacking.append(f"{self.name}: no cpuidle here; --awake of the lab's programs keeps a CPU awake")
        return plan


class Throttling:
    """How much of each period real-time threads get: all of them, and where groups have a share of their own
    those of the root group, which may not have more."""

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
            if _less(profile.rt_runtime_us, system.integer(_RUNTIME)):
                settings.reverse()
        return Plan([Change(self.name, setting, str(profile.rt_runtime_us)) for setting in settings])


class InterruptPlacement:
    """Interrupts, and the kernel's work that is bound to no CPU, are kept off the CPUs of real-time work."""

    name = "IRQ affinity"

    def plan(self, system: System, profile: Profile) -> Plan:
        plan = Plan()
        if not profile.interrupts_away:
            return plan
        others = others_than(system, profile)
        if not others:
            plan.lacking.append(f"{self.name}: there is no CPU but {format_cpus(profile.cpus)} to put interrupts on")
            return plan
        names = interrupt_names(system)
        for number in system.numbered("proc/irq", ""):
            path = f"proc/irq/{number}/smp_affinity_list"
            there = parse_cpus(system.text(path) or "")
            if there and not set(there).isdisjoint(profile.cpus) and number in names:
                called = f"CPUs of IRQ {number} ({names[number].split(' ')[-1]})"
                rest = sorted(set(there) - set(profile.cpus)) or others
                # Some cannot be moved: those of a queue that belongs to a CPU, the timer.
                plan.changes.append(Change(self.name, FileValue(path, called), format_cpus(rest), tentative=True))
        for path, called in (
            ("proc/irq/default_smp_affinity", "CPUs of new IRQs"),
            ("sys/devices/virtual/workqueue/cpumask", "CPUs of unbound kernel work"),
        ):
            if system.text(path) is not None:
                change = Change(self.name, CpuMask(path, called), format_cpus(others), tentative=True)
                plan.changes.append(change)
        return plan


def _less(runtime: int, now: int | None) -> bool:
    """Whether it is less than now; -1 is without bound."""
    return runtime >= 0 and (now is None or now < 0 or runtime < now)


def others_than(system: System, profile: Profile) -> list[int]:
    """The CPUs that are left to everything else."""
    return [cpu for cpu in system.cpus() if cpu not in profile.cpus]
