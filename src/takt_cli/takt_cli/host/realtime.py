# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Detects other programs' real-time threads on a run's CPUs, which the stall probe, running above them, cannot see."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Indices into the fields of /proc/PID/task/TID/stat behind the name, which may contain blanks (see proc(5)).
_FLAGS, _STARTED, _PRIORITY, _POLICY = 6, 19, 37, 38
_KERNEL_THREAD = 0x00200000
_REALTIME = {1: "FIFO", 2: "RR", 6: "DEADLINE"}


@dataclass(frozen=True)
class Thread:
    """A real-time thread of user space that may run on one of the CPUs: its CPU time so far in ns, and when it started,
    in s since boot."""

    pid: int
    tid: int
    name: str
    policy: str
    priority: int
    cpu: int
    started: float


def realtime_threads(cpus: Collection[int]) -> dict[int, Thread]:
    """Return the real-time threads that exist now, by thread ID, without those of the kernel."""
    threads = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            for task in _tasks(process):
                thread = _read_thread(int(process.name), task, cpus)
                if thread is not None:
                    threads[thread.tid] = thread
    return threads


class Intruders:
    """Observes real-time threads from now on, except those of the processes that `own_processes` returns. Threads are
    sampled: one that starts and ends between two samples is missed."""

    def __init__(self, cpus: Collection[int], own_processes: Callable[[], Collection[int]]) -> None:
        self._cpus = cpus
        self._own_processes = own_processes
        self._start_time = time.clock_gettime(time.CLOCK_BOOTTIME)
        self._next_sample = 0.0
        self._first_cpu: dict[int, int] = {}
        self._last_threads: dict[int, Thread] = {}
        self.take_sample()

    def take_sample(self) -> None:
        """Take a sample, which takes some milliseconds of CPU time."""
        threads = realtime_threads(self._cpus)
        own_pids = {os.getpid(), *self._own_processes()}
        for tid, thread in threads.items():
            if thread.pid not in own_pids:
                # CPU time from before the observation, or used at ordinary priority, does not count.
                self._first_cpu.setdefault(tid, 0 if thread.started > self._start_time else thread.cpu)
                self._last_threads[tid] = thread
        self._next_sample = time.monotonic() + 1

    def take_sample_if_due(self) -> None:
        """Take a sample at most once a second, however often it is called."""
        if time.monotonic() >= self._next_sample:
            self.take_sample()

    def cpu_time_by_thread(self) -> list[dict[str, Any]]:
        """Return the threads that have used CPU time so far, in ms, the highest use first."""
        cpu_times = [(thread.cpu - self._first_cpu[tid], thread) for tid, thread in self._last_threads.items()]
        return [
            {"pid": t.pid, "name": t.name, "policy": t.policy, "priority": t.priority, "cpu_ms": ns / 1e6}
            for ns, t in sorted(cpu_times, key=lambda pair: -pair[0])
            if ns > 0
        ]


def _tasks(process: Path) -> list[Path]:
    try:
        return list((process / "task").iterdir())
    except OSError:
        return []


def _read_thread(pid: int, task: Path, cpus: Collection[int]) -> Thread | None:
    try:
        text = (task / "stat").read_text("utf-8", "replace")
        name, _, after_name = text.partition("(")[2].rpartition(")")
        fields = after_name.split()
        policy = _REALTIME.get(int(fields[_POLICY]))
        if policy is None or int(fields[_FLAGS]) & _KERNEL_THREAD:
            return None
        if os.sched_getaffinity(int(task.name)).isdisjoint(cpus):
            return None
        cpu_time = int((task / "schedstat").read_text("utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return None  # the thread has ended
    started = int(fields[_STARTED]) / os.sysconf("SC_CLK_TCK")
    return Thread(pid, int(task.name), name, policy, int(fields[_PRIORITY]), cpu_time, started)
