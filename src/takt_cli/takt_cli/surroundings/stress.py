# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A running load: starts it, verifies and watches it, and records what it really did."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import yaml
from msgspec.structs import replace

from takt_cli.errors import HostError, RunError
from takt_cli.host.polling import becomes_true
from takt_cli.host.processes import Children
from takt_cli.host.system import THIS_HOST
from takt_cli.host.task import Task
from takt_cli.results.achieved import AchievedLoad, OwnFigures, Settling
from takt_cli.results.conditions import Load
from takt_cli.surroundings.autogroup import set_session_weight
from takt_cli.surroundings.leftovers import Record
from takt_cli.surroundings.load import FreeResources, load_command
from takt_cli.surroundings.pressure import Pressure
from takt_cli.surroundings.settling import SAMPLE_INTERVAL, settle
from takt_cli.surroundings.tools import find_tool, version_of

# The time in s before the workers are first checked, the limit for all of them to run, and that for their end.
_SETTLING, _STARTING, _ENDING = 1.0, 30.0, 10.0
_LEAST_ROOM = 64 << 20


class Stress:
    """A load that is started on construction; call `settle` before measuring anything."""

    def __init__(
        self, load: Load, cpus: int, work: Path, children: Children, record: Record, prefix: list[str]
    ) -> None:
        self._load = load
        self._wanted_workers = load.total(cpus).workers
        find_tool(load.tool)
        self._scratch = work / "load"
        self._scratch.mkdir()
        command = load_command(load.total(cpus), self._scratch, _free_resources(self._scratch))
        # stress writes its files to the working directory.
        chdir_prefix = ["env", "--chdir", str(self._scratch)]
        self._child = children.start(load.tool, command, work / "load.log", prefix=[*prefix, *chdir_prefix])
        record.note_session(self._child.pid)
        self._inside = prefix
        # A load in its own control group gets its weight there.
        self._counts_as: float | None = float(self._wanted_workers) if prefix else None
        self._start_time = time.monotonic()
        self._held_time = 0.0
        self._held_since: float | None = None
        self._workers: list[Task] = []
        self._cpu_of_worker: dict[int, str] = {}
        self._start_by_kind: dict[str, float] = {}
        self._start_by_cpu: dict[str, float] = {}
        self._achieved = AchievedLoad(asked=load, by=load.tool)

    def settle(self) -> None:
        """Wait until all workers exist and some of each kind have run. Raises a RunError if that takes too long."""
        if not becomes_true(self._all_have_run, _STARTING, 0.05):
            raise RunError(
                f"only {len(self._workers)} of the load's {self._wanted_workers} workers run after {_STARTING:.0f} s: "
                f"{self._child.reported()}"
            )
        if self._load.on_each_cpu:
            self._bind()
        if not self._inside:
            self._counts_as = set_session_weight(self._child.pid, self._wanted_workers)
        self._start_time = time.monotonic()
        self._start_by_kind, self._start_by_cpu = self._cpu_times(self._kind_of), self._cpu_times(self._cpu_of)
        self._pressure = Pressure()

    def check(self) -> None:
        """Raise a RunError if the load or one of its workers has ended."""
        self._check_child()
        for worker in self._workers:
            process = THIS_HOST.task(worker.pid, worker.started)
            if process is None or not process.alive:
                raise RunError(f"a worker of the load died: {worker.name} {worker.pid}; {self._child.reported()}")

    def hold(self) -> None:
        """Stop the load until `release`; the time in between does not count as its running time."""
        if self._held_since is None and self._child.running():
            self._held_since = time.monotonic()
            os.killpg(self._child.pid, signal.SIGSTOP)

    def release(self) -> None:
        """Let the load continue after `hold`."""
        if self._held_since is not None:
            self._held_time += time.monotonic() - self._held_since
            self._held_since = None
            with suppress(ProcessLookupError):  # `check` reports that it has ended
                os.killpg(self._child.pid, signal.SIGCONT)

    def steady(self, sample_interval: float = SAMPLE_INTERVAL) -> Settling:
        """Wait until the load is stationary, for half a minute at most."""
        settling = settle(lambda: self._cpu_times(self._kind_of), self.check, sample_interval)
        self._achieved = replace(self._achieved, settling=settling)
        return settling

    def take_sample(self) -> None:
        """Record what the load has done so far."""
        now = self._held_since if self._held_since is not None else time.monotonic()
        seconds = now - self._start_time - self._held_time
        cpus = dict.fromkeys(sorted(self._cpu_of_worker.values(), key=int), 0.0)
        self._achieved = replace(
            self._achieved,
            counts_as_processes=self._counts_as,
            seconds=seconds,
            held_seconds=self._held_time,
            cpus_used=_rates(self._cpu_times(self._kind_of), self._start_by_kind, seconds),
            share_of_cpu=cpus | _rates(self._cpu_times(self._cpu_of), self._start_by_cpu, seconds),
            load_average=list(os.getloadavg()),
            pressure=self._pressure.so_far(),
        )

    def end(self) -> None:
        """End the load and read its own statistics. Raises a RunError if it never ran on one of its CPUs."""
        self.release()
        self.take_sample()
        for cpu, share in self._achieved.share_of_cpu.items():
            if share <= 0:
                raise RunError(f"the load on CPU {cpu} did not run to the end: it used no CPU time")
        self._child.signal(signal.SIGINT)
        if self._child.wait(_ENDING):
            self._achieved = replace(self._achieved, own_figures=_metrics(self._scratch / "metrics.yaml"))
        self._child.end(2.0)

    def achieved(self) -> AchievedLoad:
        return replace(self._achieved, by=version_of(self._load.tool))

    def _check_child(self) -> None:
        if not self._child.running():
            raise RunError(f"the load died: {self._child.name} {self._child.pid}; {self._child.reported()}")

    def _all_have_run(self) -> bool:
        """Find the workers, and return whether they are all there and some of each kind have run, or a process that one
        of that kind has started. Workers of `stress` all have one name."""
        self._check_child()
        processes = THIS_HOST.members(self._child.pid)
        self._workers = [each for each in processes if each.parent == self._child.pid and each.alive]
        # The kernel's nanosecond count is used, as a worker that mostly waits may not use a whole tick.
        ran = {each.name for each in processes if THIS_HOST.cpu_time(each)}
        is_settled = time.monotonic() - self._start_time >= _SETTLING
        return is_settled and len(self._workers) == self._wanted_workers and {w.name for w in self._workers} <= ran

    def _bind(self) -> None:
        """Spread the workers of each kind over the CPUs, with the processes that they have started: otherwise they
        would move away from real-time threads."""
        cpus = sorted(os.sched_getaffinity(self._child.pid))
        workers = sorted(self._workers, key=lambda worker: (worker.name, worker.pid))
        self._cpu_of_worker = {worker.pid: str(cpus[k % len(cpus)]) for k, worker in enumerate(workers)}
        for each in THIS_HOST.members(self._child.pid):
            if cpu := self._cpu_of(each):
                with suppress(ProcessLookupError):  # `check` reports that it has ended
                    os.sched_setaffinity(each.pid, {int(cpu)})

    def _kind_of(self, process: Task) -> str:
        return process.name.removeprefix("stress-ng-") if self._load.tool == "stress-ng" else "all"

    def _cpu_of(self, process: Task) -> str:
        """Return the CPU that a process is bound to; empty if it is bound to none."""
        return self._cpu_of_worker.get(process.pid) or self._cpu_of_worker.get(process.parent, "")

    def _cpu_times(self, group_of: Callable[[Task], str]) -> dict[str, float]:
        """Return the CPU time used by each group of processes, in seconds."""
        cpu_times: dict[str, float] = {}
        for each in THIS_HOST.members(self._child.pid):
            if group := group_of(each):
                # Ticks count all threads, but in a short run on a busy CPU a worker may not use a whole one.
                used = max(each.seconds, (THIS_HOST.cpu_time(each) or 0) / 1e9)
                cpu_times[group] = cpu_times.get(group, 0.0) + used
        return cpu_times


def _rates(totals: dict[str, float], at_start: dict[str, float], seconds: float) -> dict[str, float]:
    return {name: (total - at_start.get(name, 0.0)) / seconds for name, total in totals.items()}


def _free_resources(scratch: Path) -> FreeResources:
    """Return the free memory and disk space. Raises a HostError if there is too little disk space for a worker."""
    disk = shutil.disk_usage(scratch).free
    available = THIS_HOST.memory("MemAvailable")
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if available is None else available << 10
    if disk < _LEAST_ROOM:
        raise HostError(
            f"{scratch}: only {disk >> 20} MiB are free, too little for a load that writes; free some space"
        )
    return FreeResources(memory, disk)


def _metrics(path: Path) -> dict[str, OwnFigures] | None:
    """Return the statistics that stress-ng wrote, by kind; None if there are none."""
    try:
        output = yaml.load(path.read_text("utf-8", "replace"), Loader=yaml.CSafeLoader)
        return {each["stressor"]: msgspec.convert(each, OwnFigures) for each in output["metrics"]}
    except (OSError, yaml.YAMLError, KeyError, TypeError, msgspec.ValidationError):
        return None
