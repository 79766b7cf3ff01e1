# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Detects other programs' real-time threads on a run's CPUs, which the stall probe, running above them, cannot see."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection

from takt_cli.host.system import THIS_HOST, System
from takt_cli.host.task import TICKS_PER_SECOND, Task
from takt_cli.results.origin import RealtimeThread


def realtime_threads(cpus: Collection[int], system: System = THIS_HOST) -> list[Task]:
    """Return the real-time threads of user space that may run on one of these CPUs."""
    threads = (task for task in system.all_tasks() if task.realtime and not task.kernel)
    return [task for task in threads if system.may_run_on(task, cpus)]


class Intruders:
    """Observes real-time threads from now on, except those of the processes that `own_processes` returns. Threads are
    sampled: one that starts and ends between two samples is missed."""

    def __init__(self, cpus: Collection[int], own_processes: Callable[[], Collection[int]]) -> None:
        self._cpus = cpus
        self._own_processes = own_processes
        self._start_time = time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS_PER_SECOND
        self._next_sample = 0.0
        self._first_cpu: dict[int, int] = {}
        self._last: dict[int, tuple[int, Task]] = {}
        self.take_sample()

    def take_sample(self) -> None:
        """Take a sample, which takes some milliseconds of CPU time."""
        threads = realtime_threads(self._cpus)
        own_pids = {os.getpid(), *self._own_processes()}
        for thread in threads:
            if thread.pid not in own_pids and (cpu_time := THIS_HOST.cpu_time(thread)) is not None:
                # CPU time from before the observation, or used at ordinary priority, does not count.
                self._first_cpu.setdefault(thread.tid, 0 if thread.started > self._start_time else cpu_time)
                self._last[thread.tid] = cpu_time, thread
        self._next_sample = time.monotonic() + 1

    def take_sample_if_due(self) -> None:
        """Take a sample at most once a second, however often it is called."""
        if time.monotonic() >= self._next_sample:
            self.take_sample()

    def cpu_time_by_thread(self) -> list[RealtimeThread]:
        """Return the threads that have used CPU time so far, in ms, the highest use first."""
        cpu_times = [(cpu_time - self._first_cpu[tid], thread) for tid, (cpu_time, thread) in self._last.items()]
        return [
            RealtimeThread(t.pid, t.name, t.policy, t.priority, ns / 1e6)
            for ns, t in sorted(cpu_times, key=lambda pair: -pair[0])
            if ns > 0
        ]
