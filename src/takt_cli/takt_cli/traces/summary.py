# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures of `takt trace show`: response times of each task, misses with their causes, and counts of events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.results.kernel_file import KERNEL_FILE, SWITCHES
from takt_cli.results.result_file import kind_of
from takt_cli.results.run import RUN_FORMAT
from takt_cli.results.sample_files import STALLS, Rows, read_rows
from takt_cli.results.trace_file import TRACE_FILE, Kind, Trace, read_trace
from takt_cli.statistics.percentiles import Percentiles, percentiles
from takt_cli.traces.causes import MissCauses
from takt_cli.traces.jobs import NEVER, Jobs, Slices, jobs_in_trace, slices_in_trace
from takt_cli.traces.misses import MissedJob, misses_by_cause

_MS = 1e6
_COUNTED = (Kind.refresh, Kind.raise_, Kind.lower, Kind.scenario, Kind.expiry, Kind.wait, Kind.deferral)


class TaskFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a task: its response times with the `worst` job, the least time before a deadline, how late its
    releases were noticed, and its misses."""

    task: str
    jobs: int
    response_ms: Percentiles
    worst: int | None
    margin_ms: float | None
    release_ms: Percentiles
    late: int
    skipped: int


class TimePart(msgspec.Struct, frozen=True):
    """A part of a response time, as `ResponseTimePart` has it, and in words."""

    what: str
    who: str
    why: str
    words: str
    ms: float


class Miss(msgspec.Struct, frozen=True, kw_only=True):
    """A missed job, as `MissedJob` has it. `rank`: its place among the misses of the same cause, 0 for the worst."""

    task: str
    job: int
    release_s: float
    how: str
    late_ms: float | None
    time_ms: float
    transition: bool
    mostly: str | None
    parts: list[TimePart]
    rank: int


class Cause(msgspec.Struct, frozen=True):
    """The number of misses of a task of one kind and by one main cause, and the worst job of them."""

    task: str
    how: str
    mostly: str
    misses: int
    worst: int


class TraceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a trace. `incomplete`: why it lacks events; `kernel`: the context switches were recorded."""

    schema_version: int = 1
    incomplete: list[str]
    events: int
    kernel: bool
    tasks: list[TaskFigures]
    misses: list[Miss]
    causes: list[Cause]
    scenario_switches: int
    refreshes: int
    raised: int
    lowered: int
    deferred: int
    max_section_ms: float | None
    expired_sections: int
    entity_waits: int
    longest_wait_ms: float | None


@dataclass(frozen=True)
class RecordedTrace:
    """A trace, with the stalls of the host and the measured window of the run; both are None if the trace does not
    belong to a run of the lab."""

    trace: Trace
    stalls: Rows | None
    window: tuple[int, int] | None
    kernel: Rows | None = None
    """The kernel's context switches on the CPUs, if all of them were recorded."""
    workers: frozenset[int] = frozenset()
    """The thread ids of the workers, which ran the jobs, as far as known."""
    release: str = ""
    """The release of the operating system's kernel."""


def read_recorded_trace(path: Path) -> RecordedTrace:
    """Read the trace in a result's folder, or a single trace file. Raises ResultError if `path` is neither."""
    if not path.is_dir():
        return RecordedTrace(read_trace(path), None, None)
    trace = read_trace(path / TRACE_FILE)
    if kind_of(path) != RUN_FORMAT.kind:
        return RecordedTrace(trace, None, None)
    run = RUN_FORMAT.read(path)
    record, threads = run.record, [each for one in run.record.processes if one.grants for each in one.grants.threads]
    workers = frozenset(each.tid for each in threads if each.role == "worker")
    has_all_switches = record.kernel is None or not record.kernel.lost
    stalls = read_rows(path / "stalls.npy", STALLS) if record.saw_stalls else None
    kernel = path / KERNEL_FILE
    switches = read_rows(kernel, SWITCHES) if has_all_switches and kernel.exists() else None
    window = (record.window.start, record.window.end)
    return RecordedTrace(trace, stalls, window, switches, workers, run.origin.known_host.kernel)


class TraceAnalysis:
    """All figures of a trace."""

    def __init__(self, traced: RecordedTrace) -> None:
        self.traced = traced
        self.trace = traced.trace
        self.jobs: Jobs = jobs_in_trace(self.trace)
        self.slices: Slices = slices_in_trace(self.trace)
        begin, end = traced.window or (0, NEVER)
        self.jobs_in_window: Jobs = self.jobs.select((self.jobs.release >= begin) & (self.jobs.release < end))
        self.causes = MissCauses(self.trace, self.jobs, self.slices, traced.stalls, traced.kernel, traced.workers)
        self.missed: list[MissedJob] = self.causes.misses(begin, end)

    def summary(self) -> TraceSummary:
        """Return the figures."""
        trace = self.trace
        kinds = trace.events["kind"]
        counted = {kind: int((kinds == kind).sum()) for kind in _COUNTED}
        waits = trace.events[kinds == Kind.wait]
        bounds = [each.max_section for each in trace.processors.values() if each.max_section is not None]
        causes = misses_by_cause(self.missed)
        ranks = {(miss.task, miss.index): rank for misses in causes for rank, miss in enumerate(misses)}
        return TraceSummary(
            incomplete=trace.holes,
            events=len(trace.events),
            kernel=self.traced.kernel is not None,
            tasks=[self._task(int(task)) for task in np.unique(self.jobs_in_window.task)],
            misses=[self._miss(missed, ranks[missed.task, missed.index]) for missed in self.missed],
            causes=[
                Cause(trace.task_name(worst.task), *worst.cause[1:], len(misses), worst.index)
                for misses in causes
                for worst in misses[:1]
            ],
            scenario_switches=counted[Kind.scenario],
            refreshes=counted[Kind.refresh],
            raised=counted[Kind.raise_],
            lowered=counted[Kind.lower],
            deferred=counted[Kind.deferral],
            max_section_ms=max(bounds) / _MS if bounds else None,
            expired_sections=counted[Kind.expiry],
            entity_waits=counted[Kind.wait],
            longest_wait_ms=int((waits["at"] - waits["value"]).max()) / _MS if len(waits) else None,
        )

    def _task(self, task: int) -> TaskFigures:
        jobs = self.jobs_in_window.select(self.jobs_in_window.task == task)
        finished_jobs = jobs.select((jobs.finish >= 0) & (jobs.release >= 0))
        responses = finished_jobs.finish - finished_jobs.release
        bound = finished_jobs.select((finished_jobs.deadline >= 0) & (finished_jobs.deadline < NEVER))
        margins = bound.deadline - bound.finish
        noticed_jobs = jobs.select((jobs.noticed >= 0) & (jobs.release >= 0))
        missed = [each for each in self.missed if each.task == task]
        return TaskFigures(
            task=self.trace.task_name(task),
            jobs=len(jobs),
            response_ms=percentiles(responses / _MS),
            worst=int(finished_jobs.index[np.argmax(responses)]) if len(responses) else None,
            margin_ms=float(margins.min()) / _MS if len(margins) else None,
            release_ms=percentiles((noticed_jobs.noticed - noticed_jobs.release) / _MS),
            late=sum(each.kind in ("late", "unfinished") for each in missed),
            skipped=sum(each.kind in ("skipped", "stale") for each in missed),
        )

    def _miss(self, missed: MissedJob, rank: int) -> Miss:
        culprit = missed.main_part
        origin = self.traced.window[0] if self.traced.window else int(self.trace.events["at"][0])
        late = missed.finish - missed.deadline if missed.finish >= 0 and missed.deadline < NEVER else None
        return Miss(
            task=self.trace.task_name(missed.task),
            job=missed.index,
            release_s=(missed.release - origin) / 1e9,
            how=missed.kind,
            late_ms=None if late is None else late / _MS,
            time_ms=sum(part.ns for part in missed.parts) / _MS,
            transition=missed.transition,
            mostly=culprit.description() if culprit is not None else None,
            parts=[
                TimePart(part.kind, part.by, part.reason, part.description(), part.ns / _MS) for part in missed.parts
            ],
            rank=rank,
        )
