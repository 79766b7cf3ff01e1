# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the CPUs that real-time work will run on: clock rate, idle states, and what else runs there."""

from __future__ import annotations

import os
from collections.abc import Sequence

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.hierarchy import TAKT_GROUP
from takt_cli.host.realtime import realtime_threads
from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes
from takt_cli.host.task import Task

_CPU = "sys/devices/system/cpu"
# The longest exit latency of an idle state that a 1 kHz loop does not notice, in us.
_SHALLOW = 20
# The highest real-time priority of takt's threads; the kernel's interrupt threads are at 50.
_TAKTS_HIGHEST = 49
# An interrupt that occurred at least this often since boot is reported as frequent; at most so many are named.
_FREQUENT_INTERRUPT, _MAX_NAMED = 1000, 3


def governor(host: ExaminedHost) -> Finding:
    """Check whether the CPUs run at a constant clock rate."""
    governors = {cpu: host.system.text(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor") for cpu in host.cpus}
    names = {name for name in governors.values() if name is not None}
    if not names:
        return Finding(
            "governor", Severity.fit, "none: the clock rate is fixed, or set by the host of this virtual machine"
        )
    if names == {"performance"}:
        return Finding("governor", Severity.fit, "performance")
    cost = "after a pause work takes several times as long, until the clock rate has risen"
    description = ", ".join(sorted(names))
    return Finding("governor", Severity.warning, description, cost, "takt tune apply  # governor performance")


def idle_states(host: ExaminedHost) -> Finding:
    """Check how long the CPUs take to leave their deepest enabled idle state."""
    deepest: tuple[int, str] = (0, "")
    has_idle_states = False
    for cpu in host.cpus:
        folder = f"{_CPU}/cpu{cpu}/cpuidle"
        for state in host.system.numbered(folder, "state"):
            has_idle_states = True
            latency = host.system.integer(f"{folder}/state{state}/latency") or 0
            if host.system.text(f"{folder}/state{state}/disable") != "1":
                deepest = max(deepest, (latency, host.system.text(f"{folder}/state{state}/name") or str(state)))
    if not has_idle_states:
        return Finding(
            "idle states",
            Severity.note,
            "unknown",
            "an idle CPU may take long to wake",
            "use --awake of the lab's programs",
        )
    if deepest[0] <= _SHALLOW:
        return Finding("idle states", Severity.fit, f"none takes more than {deepest[0]} us to leave")
    cost = f"a wake-up after a pause comes {deepest[0]} us later"
    return Finding("idle states", Severity.warning, f"{deepest[1]} takes {deepest[0]} us", cost, "takt tune apply")


def isolation(host: ExaminedHost) -> Finding:
    """Check whether these CPUs are isolated, by the kernel's command line or by control groups."""
    system, own_cpus, signs = host.system, set(host.cpus), []
    for sign, file in (
        ("isolcpus=", f"{_CPU}/isolated"),
        ("nohz_full=", f"{_CPU}/nohz_full"),
        ("cpuset of takt: ", f"sys/fs/cgroup/cpuset/{TAKT_GROUP}/cpuset.cpus"),
        ("cpuset of takt: ", f"sys/fs/cgroup/{TAKT_GROUP}/cpuset.cpus"),
    ):
        if own_cpus <= set(system.cpu_list(file)):
            signs.append(f"{sign}{system.text(file)}")
    cpus = format_cpus(host.cpus)
    if signs:
        return Finding("isolation", Severity.fit, ", ".join(signs))
    cost = "other programs and the kernel's own work run there, too: cold caches cost tens of us"
    if set(system.cpus()) <= own_cpus:
        return Finding(
            "isolation", Severity.note, f"this host has no CPU but {cpus}", cost, "use a host with more CPUs"
        )
    mend = f"takt tune apply --profile isolate --cpu {cpus}  # or boot with isolcpus={cpus} nohz_full={cpus}"
    return Finding("isolation", Severity.note, f"CPU {cpus} is shared with everything else", cost, mend)


def rivals(host: ExaminedHost) -> Finding:
    """Check for real-time threads of user space that may run on these CPUs. One process of takt is the application
    itself; several are each other's rivals."""
    system = host.system
    takt_pids = set(takt_processes(system))
    rival_tasks: list[Task] = []
    sharing_pids: set[int] = set()
    for task in realtime_threads(host.cpus, system):
        if task.pid == os.getpid():
            continue
        if task.pid in takt_pids:
            sharing_pids.add(task.pid)
        else:
            rival_tasks.append(task)
    subject = "rival real-time threads"
    if not rival_tasks:
        return _rivals_within_takt(subject, system, sorted(sharing_pids), host.cpus)
    rival_tasks.sort(key=lambda task: (task.policy != "DEADLINE", -task.priority, task.tid))
    description = ", ".join(
        f"{task.name} ({task.pid}) {task.policy} {task.priority}" for task in rival_tasks[:_MAX_NAMED]
    )
    remainder_text = f" and {len(rival_tasks) - _MAX_NAMED} more" if len(rival_tasks) > _MAX_NAMED else ""
    tasks_above = [task for task in rival_tasks if task.policy == "DEADLINE" or task.priority >= _TAKTS_HIGHEST]
    cpus = format_cpus([cpu for cpu in system.cpus() if cpu not in host.cpus] or host.cpus)
    cost = "they preempt all of takt's threads" if tasks_above else "they preempt takt's threads of lower priority"
    mend = f"taskset --all-tasks --cpu-list --pid {cpus} {(tasks_above or rival_tasks)[0].pid}"
    return Finding(
        subject, Severity.warning if tasks_above else Severity.note, description + remainder_text, cost, mend
    )


def _rivals_within_takt(subject: str, system: System, pids: Sequence[int], cpus: Sequence[int]) -> Finding:
    names = [f"{(system.text(f'proc/{pid}/comm') or '?').strip()} ({pid})" for pid in pids]
    if not names:
        return Finding(subject, Severity.fit, "none")
    if len(names) == 1:
        return Finding(subject, Severity.fit, f"none but those of {names[0]}, which uses takt")
    cost = "none of them knows the others' tasks: their threads preempt each other by their priorities alone"
    description = f"{len(names)} processes that use takt: {', '.join(names[:_MAX_NAMED])}"
    mend = f"other CPUs than {format_cpus(cpus)} for all but one of them, or all nodes in one process"
    return Finding(subject, Severity.note, description, cost, mend)


def interrupts(host: ExaminedHost) -> Finding:
    """Check for device interrupts that are frequent on these CPUs."""
    system, own_cpus = host.system, set(host.cpus)
    busy: list[tuple[int, str]] = []
    for number, interrupt in device_interrupts(system).items():
        # Those now routed elsewhere are left out.
        allowed = system.cpu_list(f"proc/irq/{number}/smp_affinity_list")
        n = sum(interrupt.counts.get(cpu, 0) for cpu in own_cpus)
        if n >= _FREQUENT_INTERRUPT and (not allowed or not own_cpus.isdisjoint(allowed)):
            busy.append((n, f"IRQ {number} ({interrupt.handler}) {n} times"))
    busy.sort(key=lambda pair: -pair[0])
    cpus = format_cpus(host.cpus)
    if not busy:
        return Finding("IRQ placement", Severity.fit, f"no frequent device interrupts on CPU {cpus}")
    description = ", ".join(words for _, words in busy[:_MAX_NAMED])
    remainder_text = f" and {len(busy) - _MAX_NAMED} more" if len(busy) > _MAX_NAMED else ""
    mend = f"takt tune apply --profile isolate --cpu {cpus}"
    if set(system.cpus()) <= own_cpus:
        mend = "use a host with more CPUs"
    cost = "each takes some us from the running thread, at unpredictable instants"
    return Finding("IRQ placement", Severity.note, description + remainder_text, cost, mend)


def siblings(host: ExaminedHost) -> Finding:
    """Check whether other programs may run on the sibling hardware thread of one of these CPUs."""
    shared = {}
    for cpu in host.cpus:
        others = sorted({*host.system.cpu_list(f"{_CPU}/cpu{cpu}/topology/thread_siblings_list")} - {*host.cpus})
        if others:
            shared[cpu] = others
    if not shared:
        return Finding("hyper-threading", Severity.fit, "no CPU here shares its core with others")
    description = ", ".join(f"CPU {cpu} shares its core with {format_cpus(others)}" for cpu, others in shared.items())
    cost = "work takes up to twice as long while the sibling CPU is busy"
    return Finding("hyper-threading", Severity.note, description, cost, f"echo off > /{_CPU}/smt/control")
