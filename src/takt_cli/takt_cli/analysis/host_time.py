# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the host took from a run's jobs, as far as somebody saw it.

Four witnesses, and no instant counts twice:

- the stall probe, which looks once a millisecond;
- the thread's CPU clock: the kernel's switches say for how long a worker had the CPU while its job ran, and
  the job's own clock how much of it ran: a hypervisor that takes the CPU away stops that clock;
- the kernel's switches: real-time threads of other programs and of the kernel;
- the same: a release that was noticed late although no thread of takt or of the lab had the CPU, so the
  interrupt came late.

Not the host's: the CPU idle, or with a thread of ordinary priority, while a job that was noticed waits.
Without the kernel's switches only the first one speaks.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.intervals import Intervals, common, total, union, within, without
from takt_cli.analysis.result import Result
from takt_cli.analysis.trace_file import Kind
from takt_cli.analysis.trace_summary import TraceFigures

_WORKER = re.compile(r"takt\.w\d+")
# The kernel's priorities of real-time threads are below this.
_REALTIME = 100
# Of the lab's own threads.
_LAB = b"lab."
# The kernel may lose switches without a word; above this share, they do not tell what was longest.
_GAPS = 0.001
# What a thread has within so many ns is one turn.
_TURN = 2_000_000
# The kernel's switches are told in microseconds: each stretch may be so much too long.
_BLUR = 1000
# From the start of a job to its callback and back, ns; what is less is not looked at.
_BESIDE_CALLBACK = 5000


@dataclass(frozen=True)
class _Work:
    """A job from its start to its finish."""

    thread: str
    start: int
    finish: int
    cpu: int


class HostTime:
    """Of a traced run on one CPU. `late`: how late a release may be noticed without the host being behind it."""

    def __init__(self, figures: TraceFigures, result: Result, late: int) -> None:
        self._jobs = figures.jobs
        self._late = late
        stalls = figures.traced.stalls
        self._stalls = union([], []) if stalls is None else union(stalls["from"], stalls["to"])
        self._workers: dict[str, Intervals] = {}
        self._above: dict[str, Intervals] = {}
        self._ours = self._foreign = union([], [])
        self._whole = False
        self._works: list[_Work] = []
        kernel = figures.traced.kernel
        if kernel is not None and len(kernel):
            self._read(kernel[kernel["cpu"] == result.cpus[0]], result)
            self._works = _works(figures, result)
        self._starts = np.array([work.start for work in self._works], np.int64)

    def longest_above(self, begin: int, end: int) -> int | None:
        """The longest that one of takt's or the middleware's threads that run no jobs, and are above those that do,
        had the CPU between two instants in one turn, which others may interrupt; None: nobody looked, or not
        well enough."""
        longest = None
        if not self._whole:
            return longest
        for rows in self._above.values():
            mine = within(rows, begin, end)
            had = np.concatenate([[0], np.cumsum(mine[:, 1] - mine[:, 0])])
            behind = np.searchsorted(mine[:, 0], mine[:, 0] + _TURN)
            longest = max(longest or 0, int((had[behind] - had[:-1]).max(initial=0)))
        return longest

    def disturbed(self, begin: Any, end: Any) -> Any:
        """Of stretches, whether a stall or a real-time thread of somebody else is in them."""
        both = _both(self._stalls, self._foreign)
        return np.searchsorted(both[:, 1], begin, side="right") < np.searchsorted(both[:, 0], end)

    def taken(self, begin: int, end: int) -> Counter[str]:
        """Between two instants, ns by what took it. `begin`: where no job was started."""
        stalls = within(self._stalls, begin, end)
        found: Counter[str] = Counter()
        running = union([], [])
        # Who began before has ended: that is where a busy period begins.
        first, behind = np.searchsorted(self._starts, (begin, end))
        for work in self._works[first:behind]:
            mine = within(self._workers.get(work.thread, running[:0]), work.start, min(end, work.finish))
            running = np.concatenate([running, mine])
            stolen = total(mine) - work.cpu - _BESIDE_CALLBACK - _BLUR * len(mine)
            # Where only a stall was seen to take it, that says how much.
            found["the hypervisor"] += max(0, stolen, total(common(mine, stalls)))
        running = _both(running, running[:0])
        foreign = without(within(self._foreign, begin, end), stalls)
        found["other real-time threads"] += total(foreign)
        found["stalls"] += total(without(stalls, running))
        late = without(without(self._noticed_late(begin, end), self._ours), _both(stalls, foreign))
        found["late interrupts"] += total(late) if self._works else 0
        return +found

    def _noticed_late(self, begin: int, end: int) -> Intervals:
        jobs = self._jobs
        some = (jobs.release >= begin) & (jobs.release < end) & (jobs.noticed > jobs.release + self._late)
        return union(jobs.release[some] + self._late, np.minimum(jobs.noticed[some], end))

    def _read(self, switches: Rows, result: Result) -> None:
        own = {int(thread["tid"]) for process in result.processes for thread in process["threads"]}
        begin, end = switches["at"][:-1], switches["at"][1:]
        there = switches[:-1]
        ours = np.isin(there["tid"], list(own)) | np.char.startswith(there["comm"], _LAB)
        realtime = (there["priority"] < _REALTIME) & (there["tid"] != 0)
        # A switch to who has the CPU already: one to somebody else, before it, was not recorded. Who it was nobody
        # knows: nothing is put down to the host for it.
        sure = switches["tid"][1:] != there["tid"]
        self._whole = bool((~sure).sum() <= _GAPS * len(sure))
        self._ours = union(begin[ours | ~sure], end[ours | ~sure])
        foreign = realtime & ~ours & sure
        self._foreign = union(begin[foreign], end[foreign])
        for name in np.unique(there["comm"][ours]):
            # Before it is real-time, it is being started.
            mine = ours & realtime & sure & (there["comm"] == name)
            # Not joined: the number of stretches counts.
            rows = np.stack([begin[mine], end[mine]], axis=1)
            if _WORKER.fullmatch(text := name.decode("utf-8", "replace")):
                self._workers[text] = rows
            elif not name.startswith(_LAB):
                self._above[text] = rows


def _both(one: Intervals, other: Intervals) -> Intervals:
    rows = np.concatenate([one, other])
    return union(rows[:, 0], rows[:, 1])


def _works(figures: TraceFigures, result: Result) -> list[_Work]:
    trace, jobs = figures.trace, figures.jobs
    starts = trace.events[trace.events["kind"] == Kind.start]
    thread = {
        (int(task), int(index)): str(trace.rings.get(int(ring), {}).get("thread", ""))
        for task, index, ring in zip(starts["task"], starts["index"], starts["ring"], strict=True)
    }
    names = {task.id: task.index for task in result.application.tasks}
    cpu = {(int(job["task"]), int(job["index"])): int(job["cpu"]) for job in result.jobs if job["finish"] >= 0}
    found = []
    for i in np.flatnonzero((jobs.start >= 0) & (jobs.finish >= 0)):
        task, index = int(jobs.task[i]), int(jobs.index[i])
        used = cpu.get((names.get(trace.task_name(task), -1), index))
        if used is not None:
            found.append(_Work(thread.get((task, index), ""), int(jobs.start[i]), int(jobs.finish[i]), used))
    return sorted(found, key=lambda work: work.start)
