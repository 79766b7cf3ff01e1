# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Export of a trace as MCAP for robotics viewers: a ROS 2 message to plot for each job and each miss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from mcap_ros2.writer import Writer

from takt_cli.results.atomic_file import atomic_file
from takt_cli.traces.jobs import NEVER, Activity
from takt_cli.traces.summary import TraceAnalysis

_MS = 1e6
_DEFINITIONS = {
    "Job": """float64 response_ms  # finish minus release
float64 lateness_ms  # finish minus deadline, positive if late; NaN without a deadline
float64 execution_ms  # time on the CPU; NaN if events of the trace were dropped
float64 start_delay_ms  # start minus release
uint64 index
""",
    "Miss": """float64 late_ms  # finish minus deadline; NaN if the job never finished
uint64 index
string task
string how
string mostly  # the main cause
""",
    "Incomplete": """string why  # what is missing from the trace
""",
}
_Message = tuple[str, str, int, dict[str, Any]]
"""Topic, definition, instant of CLOCK_MONOTONIC, and fields."""


def write_mcap(analysis: TraceAnalysis, path: Path) -> int:
    """Write the trace to `path`, and return the number of messages in the file.

    Times are of the wall clock, with its offset to CLOCK_MONOTONIC at the beginning of the trace.
    """
    count = 0
    with atomic_file(path) as file, Writer(file) as writer:
        schemas = {name: writer.register_msgdef(f"takt_trace/msg/{name}", text) for name, text in _DEFINITIONS.items()}
        for topic, name, instant, fields in chain(_jobs(analysis), _misses(analysis), _incomplete(analysis)):
            writer.write_message(topic, schemas[name], fields, max(instant + analysis.trace.to_wall_clock, 0))
            count += 1
        if analysis.trace.holes:
            writer.add_metadata("takt", {"incomplete": "; ".join(analysis.trace.holes)})
    return count


def _jobs(analysis: TraceAnalysis) -> Iterator[_Message]:
    jobs = analysis.jobs.select((analysis.jobs.finish >= 0) & (analysis.jobs.start >= 0) & (analysis.jobs.release >= 0))
    executed: dict[tuple[int, int], int] = {}
    slices = analysis.slices
    for task, index, begin, end, activity in zip(
        *(getattr(slices, name).tolist() for name in ("task", "index", "begin", "end", "activity")), strict=True
    ):
        if activity != Activity.comes:
            executed[task, index] = executed.get((task, index), 0) + end - begin
    order = jobs.finish.argsort(kind="stable")
    columns = (
        getattr(jobs, name)[order].tolist() for name in ("task", "index", "release", "start", "finish", "deadline")
    )
    for task, index, release, start, finish, deadline in zip(*columns, strict=True):
        fields = {
            "response_ms": (finish - release) / _MS,
            "lateness_ms": (finish - deadline) / _MS if 0 <= deadline < NEVER else float("nan"),
            # The dropped events may include switches between jobs.
            "execution_ms": float("nan") if analysis.trace.dropped else executed.get((task, index), 0) / _MS,
            "start_delay_ms": (start - release) / _MS,
            "index": index,
        }
        yield f"/takt/jobs/{_topic(analysis.trace.task_name(task))}", "Job", finish, fields


def _misses(analysis: TraceAnalysis) -> Iterator[_Message]:
    for missed in analysis.missed:
        fields = {
            "late_ms": (missed.finish - missed.deadline) / _MS if missed.finish >= 0 else float("nan"),
            "index": missed.index,
            "task": analysis.trace.task_name(missed.task),
            "how": missed.kind,
            "mostly": missed.main_part.description() if missed.main_part is not None else "",
        }
        yield "/takt/misses", "Miss", missed.deadline if missed.deadline < NEVER else missed.release, fields


def _incomplete(analysis: TraceAnalysis) -> Iterator[_Message]:
    """Say what is missing in a message at the beginning, too, since viewers do not show the metadata of the file."""
    events = analysis.trace.events
    if analysis.trace.holes and len(events):
        yield "/takt/incomplete", "Incomplete", int(events["at"][0]), {"why": "; ".join(analysis.trace.holes)}


def _topic(name: str) -> str:
    """Return a task's name as part of a valid topic name."""
    return re.sub(r"[^A-Za-z0-9_/]", "_", name).strip("/") or "unnamed"
