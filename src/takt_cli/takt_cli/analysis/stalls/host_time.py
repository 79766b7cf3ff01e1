# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time that the host took from a run's jobs, as far as it was observed.

There are four sources, and no instant counts twice:

- the stall probe, which wakes up once a millisecond;
- the CPU clock of the job's thread: the kernel's context switches tell for how long a worker had the CPU while its job
  ran, and the CPU clock how much of it the job really ran; a hypervisor that takes the CPU away stops that clock;
- the kernel's context switches: real-time threads of other programs and of the kernel;
- the same: a release that was noticed late although no thread of takt or of the lab had the CPU, so that the timer
  interrupt must have come late.

It is not the host's time if the CPU is idle, or runs a thread of ordinary priority, while a job waits whose release was
noticed. Without the kernel's context switches only the first source is available.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.intervals import Intervals, clip, intersection, subtract, total_length, union
from takt_cli.analysis.result import Result
from takt_cli.results.sample_files import Rows
from takt_cli.results.trace_file import Kind
from takt_cli.traces.summary import TraceAnalysis

_WORKER = re.compile(r"takt\.w\d+")
# In the kernel's numbering, real-time threads have priorities below this.
_REALTIME = 100
# The prefix of the names of the lab's own threads.
_LAB = b"lab."
# The kernel may lose context switches without saying so; above this share, the longest turns are not reliable.
_GAPS = 0.001
# All that a thread runs within this time, in ns, is one turn.
_TURN_SPAN = 2_000_000
# The kernel records context switches in microseconds: each interval may be too long by this, in ns.
_RESOLUTION = 1000
# Allowance for the time between a job's start and its callback, and back, in ns; less is not attributed to the host.
_BESIDE_CALLBACK = 5000


@dataclass(frozen=True)
class _JobExecution:
    """A job from its start to its finish, with the CPU time of its callback; in ns."""

    thread: str
    start: int
    finish: int
    cpu: int


class HostTime:
    """The time that the host took in a traced run on one CPU. `late`: up to how many ns a release may be noticed late
    without the host being the cause."""

    def __init__(self, analysis: TraceAnalysis, result: Result, late: int) -> None:
        self._jobs = analysis.jobs
        self._late_bound = late
        stalls = analysis.traced.stalls
        self._stalls = union([], []) if stalls is None else union(stalls["from"], stalls["to"])
        self._workers: dict[str, Intervals] = {}
        self._above: dict[str, Intervals] = {}
        self._own_turns = self._foreign = union([], [])
        self._is_complete = False
        self._executions: list[_JobExecution] = []
        kernel = analysis.traced.kernel
        if kernel is not None and len(kernel):
            self._read(kernel[kernel["cpu"] == result.cpus[0]], result)
            self._executions = _job_executions(analysis, result)
        self._starts = np.array([work.start for work in self._executions], np.int64)

    def longest_above(self, begin: int, end: int) -> int | None:
        """Return the longest turn in ns, between two instants, of a thread of takt or the middleware that runs no jobs
        and has a higher priority than those that do. Others may interrupt a turn. None if this is unknown, or not known
        reliably."""
        longest_turn = None
        if not self._is_complete:
            return longest_turn
        for rows in self._above.values():
            turns = clip(rows, begin, end)
            cumulated_length = np.concatenate([[0], np.cumsum(turns[:, 1] - turns[:, 0])])
            span_ends = np.searchsorted(turns[:, 0], turns[:, 0] + _TURN_SPAN)
            longest_turn = max(
                longest_turn or 0, int((cumulated_length[span_ends] - cumulated_length[:-1]).max(initial=0))
            )
        return longest_turn

    def disturbed(self, begin: Any, end: Any) -> Any:
        """Return for each interval whether a stall or a real-time thread of another program occurs in it."""
        disturbances = _in_both(self._stalls, self._foreign)
        return np.searchsorted(disturbances[:, 1], begin, side="right") < np.searchsorted(disturbances[:, 0], end)

    def time_taken(self, begin: int, end: int) -> Counter[str]:
        """Return the time in ns between two instants by what took it. No job may be running at `begin`."""
        stalls = clip(self._stalls, begin, end)
        time_by_cause: Counter[str] = Counter()
        running = union([], [])
        # At the beginning of a busy period all earlier jobs have ended.
        first, first_and_end = np.searchsorted(self._starts, (begin, end))
        for work in self._executions[first:first_and_end]:
            worker_intervals = clip(self._workers.get(work.thread, running[:0]), work.start, min(end, work.finish))
            running = np.concatenate([running, worker_intervals])
            stolen = total_length(worker_intervals) - work.cpu - _BESIDE_CALLBACK - _RESOLUTION * len(worker_intervals)
            # If only the stall probe saw that time was taken, the length of the stall is the amount.
            time_by_cause["the hypervisor"] += max(0, stolen, total_length(intersection(worker_intervals, stalls)))
        running = _in_both(running, running[:0])
        foreign_intervals = subtract(clip(self._foreign, begin, end), stalls)
        time_by_cause["other real-time threads"] += total_length(foreign_intervals)
        time_by_cause["stalls"] += total_length(subtract(stalls, running))
        late = subtract(subtract(self._noticed_late(begin, end), self._own_turns), _in_both(stalls, foreign_intervals))
        time_by_cause["late interrupts"] += total_length(late) if self._executions else 0
        return +time_by_cause

    def _noticed_late(self, begin: int, end: int) -> Intervals:
        jobs = self._jobs
        is_noticed_late = (
            (jobs.release >= begin) & (jobs.release < end) & (jobs.noticed > jobs.release + self._late_bound)
        )
        return union(jobs.release[is_noticed_late] + self._late_bound, np.minimum(jobs.noticed[is_noticed_late], end))

    def _read(self, switches: Rows, result: Result) -> None:
        own_tids = {thread.tid for process in result.processes for thread in process.threads if thread.tid is not None}
        begin, end = switches["at"][:-1], switches["at"][1:]
        running_threads = switches[:-1]
        is_own_thread = np.isin(running_threads["tid"], list(own_tids)) | np.char.startswith(
            running_threads["comm"], _LAB
        )
        realtime = (running_threads["priority"] < _REALTIME) & (running_threads["tid"] != 0)
        # A switch to the thread that already has the CPU: a switch to another thread before it was lost. As it is
        # unknown which one, nothing in this interval is attributed to the host.
        is_known = switches["tid"][1:] != running_threads["tid"]
        self._is_complete = bool((~is_known).sum() <= _GAPS * len(is_known))
        self._own_turns = union(begin[is_own_thread | ~is_known], end[is_own_thread | ~is_known])
        is_foreign = realtime & ~is_own_thread & is_known
        self._foreign = union(begin[is_foreign], end[is_foreign])
        for name in np.unique(running_threads["comm"][is_own_thread]):
            # A thread that is not real-time yet is still starting up.
            is_worker = is_own_thread & realtime & is_known & (running_threads["comm"] == name)
            # Adjacent intervals are not joined, because their number is needed.
            rows = np.stack([begin[is_worker], end[is_worker]], axis=1)
            if _WORKER.fullmatch(text := name.decode("utf-8", "replace")):
                self._workers[text] = rows
            elif not name.startswith(_LAB):
                self._above[text] = rows


def _in_both(one: Intervals, other: Intervals) -> Intervals:
    rows = np.concatenate([one, other])
    return union(rows[:, 0], rows[:, 1])


def _job_executions(analysis: TraceAnalysis, result: Result) -> list[_JobExecution]:
    trace, jobs = analysis.trace, analysis.jobs
    starts = trace.events[trace.events["kind"] == Kind.start]
    threads = {number: ring.thread for number, ring in trace.rings.items()}
    thread = {
        (int(task), int(index)): threads.get(int(ring), "")
        for task, index, ring in zip(starts["task"], starts["index"], starts["ring"], strict=True)
    }
    names = {task.id: task.index for task in result.application.tasks}
    cpu = {(int(job["task"]), int(job["index"])): int(job["cpu"]) for job in result.jobs if job["finish"] >= 0}
    executions = []
    for i in np.flatnonzero((jobs.start >= 0) & (jobs.finish >= 0)):
        task, index = int(jobs.task[i]), int(jobs.index[i])
        cpu_time = cpu.get((names.get(trace.task_name(task), -1), index))
        if cpu_time is not None:
            executions.append(
                _JobExecution(thread.get((task, index), ""), int(jobs.start[i]), int(jobs.finish[i]), cpu_time)
            )
    return sorted(executions, key=lambda work: work.start)
