# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of traces in the formats of other tools, read back with those tools' own definitions."""

from __future__ import annotations

import math
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace as PerfettoTrace
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
from trace_samples import MS, TraceSample

from takt_cli.export.mcap_file import write_mcap
from takt_cli.export.perfetto_trace import write_perfetto
from takt_cli.results.kernel_file import SWITCHES
from takt_cli.results.trace_file import OUTSIDE, Kind, read_trace
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis

A, B, C = 0, 1, 2


@pytest.fixture
def analysis(tmp_path: Path) -> TraceAnalysis:
    """Return a trace in which C publishes and is preempted by A, which reads an earlier message of C and is late."""
    sample = TraceSample()
    sample.define("topic", topic=3, name="/scan")
    sample.define("scenario", scenario=2, name="fast")
    sample.release(C, 0)
    sample.start(C, 0, 100 * MS)
    sample.event(MS, Kind.publication, 3, 1, ring=4)
    sample.finish(C, 2 * MS)
    sample.release(A, MS)
    sample.start(A, 2 * MS, 10 * MS)
    # Two deliveries of one message, as if A had two subscriptions.
    sample.event(2 * MS + 5, Kind.delivery, 3, 1, MS, ring=2)
    sample.event(2 * MS + 6, Kind.delivery, 3, 1, MS, ring=2)
    sample.event(2 * MS + 7, Kind.delivery, 3, 9, 123, flags=OUTSIDE, ring=2)
    sample.job(C, 5 * MS, 5 * MS, 12 * MS, 100 * MS, 1)
    sample.event(5 * MS, Kind.refresh, C, 1, A, 3)
    sample.finish(A, 13 * MS, late=True)
    sample.event(14 * MS, Kind.scenario, 0, 2, 13 * MS)
    sample.event(15 * MS, Kind.skip, B, 7, 15 * MS, 2)
    sample.close()
    rows = [
        (0, 1, 7, 50, b"takt.w3", b"S"),
        (3 * MS, 1, 9, 50, b"irq/9", b"R+"),
        (4 * MS, 1, 0, 120, b"swapper/1", b"S"),
    ]
    traced = RecordedTrace(
        read_trace(sample.write(tmp_path / "t")), None, None, np.array(rows, SWITCHES), release="6.1.0"
    )
    return TraceAnalysis(traced)


def perfetto(analysis: TraceAnalysis, path: Path) -> tuple[dict[int, str], list[Any]]:
    """Return the names of tracks, and the packets of events."""
    written = write_perfetto(analysis, path)
    trace = PerfettoTrace()
    trace.ParseFromString(path.read_bytes())
    tracks = {p.track_descriptor.uuid: p.track_descriptor.name for p in trace.packet if p.HasField("track_descriptor")}
    events = [p for p in trace.packet if p.HasField("track_event")]
    switches = [event for p in trace.packet for event in p.ftrace_events.event]
    assert written == len(events) + len(switches)
    return tracks, events


def marks_of(tracks: dict[int, str], events: list[Any]) -> dict[tuple[str, str], dict[str, int | str]]:
    """Return the annotations of each mark, by the names of its track and of the mark."""
    return {
        (tracks[e.track_event.track_uuid], e.track_event.name): {
            a.name: a.string_value or a.int_value for a in e.track_event.debug_annotations
        }
        for e in events
        if e.track_event.type == TrackEvent.TYPE_INSTANT
    }


def decoded(path: Path) -> list[tuple[str, int, Any]]:
    """Return topic, time and message of each entry in a file."""
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        return [(channel.topic, m.log_time, ros) for _, channel, m, ros in reader.iter_decoded_messages()]


def test_perfetto_has_a_track_for_each_processor_and_task(analysis: TraceAnalysis, tmp_path: Path) -> None:
    tracks, events = perfetto(analysis, tmp_path / "p")
    assert sorted(tracks.values()) == ["CPU 1: fp", "n/a", "n/b", "n/c", "takt"]
    names = [
        (tracks[e.track_event.track_uuid], e.track_event.name, e.timestamp // MS)
        for e in events
        if e.track_event.type == TrackEvent.TYPE_SLICE_BEGIN
    ]
    on_cpu = [name[1:] for name in names if name[0] == "CPU 1: fp"]
    assert on_cpu == [("n/c", 0), ("n/a", 2), ("n/c", 5), ("n/a", 12)]
    assert [name[1:] for name in names if name[0] == "n/a"] == [("waits", 1), ("n/a", 2), ("preempted", 5)]


def test_the_kernels_switches_are_those_of_its_scheduler(analysis: TraceAnalysis, tmp_path: Path) -> None:
    write_perfetto(analysis, tmp_path / "p")
    trace = PerfettoTrace()
    trace.ParseFromString((tmp_path / "p").read_bytes())
    bundles = [p.ftrace_events for p in trace.packet if p.HasField("ftrace_events")]
    assert [bundle.cpu for bundle in bundles] == [1]
    switches = [(e.timestamp, e.pid, e.sched_switch) for e in bundles[0].event]
    assert [(at, pid, s.prev_comm, s.next_comm, s.next_pid, s.next_prio) for at, pid, s in switches] == [
        (3 * MS, 7, "takt.w3", "irq/9", 9, 50),
        (4 * MS, 9, "irq/9", "swapper/1", 0, 120),
    ]
    assert [s.prev_state for _, _, s in switches] == [256, 1]


def test_slices_of_a_track_nest(analysis: TraceAnalysis, tmp_path: Path) -> None:
    _, events = perfetto(analysis, tmp_path / "p")
    depth: Counter[int] = Counter()
    last: dict[int, int] = {}
    for packet in events:
        event = packet.track_event
        if event.type == TrackEvent.TYPE_INSTANT:
            continue
        assert packet.timestamp >= last.get(event.track_uuid, 0)
        last[event.track_uuid] = packet.timestamp
        depth[event.track_uuid] += 1 if event.type == TrackEvent.TYPE_SLICE_BEGIN else -1
        assert depth[event.track_uuid] >= 0
    assert not any(depth.values())


def test_arrows_lead_from_the_publishing_job_to_each_reading_job(analysis: TraceAnalysis, tmp_path: Path) -> None:
    tracks, events = perfetto(analysis, tmp_path / "p")
    ends = [
        (tracks[e.track_event.track_uuid], e.track_event.name, list(e.track_event.flow_ids))
        for e in events
        if e.track_event.flow_ids
    ]
    assert ends == [("n/c", "publishes /scan", [1, 2]), ("n/a", "reads /scan", [1]), ("n/a", "reads /scan", [2])]


def test_misses_refreshes_and_switches_are_marked(analysis: TraceAnalysis, tmp_path: Path) -> None:
    marks = marks_of(*perfetto(analysis, tmp_path / "p"))
    assert marks["n/a", "miss"] == {"job": 0, "mostly": "preempted by n/c"}
    assert marks["n/b", "skipped"]["job"] == 7
    assert marks["n/c", "refresh"]["for"] == "n/a"
    assert marks["CPU 1: fp", "scenario fast"] == {"asked_ns_before": MS}


def test_waits_for_entities_and_sections_at_their_bound_are_marked(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, 5 * MS, 100 * MS)
    sample.event(MS, Kind.expiry, A, 0, C, 1)
    sample.job(C, 5 * MS, 5 * MS, 9 * MS, 100 * MS)
    sample.wait(C, 6 * MS, 8 * MS, "/scan", A)
    sample.close()
    analysis = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, None))
    marks = marks_of(*perfetto(analysis, tmp_path / "p"))
    assert marks["n/a", "max_section reached"] == {"job": 0, "put_off": "n/c"}
    assert marks["n/c", "waited for /scan"] == {"job": 0, "used_by": "n/a", "waited_ns": 2 * MS}


def test_what_is_incomplete_says_so_in_the_file(tmp_path: Path) -> None:
    sample = TraceSample(1)
    sample.job(A, 0, MS, 2 * MS, 10 * MS)
    # A job whose finish was dropped is not drawn up to the end of the trace.
    sample.release(A, 5 * MS, 1)
    sample.start(A, 5 * MS, 15 * MS, 1)
    sample.event(50 * MS, Kind.spin)
    sample.close(dropped=3, dropped_1=3)
    analysis = TraceAnalysis(RecordedTrace(read_trace(sample.write(tmp_path / "t")), None, None))
    tracks, events = perfetto(analysis, tmp_path / "p")
    assert [e.timestamp for e in events if tracks[e.track_event.track_uuid] == "n/a"] == [0, MS, MS, 2 * MS]
    assert "takt (incomplete: 3 events of the trace were dropped (CPU 1: 3))" in tracks.values()
    write_mcap(analysis, tmp_path / "m")
    with (tmp_path / "m").open("rb") as file:
        metadata = {each.name: each.metadata for each in make_reader(file).iter_metadata()}
    assert "3 events" in metadata["takt"]["incomplete"]
    messages = {topic: ros for topic, _, ros in decoded(tmp_path / "m")}
    assert "3 events" in messages["/takt/incomplete"].why
    # Figures that depend on other events are not known.
    assert math.isnan(messages["/takt/jobs/n/a"].execution_ms)
    assert messages["/takt/jobs/n/a"].response_ms == 2.0


def test_mcap_holds_ros_messages_of_jobs_and_misses(analysis: TraceAnalysis, tmp_path: Path) -> None:
    assert write_mcap(analysis, tmp_path / "m") == 5
    messages = decoded(tmp_path / "m")
    late = next(ros for topic, _, ros in messages if topic == "/takt/jobs/n/a")
    assert (late.response_ms, late.lateness_ms, late.execution_ms, late.start_delay_ms) == (12.0, 3.0, 4.0, 1.0)
    assert late.index == 0
    assert [topic for topic, _, _ in messages].count("/takt/jobs/n/c") == 2
    misses = [(ros.task, ros.how, ros.mostly, ros.index) for topic, _, ros in messages if topic == "/takt/misses"]
    assert misses == [("n/a", "late", "preempted by n/c", 0), ("n/b", "skipped", "", 7)]
    assert all(
        math.isnan(ros.late_ms) for topic, _, ros in messages if topic == "/takt/misses" and ros.how == "skipped"
    )
    assert min(at for _, at, _ in messages) == 1_700_000_000 * 10**9 + 2 * MS


def test_mcap_messages_are_cdr_as_ros_reads_it(analysis: TraceAnalysis, tmp_path: Path) -> None:
    write_mcap(analysis, tmp_path / "m")
    with (tmp_path / "m").open("rb") as file:
        read = [(schema, channel, m.data) for schema, channel, m in make_reader(file).iter_messages()]
    encodings = {(schema and schema.encoding, channel.message_encoding) for schema, channel, _ in read}
    assert encodings == {("ros2msg", "cdr")}
    late = next(data for _, channel, data in read if channel.topic == "/takt/jobs/n/a")
    assert late == b"\x00\x01\x00\x00" + struct.pack("<4dQ", 12.0, 3.0, 4.0, 1.0, 0)
    miss = next(data for _, channel, data in read if channel.topic == "/takt/misses")
    texts = struct.pack("<I4s I5s3x I17s", 4, b"n/a", 5, b"late", 17, b"preempted by n/c")
    assert miss == b"\x00\x01\x00\x00" + struct.pack("<dQ", 3.0, 0) + texts
