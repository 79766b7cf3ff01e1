# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the CPUs that real-time work will run on: clock rate, idle states, and what else runs there."""

from __future__ import annotations

import os
from collections.abc import Sequence

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.hierarchy import TAKT_GROUP
from takt_cli.host.idle_state import idle_states as states_of
from takt_cli.host.realtime import realtime_threads
from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes

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
        return finding("governor", "none")
    if names == {"performance"}:
        return finding("governor", "performance")
    return finding("governor", "others", found=", ".join(sorted(names)))


def idle_states(host: ExaminedHost) -> Finding:
    """Check how long the CPUs take to leave their deepest enabled idle state."""
    states = [state for cpu in host.cpus for state in states_of(host.system, cpu)]
    if not states:
        return finding("idle states", "unknown")
    enabled = [state for state in states if host.system.text(f"{state.folder}/disable") != "1"]
    latency, name = max(((state.latency_us or 0, state.name) for state in enabled), default=(0, ""))
    if latency <= _SHALLOW:
        return finding("idle states", "shallow", latency=latency)
    return finding("idle states", "deep", latency=latency, name=name)


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
        return finding("isolation", "isolated", found=", ".join(signs))
    return finding("isolation", "no other CPU" if set(system.cpus()) <= own_cpus else "shared", cpus=cpus)


def rivals(host: ExaminedHost) -> Finding:
    """Check for real-time threads of user space that may run on these CPUs. One process of takt is the application
    itself; several are each other's rivals."""
    system = host.system
    takt_pids = set(takt_processes(system))
    tasks = [task for task in realtime_threads(host.cpus, system) if task.pid != os.getpid()]
    rival_tasks = [task for task in tasks if task.pid not in takt_pids]
    if not rival_tasks:
        return _rivals_within_takt(system, sorted({task.pid for task in tasks}), host.cpus)
    rival_tasks.sort(key=lambda task: (task.policy != "DEADLINE", -task.priority, task.tid))
    found = _first([f"{task.name} ({task.pid}) {task.policy} {task.priority}" for task in rival_tasks])
    tasks_above = [task for task in rival_tasks if task.policy == "DEADLINE" or task.priority >= _TAKTS_HIGHEST]
    others = format_cpus([cpu for cpu in system.cpus() if cpu not in host.cpus] or host.cpus)
    case, pid = "above all" if tasks_above else "above some", (tasks_above or rival_tasks)[0].pid
    return finding("rival real-time threads", case, found=found, others=others, pid=pid)


def _rivals_within_takt(system: System, pids: Sequence[int], cpus: Sequence[int]) -> Finding:
    names = [f"{(system.text(f'proc/{pid}/comm') or '?').strip()} ({pid})" for pid in pids]
    if not names:
        return finding("rival real-time threads", "none")
    if len(names) == 1:
        return finding("rival real-time threads", "one of takt", found=names[0])
    found = ", ".join(names[:_MAX_NAMED])
    return finding("rival real-time threads", "several of takt", count=len(names), found=found, cpus=format_cpus(cpus))


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
        return finding("IRQ placement", "none", cpus=cpus)
    case = "no other CPU" if set(system.cpus()) <= own_cpus else "here"
    return finding("IRQ placement", case, found=_first([words for _, words in busy]), cpus=cpus)


def _first(texts: list[str]) -> str:
    """Return the first few texts, and how many more there are."""
    more = f" and {len(texts) - _MAX_NAMED} more" if len(texts) > _MAX_NAMED else ""
    return ", ".join(texts[:_MAX_NAMED]) + more


def siblings(host: ExaminedHost) -> Finding:
    """Check whether other programs may run on the sibling hardware thread of one of these CPUs."""
    shared = {}
    for cpu in host.cpus:
        others = sorted({*host.system.cpu_list(f"{_CPU}/cpu{cpu}/topology/thread_siblings_list")} - {*host.cpus})
        if others:
            shared[cpu] = others
    if not shared:
        return finding("hyper-threading", "none")
    found = ", ".join(f"CPU {cpu} shares its core with {format_cpus(others)}" for cpu, others in shared.items())
    return finding("hyper-threading", "shared", found=found)
