# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of the result of a run: what was asked for, and what its processes and stall probes reported.

Beside `result.json` are the spec as it was given and as it was resolved, the samples of all processes, and in the
folder `programs` all that each program wrote about itself.
"""

from __future__ import annotations

import msgspec

from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.program import Grants, Probe, Thread, UsedPolicy, Window
from takt_cli.results.result_file import ResultFormat


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, beside the spec. Times in ns; `gauges` is the interval between two samples of each process's
    resources, 0 for none."""

    executor: str
    policy: str
    duration: int
    warmup: int
    cpus: tuple[int, ...]
    gauges: int = 0
    trace: bool = False
    kernel: bool = True


class GrantedThread(msgspec.Struct, frozen=True):
    """A thread of the executor, by its role: timer, worker or handler."""

    tid: int
    role: str


class RunGrants(Grants, msgspec.Struct, frozen=True):
    """The rights of a run's process. `max_section_ns` is how long a middleware section may defer other jobs; None if
    the executor has no such limit."""

    threads: list[GrantedThread] = []
    max_section_ns: int | None = None


class RunThread(Thread, frozen=True):
    """A thread of a run's process, with the priority that it asked for and the one granted; 0 for none."""

    tid: int | None = None
    asked: int | None = None
    granted: int | None = None


class TaskCounters(msgspec.Struct, frozen=True):
    """What the executor counted of a task, warm-up included. None if the executor does not count it."""

    task: int
    refreshed: int | None = None
    extra_releases: int | None = None
    stale_skipped: int | None = None
    stale_reported: int | None = None
    overruns: int | None = None
    exhausted: int | None = None
    lowered: int | None = None


class ExecutorStatistics(msgspec.Struct, frozen=True):
    """The executor's counters of each task."""

    tasks: list[TaskCounters] = []


class ProcessorStatistics(msgspec.Struct, frozen=True, omit_defaults=True):
    """The statistics of takt's processor; None if the executor does not have them."""

    crossings: int | None = None
    longest_lock_wait_ns: int | None = None
    longest_lock_hold_ns: int | None = None
    longest_section_ns: int | None = None


class ProcessorTask(msgspec.Struct, frozen=True):
    """A task on a processor."""

    task: int


class RunProcessor(msgspec.Struct, frozen=True):
    """The CPU that a set of tasks runs on; with several `cpus`, its tasks may use any of them."""

    cpu: int
    tasks: list[ProcessorTask]
    cpus: list[int] = []
    statistics: ProcessorStatistics = ProcessorStatistics()

    @property
    def every_cpu(self) -> tuple[int, ...]:
        return tuple(self.cpus or [self.cpu])


class MessageCount(msgspec.Struct, frozen=True):
    """What one publisher or reader of a topic counted. A reader counts what it `missed`, and what was `replaced`."""

    topic: str
    task: int
    role: str
    count: int
    pool_exhausted: int = 0
    missed: int = 0
    replaced: int = 0


class RecordingTimes(msgspec.Struct, frozen=True):
    """The time that recording a job took, as a process measured it after its run."""

    calls: int
    repeats: int
    reads: int
    publishes: int
    ns_per_call: list[float]


class TraceCount(msgspec.Struct, frozen=True):
    """The number of events that a trace lacks."""

    dropped: int = 0


class Qos(msgspec.Struct, frozen=True, order=True):
    """The quality of service of one publisher or reader."""

    topic: str
    task: int
    role: str
    reliability: str
    durability: str
    history: str
    depth: int


class RunProcess(msgspec.Struct, frozen=True, kw_only=True):
    """The report of one process of a run."""

    t0: int
    window: Window
    rmw: str
    policy: UsedPolicy
    jobs: int
    process_cpu_ns: int
    callback_cpu_ns: int
    threads: list[RunThread]
    processors: list[RunProcessor]
    grants: RunGrants | None = None
    statistics: ExecutorStatistics | None = None
    messages: list[MessageCount] = []
    qos: list[Qos] = []
    measuring: RecordingTimes | None = None
    trace: TraceCount | None = None
    versions: dict[str, str | bool | None] = {}


class KernelSwitches(msgspec.Struct, frozen=True):
    """The number of recorded context switches of the kernel, and of lost ones; `refused` says why there are none."""

    switches: int | None
    lost: int
    refused: str | None


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a run reported. `stress` is the load beside it, as achieved; `unended` names the processes that hung while
    exiting; `kernel` is None if no context switches were asked for."""

    processes: list[RunProcess]
    probes: list[Probe]
    stress: AchievedLoad | None = None
    unended: list[str] = []
    kernel: KernelSwitches | None = None

    @property
    def t0(self) -> int:
        return self.processes[0].t0

    @property
    def window(self) -> Window:
        return self.processes[0].window

    @property
    def rmw(self) -> str:
        return self.processes[0].rmw

    @property
    def saw_stalls(self) -> bool:
        return all(probe.saw_stalls for probe in self.probes)

    @property
    def dropped_events(self) -> int:
        """The number of events that the traces of all processes lack."""
        return sum(process.trace.dropped for process in self.processes if process.trace is not None)


RUN_FORMAT = ResultFormat("run", 5, RunRequest, RunRecord)
