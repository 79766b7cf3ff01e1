# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Other people's real-time threads on our CPUs: the stall probe runs above them and does not see them."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Fields of /proc/PID/task/TID/stat after the name, which may hold blanks (see proc(5)).
_FLAGS, _PRIORITY, _POLICY = 6, 37, 38
_KERNEL_THREAD = 0x00200000
_REALTIME = {1: "FIFO", 2: "RR", 6: "DEADLINE"}


@dataclass(frozen=True)
class Thread:
    """A real-time thread of user space that may run on one of the CPUs, with its CPU time so far."""

    pid: int
    tid: int
    name: str
    policy: str
    priority: int
    cpu: int


def realtime_threads(cpus: Collection[int]) -> dict[int, Thread]:
    """Those that exist now, by thread id; the kernel's own are left out."""
    found = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            for task in _tasks(process):
                thread = _look(int(process.name), task, cpus)
                if thread is not None:
                    found[thread.tid] = thread
    return found


def intruders(before: dict[int, Thread], after: dict[int, Thread]) -> list[dict[str, Any]]:
    """Who used CPU time between two looks, most first; not those that came and went in between."""
    used = [(thread.cpu - (before[tid].cpu if tid in before else 0), thread) for tid, thread in after.items()]
    return [
        {"pid": t.pid, "name": t.name, "policy": t.policy, "priority": t.priority, "cpu_ms": ns / 1e6}
        for ns, t in sorted(used, key=lambda pair: -pair[0])
        if ns > 0
    ]


def _tasks(process: Path) -> list[Path]:
    try:
        return list((process / "task").iterdir())
    except OSError:
        return []


def _look(pid: int, task: Path, cpus: Collection[int]) -> Thread | None:
    try:
        text = (task / "stat").read_text("utf-8", "replace")
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        policy = _REALTIME.get(int(fields[_POLICY]))
        if policy is None or int(fields[_FLAGS]) & _KERNEL_THREAD:
            return None
        if os.sched_getaffinity(int(task.name)).isdisjoint(cpus):
            return None
        spent = int((task / "schedstat").read_text("utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return None  # it has ended meanwhile
    return Thread(pid, int(task.name), name, policy, int(fields[_PRIORITY]), spent)
