# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Export of a trace as MCAP for robotics viewers: a ROS 2 message to plot for each job and each miss."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from mcap.writer import Writer

from takt_cli.analysis.trace_jobs import NEVER, Activity
from takt_cli.analysis.trace_summary import TraceAnalysis
from takt_cli.host.atomic_file import atomic_file

_MS = 1e6
_JOB = """float64 response_ms  # finish minus release
float64 lateness_ms  # finish minus deadline, positive if late; NaN without a deadline
float64 execution_ms  # time on the CPU; NaN if events of the trace were dropped
float64 start_delay_ms  # start minus release
uint64 index
"""
_INCOMPLETE = """string why  # what is missing from the trace
"""
_MISS = """float64 late_ms  # finish minus deadline; NaN if the job never finished
uint64 index
string task
string how
string mostly  # the main cause
"""


def write_mcap(analysis: TraceAnalysis, path: Path) -> int:
    """Write the trace to `path`, and return the number of messages in the file.

    Times are of the wall clock, with its offset to CLOCK_MONOTONIC at the beginning of the trace.
    """
    with atomic_file(path) as file:
        writer = Writer(file)
        writer.start(profile="ros2", library="takt")
        messages = _jobs(writer, analysis) + _misses(writer, analysis) + _incomplete(writer, analysis)
        writer.finish()  # type: ignore[no-untyped-call]
    return messages


def _channel(writer: Writer, topic: str, name: str, text: str) -> int:
    schema = writer.register_schema(name=f"takt_trace/msg/{name}", encoding="ros2msg", data=text.encode())
    return int(writer.register_channel(topic=topic, message_encoding="cdr", schema_id=schema))


def _jobs(writer: Writer, analysis: TraceAnalysis) -> int:
    jobs = analysis.jobs.select((analysis.jobs.finish >= 0) & (analysis.jobs.start >= 0) & (analysis.jobs.release >= 0))
    executed: dict[tuple[int, int], int] = {}
    slices = analysis.slices
    for task, index, begin, end, activity in zip(
        *(getattr(slices, name).tolist() for name in ("task", "index", "begin", "end", "activity")), strict=True
    ):
        if activity != Activity.comes:
            executed[task, index] = executed.get((task, index), 0) + end - begin
    channels: dict[int, int] = {}
    order = jobs.finish.argsort(kind="stable")
    columns = (
        getattr(jobs, name)[order].tolist() for name in ("task", "index", "release", "start", "finish", "deadline")
    )
    for task, index, release, start, finish, deadline in zip(*columns, strict=True):
        if task not in channels:
            channels[task] = _channel(writer, f"/takt/jobs/{_topic(analysis.trace.task_name(task))}", "Job", _JOB)
        late = (finish - deadline) / _MS if 0 <= deadline < NEVER else float("nan")
        # The dropped events may include switches between jobs.
        execution_ms = float("nan") if analysis.trace.dropped else executed.get((task, index), 0) / _MS
        data = _cdr((finish - release) / _MS, late, execution_ms, (start - release) / _MS) + struct.pack("<Q", index)
        _add(writer, channels[task], analysis, finish, data)
    return len(jobs)


def _misses(writer: Writer, analysis: TraceAnalysis) -> int:
    channel = _channel(writer, "/takt/misses", "Miss", _MISS)
    for missed in analysis.missed:
        instant = missed.deadline if missed.deadline < NEVER else missed.release
        late = (missed.finish - missed.deadline) / _MS if missed.finish >= 0 else float("nan")
        words = missed.main_part.description() if missed.main_part is not None else ""
        data = _cdr(late) + struct.pack("<Q", missed.index)
        for text in (analysis.trace.task_name(missed.task), missed.kind, words):
            data += _string(text, len(data) - 4)
        _add(writer, channel, analysis, instant, data)
    return len(analysis.missed)


def _incomplete(writer: Writer, analysis: TraceAnalysis) -> int:
    """Write what is missing as a message at the beginning, too, since viewers do not show the metadata of the file."""
    events = analysis.trace.events
    if not analysis.trace.holes or not len(events):
        return 0
    reasons = "; ".join(analysis.trace.holes)
    writer.add_metadata("takt", {"incomplete": reasons})
    channel = _channel(writer, "/takt/incomplete", "Incomplete", _INCOMPLETE)
    _add(writer, channel, analysis, int(events["at"][0]), _cdr() + _string(reasons, 0))
    return 1


def _add(writer: Writer, channel: int, analysis: TraceAnalysis, monotonic_instant: int, data: bytes) -> None:
    instant = max(monotonic_instant + analysis.trace.to_wall_clock, 0)
    writer.add_message(channel_id=channel, log_time=instant, publish_time=instant, data=data)


def _cdr(*values: float) -> bytes:
    """Return the values as little-endian CDR with its header. Doubles at the beginning need no padding."""
    return b"\x00\x01\x00\x00" + struct.pack(f"<{len(values)}d", *values)


def _string(text: str, offset: int) -> bytes:
    encoded = text.encode() + b"\x00"
    return b"\x00" * (-offset % 4) + struct.pack("<I", len(encoded)) + encoded


def _topic(name: str) -> str:
    """Return a task's name as part of a valid topic name."""
    return re.sub(r"[^A-Za-z0-9_/]", "_", name).strip("/") or "unnamed"
