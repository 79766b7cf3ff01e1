# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Export of a trace for the Perfetto viewer.

It has a track for each processor and each task, arrows from publications to deliveries, marks, and the kernel's
scheduling if that was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace as PerfettoTrace
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackDescriptor, TrackEvent

from takt_cli.results.atomic_file import atomic_file
from takt_cli.results.sample_files import Ints
from takt_cli.results.trace_file import OUTSIDE, Kind
from takt_cli.traces.jobs import NEVER, Activity, Jobs, events_with_their_jobs
from takt_cli.traces.summary import TraceAnalysis
from takt_cli.traces.waits import Waits

_SEQUENCE = 1
# The number of packets serialised at a time, which bounds memory; it does not affect the file.
_BATCH = 10_000
# The number of the kernel's context switches in a packet.
_BUNDLE = 500
_ROOT, _PROCESSORS, _TASKS = 1, 0x1_0000_0000, 0x3_0000_0000
# The viewer's numbers of clocks. Instants of CLOCK_MONOTONIC are declared as CLOCK_BOOTTIME, its default clock.
_REALTIME, _BOOTTIME = 1, 6
# The numbers that sched_switch uses for the kernel's letters of thread states, since Linux 4.14.
_STATES = {"R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 16, "Z": 32, "P": 64, "I": 128, "+": 256}


def write_perfetto(analysis: TraceAnalysis, path: Path) -> int:
    """Write the trace to `path`, and return the number of events in the file.

    Instants are of CLOCK_MONOTONIC, as in the trace.
    """
    with atomic_file(path) as file:
        writer = _Writer(file)
        _clocks(writer, analysis)
        _tracks(writer, analysis)
        _processors(writer, analysis)
        _tasks(writer, analysis)
        _arrows(writer, analysis)
        _marks(writer, analysis)
        _kernel(writer, analysis)
        writer.flush()
        return writer.events


class _Writer:
    """Collects packets and writes them to the file in batches."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._trace = PerfettoTrace()
        self.events = 0

    def flush(self) -> None:
        """Write the collected packets to the file."""
        self._file.write(self._trace.SerializeToString())
        self._trace = PerfettoTrace()

    def packet(self) -> Any:
        """Return a new packet to be filled in."""
        if len(self._trace.packet) >= _BATCH:
            self.flush()
        packet = self._trace.packet.add()
        packet.trusted_packet_sequence_id = _SEQUENCE
        return packet

    def track(self, uuid: int, name: str, parent: int = 0, rank: int = 0) -> None:
        """Declare a track; tracks of the same parent are ordered by `rank`."""
        track = self.packet().track_descriptor
        track.uuid = uuid
        track.name = name
        track.child_ordering = TrackDescriptor.EXPLICIT
        track.sibling_order_rank = rank
        if parent:
            track.parent_uuid = parent

    def _event(self, track: int, instant: int, kind: TrackEvent.Type, name: str = "") -> TrackEvent:
        packet = self.packet()
        packet.timestamp = instant
        event = packet.track_event
        event.type = kind
        event.track_uuid = track
        if name:
            event.name = name
        self.events += 1
        return event

    def slice(self, track: int, begin: int, end: int, name: str, **facts: int | str) -> None:
        """Write a slice from `begin` to `end`, with facts that the viewer shows beside it."""
        event = self._event(track, begin, TrackEvent.TYPE_SLICE_BEGIN, name)
        _annotate(event, facts)
        self._event(track, end, TrackEvent.TYPE_SLICE_END)

    def begin(self, track: int, instant: int, name: str, **facts: int | str) -> None:
        """Write the beginning of a slice, in which further slices may be nested until `end`."""
        _annotate(self._event(track, instant, TrackEvent.TYPE_SLICE_BEGIN, name), facts)

    def end(self, track: int, instant: int) -> None:
        """Write the end of the slice that began last on the track."""
        self._event(track, instant, TrackEvent.TYPE_SLICE_END)

    def mark(self, track: int, instant: int, name: str, facts: dict[str, int | str], flows: Sequence[int] = ()) -> None:
        """Write an instant event. Events with the same flow id are connected by an arrow."""
        event = self._event(track, instant, TrackEvent.TYPE_INSTANT, name)
        event.flow_ids.extend(flows)
        _annotate(event, facts)


def _annotate(event: TrackEvent, facts: dict[str, int | str]) -> None:
    for name, value in facts.items():
        annotation = event.debug_annotations.add()
        annotation.name = name
        if isinstance(value, str):
            annotation.string_value = value
        else:
            annotation.int_value = value


def _clocks(writer: _Writer, analysis: TraceAnalysis) -> None:
    """Write the relation of the clocks and the kernel's release.

    The viewer needs the former for the time of day, and the latter to decode the states of threads.
    """
    events = analysis.trace.events
    first_instant = int(events["at"][0]) if len(events) else 0
    snapshot = writer.packet().clock_snapshot
    snapshot.clocks.add(clock_id=_BOOTTIME, timestamp=first_instant)
    snapshot.clocks.add(clock_id=_REALTIME, timestamp=max(first_instant + analysis.trace.to_wall_clock, 0))
    if analysis.traced.release:
        system = writer.packet().system_info.utsname
        system.sysname, system.release = "Linux", analysis.traced.release


def _tracks(writer: _Writer, analysis: TraceAnalysis) -> None:
    """Declare the tracks: processors first, then tasks, the most urgent first."""
    trace, jobs = analysis.trace, analysis.jobs
    holes = "; ".join(trace.holes)
    writer.track(_ROOT, "takt" + (f" (incomplete: {holes})" if holes else ""))
    if holes and len(trace.events):
        writer.mark(_ROOT, int(trace.events["at"][0]), f"incomplete: {holes}", {})
    for first, processor in trace.processors.items():
        writer.track(_PROCESSORS + first, f"CPU {processor.cpu}: {processor.policy}", _ROOT, processor.cpu)
    levels = {task: int(jobs.level[jobs.task == task].max()) for task in np.unique(jobs.task).tolist()}
    for rank, task in enumerate(sorted(levels, key=lambda task: -levels[task]), 1000):
        writer.track(_TASKS + task, trace.task_name(task), _ROOT, rank)


def _processors(writer: _Writer, analysis: TraceAnalysis) -> None:
    slices = analysis.slices
    rows = zip(slices.first_task, slices.task, slices.index, slices.begin, slices.end, slices.activity, strict=True)
    for first, task, index, begin, end, activity in rows:
        name = analysis.trace.task_name(int(task))
        if activity == Activity.comes:
            name = f"wake-up of {name}"
        elif activity == Activity.background:
            name = f"{name} (background)"
        writer.slice(_PROCESSORS + int(first), int(begin), int(end), name, job=_number(int(index)))


def _tasks(writer: _Writer, analysis: TraceAnalysis) -> None:
    """Write each job from start to finish, with its preemptions inside and its wait for the start before it."""
    slices = analysis.slices
    end_of_trace = int(analysis.trace.events["at"].max()) if len(analysis.trace.events) else 0
    order = np.lexsort((slices.begin, slices.index, slices.task))
    for task in np.unique(analysis.jobs.task).tolist():
        track, free_from = _TASKS + task, -1
        jobs = analysis.jobs.select((analysis.jobs.task == task) & (analysis.jobs.start >= 0))
        for job in np.argsort(jobs.start, kind="stable").tolist():
            start, finish = int(jobs.start[job]), int(jobs.finish[job])
            if finish < 0 and analysis.trace.dropped:
                continue  # its end may have been dropped: whether it was still running is unknown
            finish = finish if finish >= 0 else end_of_trace
            release = max(int(jobs.release[job]), free_from)
            if 0 <= release < start:
                writer.slice(track, release, start, "waits")
            writer.begin(track, start, analysis.trace.task_name(task), **_facts(jobs, job))
            for begin, gap_end in _gaps(analysis, order, task, int(jobs.index[job]), start, finish):
                writer.slice(track, begin, gap_end, "preempted")
            writer.end(track, finish)
            free_from = finish


def _gaps(
    analysis: TraceAnalysis, order: Ints, task: int, index: int, start: int, finish: int
) -> Iterator[tuple[int, int]]:
    """Yield the intervals between the job's start and finish in which it did not have the processor."""
    slices = analysis.slices
    first, end_index = np.searchsorted(slices.task[order], (task, task + 1))
    slices_of_task = order[first:end_index]
    low, high = np.searchsorted(slices.index[slices_of_task], (np.uint64(index), np.uint64(index + 1)))
    covered = start
    for i in slices_of_task[low:high]:
        begin, end = int(slices.begin[i]), int(slices.end[i])
        if end <= start or begin >= finish:
            continue
        if begin > covered:
            yield covered, begin
        covered = max(covered, end)
    if covered < finish:
        yield covered, finish


def _facts(jobs: Jobs, job: int) -> dict[str, int | str]:
    facts: dict[str, int | str] = {"job": _number(int(jobs.index[job])), "level": int(jobs.level[job])}
    release, finish, deadline = int(jobs.release[job]), int(jobs.finish[job]), int(jobs.deadline[job])
    if release >= 0 and finish >= 0:
        facts["response_ns"] = finish - release
    if 0 <= deadline < NEVER:
        facts["deadline_in_ns"] = deadline - release
        if finish >= 0:
            facts["margin_ns"] = deadline - finish
    return facts


def _number(index: int) -> int | str:
    """Return the number of a job. Extra releases, which are numbered from 2^63 on, are shown as `extra N`."""
    return index if index < 1 << 63 else f"extra {index - (1 << 63)}"


def _arrows(writer: _Writer, analysis: TraceAnalysis) -> None:
    """Write arrows from each publication inside the process to all of its deliveries."""
    trace = analysis.trace
    sent, senders = events_with_their_jobs(trace, Kind.publication)
    received, receivers = events_with_their_jobs(trace, Kind.delivery)
    # Each reader has a flow of its own: a single one would be drawn from reader to reader.
    flows: dict[tuple[int, int, int], list[int]] = {}
    for number, event in enumerate(received, 1):
        if not event["flags"] & OUTSIDE:
            flows.setdefault((int(event["task"]), int(event["index"]), int(event["value"])), []).append(number)
    known_flows: set[int] = set()
    for event, job in zip(sent, senders, strict=True):
        topic, sequence, instant = int(event["task"]), int(event["index"]), int(event["at"])
        name = f"publishes {trace.topics.get(topic, f'topic {topic}')}"
        flows_of_message = flows.get((topic, sequence, instant), [])
        known_flows.update(flows_of_message)
        writer.mark(_TASKS + int(job["task"]), instant, name, {"sequence": sequence}, flows_of_message)
    for number, (event, job) in enumerate(zip(received, receivers, strict=True), 1):
        topic, sequence = int(event["task"]), int(event["index"])
        name = f"reads {trace.topics.get(topic, f'topic {topic}')}"
        flow = [number] if number in known_flows else []
        writer.mark(_TASKS + int(job["task"]), int(event["at"]), name, {"sequence": sequence}, flow)


def _marks(writer: _Writer, analysis: TraceAnalysis) -> None:
    trace = analysis.trace
    for missed in analysis.missed:
        instant = missed.deadline if missed.deadline < NEVER else missed.release
        words = missed.main_part.description() if missed.main_part is not None else ""
        name = (
            "miss"
            if missed.kind in ("late", "unfinished")
            else f"skipped{' (stale)' if missed.kind == 'stale' else ''}"
        )
        writer.mark(_TASKS + missed.task, instant, name, {"job": _number(missed.index), "mostly": words})
    for kind, name in ((Kind.refresh, "refresh"), (Kind.raise_, "raised"), (Kind.lower, "to the background")):
        for event in trace.events[trace.events["kind"] == kind]:
            facts: dict[str, int | str] = {"job": _number(int(event["index"]))}
            if kind != Kind.lower and event["value"] >= 0:
                facts["for"] = trace.task_name(int(event["value"]))
            writer.mark(_TASKS + int(event["task"]), int(event["at"]), name, facts)
    waits = Waits(trace)
    for (task, index), wait in waits.items():
        facts = {"job": _number(index), "used_by": waits.user(wait), "waited_ns": wait.end - wait.begin}
        writer.mark(_TASKS + task, wait.end, f"waited for {wait.name}", facts)
    for event in trace.events[trace.events["kind"] == Kind.expiry]:
        facts = {"job": _number(int(event["index"]))}
        if event["value"] >= 0:
            facts["put_off"] = trace.task_name(int(event["value"]))
        writer.mark(_TASKS + int(event["task"]), int(event["at"]), "max_section reached", facts)
    for event in trace.events[trace.events["kind"] == Kind.scenario]:
        number = int(event["index"])
        name = f"scenario {trace.scenarios.get(number, number)}"
        track = _PROCESSORS + trace.processor_of(int(event["task"]))
        writer.mark(track, int(event["at"]), name, {"asked_ns_before": int(event["at"] - event["value"])})


def _kernel(writer: _Writer, analysis: TraceAnalysis) -> None:
    """Write the kernel's context switches in the form in which Perfetto records them itself."""
    kernel = analysis.traced.kernel
    if kernel is None:
        return
    for cpu in np.unique(kernel["cpu"]).tolist():
        switches = kernel[kernel["cpu"] == cpu]
        for begin in range(1, len(switches), _BUNDLE):
            bundle = writer.packet().ftrace_events
            bundle.cpu = cpu
            for previous, row in zip(
                switches[begin - 1 : begin - 1 + _BUNDLE], switches[begin : begin + _BUNDLE], strict=False
            ):
                _switch(bundle.event.add(), previous, row)
                writer.events += 1


def _switch(event: Any, previous: Any, row: Any) -> None:
    event.timestamp, event.pid = int(row["at"]), int(previous["tid"])
    switch = event.sched_switch
    switch.prev_comm, switch.next_comm = (bytes(each["comm"]).decode("utf-8", "replace") for each in (previous, row))
    switch.prev_pid, switch.next_pid = int(previous["tid"]), int(row["tid"])
    switch.prev_prio, switch.next_prio = int(previous["priority"]), int(row["priority"])
    switch.prev_state = sum(_STATES.get(letter, 0) for letter in bytes(row["left"]).decode("ascii", "replace"))
