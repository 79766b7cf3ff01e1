# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures of `takt trace show`: response times of each task, misses with their causes, and counts of events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.results.kernel_file import KERNEL_FILE, SWITCHES
from takt_cli.results.result_file import kind_of
from takt_cli.results.run import RUN_FORMAT
from takt_cli.results.sample_files import STALLS, Rows, read_rows
from takt_cli.results.trace_file import TRACE_FILE, Kind, Trace, read_trace
from takt_cli.statistics.percentiles import percentiles
from takt_cli.traces.causes import MissCauses, count_deferrals
from takt_cli.traces.jobs import NEVER, Jobs, Slices, jobs_in_trace, slices_in_trace
from takt_cli.traces.misses import MissedJob, count_by_cause, ranks_within_causes

SCHEMA_VERSION = 1
_MS = 1e6
_COUNTED = (Kind.refresh, Kind.raise_, Kind.lower, Kind.scenario, Kind.expiry, Kind.wait)


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

    def summary(self) -> dict[str, Any]:
        """Return the figures, for JSON."""
        trace = self.trace
        kinds = trace.events["kind"]
        counted = {kind: int((kinds == kind).sum()) for kind in _COUNTED}
        waits = trace.events[kinds == Kind.wait]
        bounds = [each.max_section for each in trace.processors.values() if each.max_section is not None]
        return {
            "schema_version": SCHEMA_VERSION,
            "incomplete": trace.holes,
            "events": len(trace.events),
            "kernel": self.traced.kernel is not None,
            "tasks": [self._task(int(task)) for task in np.unique(self.jobs_in_window.task)],
            "misses": [
                self._miss(missed) | {"rank": rank}
                for missed, rank in zip(self.missed, ranks_within_causes(self.missed), strict=True)
            ],
            "causes": [{**each, "task": trace.task_name(each["task"])} for each in count_by_cause(self.missed)],
            "scenario_switches": counted[Kind.scenario],
            "refreshes": counted[Kind.refresh],
            "raised": counted[Kind.raise_],
            "lowered": counted[Kind.lower],
            "deferred": count_deferrals(trace),
            "max_section_ms": max(bounds) / _MS if bounds else None,
            "expired_sections": counted[Kind.expiry],
            "entity_waits": counted[Kind.wait],
            "longest_wait_ms": int((waits["at"] - waits["value"]).max()) / _MS if len(waits) else None,
        }

    def _task(self, task: int) -> dict[str, Any]:
        jobs = self.jobs_in_window.select(self.jobs_in_window.task == task)
        finished_jobs = jobs.select((jobs.finish >= 0) & (jobs.release >= 0))
        bound = finished_jobs.select((finished_jobs.deadline >= 0) & (finished_jobs.deadline < NEVER))
        margins = bound.deadline - bound.finish
        noticed_jobs = jobs.select((jobs.noticed >= 0) & (jobs.release >= 0))
        missed = [each for each in self.missed if each.task == task]
        return {
            "task": self.trace.task_name(task),
            "jobs": len(jobs),
            "response_ms": percentiles((finished_jobs.finish - finished_jobs.release) / _MS),
            "worst": int(finished_jobs.index[np.argmax(finished_jobs.finish - finished_jobs.release)])
            if len(finished_jobs)
            else None,
            "margin_ms": float(margins.min()) / _MS if len(margins) else None,
            "release_ms": percentiles((noticed_jobs.noticed - noticed_jobs.release) / _MS),
            "late": sum(each.kind in ("late", "unfinished") for each in missed),
            "skipped": sum(each.kind in ("skipped", "stale") for each in missed),
        }

    def _miss(self, missed: MissedJob) -> dict[str, Any]:
        culprit = missed.main_part
        origin = self.traced.window[0] if self.traced.window else int(self.trace.events["at"][0])
        late = missed.finish - missed.deadline if missed.finish >= 0 and missed.deadline < NEVER else None
        return {
            "task": self.trace.task_name(missed.task),
            "job": missed.index,
            "release_s": (missed.release - origin) / 1e9,
            "how": missed.kind,
            "late_ms": None if late is None else late / _MS,
            "time_ms": sum(part.ns for part in missed.parts) / _MS,
            "transition": missed.transition,
            "mostly": culprit.description() if culprit is not None else None,
            "parts": [
                {
                    "what": part.kind,
                    "who": part.by,
                    "why": part.reason,
                    "words": part.description(),
                    "ms": part.ns / _MS,
                }
                for part in missed.parts
            ],
        }
