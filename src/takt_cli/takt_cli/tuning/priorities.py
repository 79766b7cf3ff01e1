# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs of thread priorities: the kernel's threads for network packets, and threads of takt and its middleware."""

from __future__ import annotations

import re

from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes
from takt_cli.host.task import Task
from takt_cli.tuning.interfaces import interfaces, interrupts_of
from takt_cli.tuning.knob import Change, Steps
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.thread_priority import ThreadPriority, fifo

_EXECUTOR = re.compile(r"takt\.(timer|handler|clock|w\d+)")
_RECEIVER = re.compile(r"dds\.(?:udp|tcp|shm)\.(\d+)")
# Names of the threads that carry data in Fast DDS and Cyclone DDS.
_CARRIER = re.compile(r"dds\.ev\..*|recv|recvUC|recvMC|tev|dq\.user|xmit\.user")
_DISCOVERY = re.compile(r"dq\.builtins")
# The port numbering of RTPS: the first port, the ports per domain, and the offset of the first unicast port.
_FIRST_PORT, _PER_DOMAIN, _UNICAST = 7400, 250, 10


def network_interrupts(system: System, profile: Profile) -> Steps:
    """Set the priority of the threads that handle network interrupts, if the kernel handles interrupts in threads."""
    priority = profile.priorities.get("network_irqs")
    if priority is None:
        return
    threads = {
        int(match[1]): task
        for task in system.tasks_of_kernel()
        if (match := re.match(r"irq/(\d+)-", task.name)) and not task.name.startswith(f"irq/{match[1]}-s-")
    }
    names = interfaces(system, profile)
    for interface in names:
        numbers = interrupts_of(system, interface)
        found_threads = [threads[number] for number in numbers if number in threads]
        for task in found_threads:
            yield _change(system, task, priority)
        if not numbers:
            yield f"{interface} has no interrupt (a virtual interface has none)"
        elif not found_threads:
            yield (
                f"the interrupts of {interface} are not handled in threads; "
                "start the kernel with threadirqs, or use PREEMPT_RT"
            )
    if not names:
        yield "no interface here is a hardware device, so none has an interrupt"


def soft_interrupts(system: System, profile: Profile) -> Steps:
    """Set the priority of each CPU's ksoftirqd, which processes packets when there are many."""
    priority = profile.priorities.get("ksoftirqd")
    if priority is None:
        return
    threads = [task for task in system.tasks_of_kernel() if task.name.startswith("ksoftirqd/")]
    for task in threads:
        yield _change(system, task, priority)
    if not threads:
        yield "no such thread is visible (a container does not see kernel threads)"


def runtime_threads(system: System, profile: Profile) -> Steps:
    """Set the priorities of running takt processes' threads. Threads that start later set their own."""
    if not profile.priorities.keys() & {"executors", "middleware", "discovery"}:
        return
    running = takt_processes(system)
    for pid in running:
        for task, priority in _process(system.tasks(pid), profile.priorities):
            yield _change(system, task, priority, tentative=True)
    if not running:
        yield "no takt process is running; apply again when one is"


def _change(system: System, task: Task, priority: int, tentative: bool = False) -> Change:
    return Change(ThreadPriority.of(task), fifo(system, task, priority), tentative)


def _process(tasks: list[Task], priorities: dict[str, int]) -> list[tuple[Task, int]]:
    """Return the new priority of each thread to change. Workers keep their order, which is the schedule."""
    threads: list[tuple[Task, int]] = []
    executors = [task for task in tasks if _EXECUTOR.fullmatch(task.name)]
    if "executors" in priorities and executors:
        # Spare workers have ordinary priority as long as the executor's other threads are real-time ones.
        top = max(task.priority for task in executors)
        urgent = [task for task in executors if task.realtime] or executors
        threads += [
            (task, max(1, priorities["executors"] - (top - task.priority)))
            for task in urgent
            if task.policy != "DEADLINE"
        ]
    for task in tasks:
        role = middleware_role(task.name)
        if role in priorities and task.policy != "DEADLINE":
            threads.append((task, priorities[role]))
    return threads


def middleware_role(name: str) -> str:
    """Return the role of a middleware thread by its name: `middleware` for data, `discovery`, or an empty string."""
    receiver = _RECEIVER.fullmatch(name)
    if receiver:
        offset = (int(receiver[1]) - _FIRST_PORT) % _PER_DOMAIN if int(receiver[1]) >= _FIRST_PORT else 1
        return "discovery" if offset == 0 or (offset >= _UNICAST and offset % 2 == 0) else "middleware"
    if _DISCOVERY.fullmatch(name):
        return "discovery"
    return "middleware" if _CARRIER.fullmatch(name) else ""
