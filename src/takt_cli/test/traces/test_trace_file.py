# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the reader of traces: it reads every file, or says in one line what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_samples import HEADER, MS, TraceSample, record, text

from takt_cli.errors import ResultError
from takt_cli.results.trace_file import Kind, Trace, read_trace
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis


def test_events_come_in_order_of_time_with_their_names(tmp_path: Path) -> None:
    sample = TraceSample(2)
    sample.define("topic", topic=4, name="/scan")
    sample.define("scenario", scenario=1, name="fast")
    sample.define("weather", degrees=21)  # of a later version
    sample.finish(0, 9 * MS)
    sample.release(0, 5 * MS)
    sample.start(0, 6 * MS, 105 * MS)
    sample.close()
    trace = read_trace(sample.write(tmp_path / "t"))
    assert trace.events["kind"].tolist() == [Kind.release, Kind.choice, Kind.start, Kind.finish]
    assert (trace.task_name(0), trace.task_name(1), trace.task_name(77)) == ("n/a", "n/b", "task 77")
    assert (trace.topics, trace.scenarios) == ({4: "/scan"}, {1: "fast"})
    assert trace.processors[0].cpu == 1
    assert trace.to_wall_clock == 1_700_000_000 * 10**9
    assert trace.holes == []


def test_what_happens_at_one_instant_is_in_the_order_in_which_it_was_done(tmp_path: Path) -> None:
    sample = TraceSample(2)
    sample.start(1, 7, 100)
    sample.release(1, 7)
    sample.finish(0, 7)
    trace = read_trace(sample.write(tmp_path / "t"))
    assert trace.events["kind"].tolist() == [Kind.finish, Kind.release, Kind.choice, Kind.start]


def test_drops_and_a_missing_end_are_holes(tmp_path: Path) -> None:
    sample = TraceSample(1)
    assert read_trace(sample.write(tmp_path / "t")).holes == ["the program ended before its trace was closed"]
    sample.close(dropped=7, dropped_1=5, dropped_2=2)
    holes = read_trace(sample.write(tmp_path / "t")).holes
    assert holes == ["7 events of the trace were dropped (CPU 1: 5, takt.w1 of CPU 1: 2)"]
    refused = TraceSample(1)
    refused.define("end", written=0, dropped=0, rings_refused=2)
    assert "2 events of the trace were dropped" in read_trace(refused.write(tmp_path / "t")).holes[0]


def test_consecutive_skipped_releases_are_given_by_the_first_and_the_last(tmp_path: Path) -> None:
    sample = TraceSample(2)
    sample.event(900, Kind.skip, 0, 4, 500)
    sample.event(900, Kind.skip, 1, 7, 700)  # of another ring, between the two
    sample.body = sample.body[:-1] + b"\x02"
    sample.event(900, Kind.skips, 0, 7, 800)
    trace = read_trace(sample.write(tmp_path / "t"))
    mine = trace.events[trace.events["task"] == 0]
    assert set(trace.events["kind"]) == {Kind.skip}
    assert list(zip(mine["at"], mine["index"], mine["value"], strict=True)) == [
        (900, 4, 500), (900, 5, 600), (900, 6, 700), (900, 7, 800),
    ]  # fmt: skip
    assert len(trace.events) == 5


def test_a_wait_has_the_name_that_follows_it(tmp_path: Path) -> None:
    sample = TraceSample(2)
    sample.wait(0, 100, 900, "/a/name/of/more/than/16", user=1)
    sample.wait(1, 200, 900, "/b")
    sample.wait(1, 300, 950, "/a/name/of/more/than/16")
    sample.event(960, Kind.name_, 2, 7, 7, ring=2)  # whose wait was dropped
    trace = read_trace(sample.write(tmp_path / "t"))
    assert set(trace.events["kind"]) == {Kind.wait}
    names = [trace.entities[index] for index in trace.events["index"].tolist()]
    assert names == ["/a/name/of/more/than/16", "/b", "/a/name/of/more/than/16"]
    assert trace.events["value"].tolist() == [100, 200, 300]
    assert trace.processors[0].max_section is None


def test_the_end_of_a_row_whose_beginning_was_dropped_is_left_out(tmp_path: Path) -> None:
    sample = TraceSample(1)
    sample.event(900, Kind.skips, 0, 7, 800)
    assert len(read_trace(sample.write(tmp_path / "t")).events) == 0


def test_a_record_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    sample = TraceSample(1)
    sample.release(0, 5)
    sample.body += b"\x07" * 20
    assert len(read_trace(sample.write(tmp_path / "t")).events) == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"takt", "too short"),
        (b"takttrac", "too short"),
        (b"x" * 64, "not a trace"),
        (HEADER[:8] + b"\x02" + HEADER[9:], "version 2"),
        (HEADER + record(0, 99), "kind 99"),
        (HEADER + record(0, Kind.skip, 0, 5) + record(0, Kind.skips, 0, 4), "skipped in a row"),
        (HEADER + record(0, Kind.skip, 0, 5) + record(0, Kind.skips, 0, 2**40), "skipped in a row"),
        (HEADER + text("[1]\n"), "defines nothing"),
        (HEADER + text("{\n"), "not JSON"),
        (HEADER + text('{"define": "task", "task": 1}\n'), "incomplete or wrong: .*`name`"),
        (HEADER + text('{"define": "task", "task": "x", "name": "a"}\n'), "incomplete or wrong"),
        (HEADER + text('{"define": "ring", "ring": "x"}\n'), "incomplete or wrong: .*ring"),
        (HEADER + text('{"define": "end", "dropped": 1}\n'), "incomplete or wrong: .*rings_refused"),
        (HEADER + text('{"define": "end", "dropped": 1, "rings_refused": 0, "dropped_x": 1}\n'), "incomplete or wrong"),
        (HEADER + record(0, 0, task=25), "a text of 25 bytes"),
        (HEADER + record(0, Kind.wait) + record(0, Kind.name_, task=17), "17 bytes of a name"),
    ],
)
def test_what_is_no_trace_is_an_error_of_one_line(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(ResultError, match=says) as caught:
        read_trace(tmp_path / "t")
    assert str(tmp_path / "t") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trace_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="no such file"):
        read_trace(tmp_path / "nothing")
    with pytest.raises(ResultError, match=r"cannot be read|too short|no such file"):
        read_trace(tmp_path)


def refusal(path: Path) -> str:
    """Return why the file cannot be read; empty if it can be read and its figures can be computed."""
    try:
        TraceAnalysis(RecordedTrace(read_trace(path), None, None)).summary()
    except ResultError as error:
        return str(error)
    return ""


def _whole() -> bytes:
    sample = TraceSample(3)
    sample.define("topic", topic=1, name="/t")
    for k in range(3):
        sample.job(2, k * 100 * MS, k * 100 * MS + MS, k * 100 * MS + 3 * MS, (k + 1) * 100 * MS, k)
        sample.job(0, k * 100 * MS, k * 100 * MS + 4 * MS, k * 100 * MS + 150 * MS, (k + 1) * 100 * MS, k)
        sample.event(k * 100 * MS + 2 * MS, Kind.publication, 1, k, ring=4)
    sample.close()
    return HEADER + sample.body


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.integers(0, len(_whole())),
    changes=st.lists(st.tuples(st.integers(0, len(_whole()) - 1), st.integers(0, 255)), max_size=8),
)
def test_a_damaged_trace_is_read_or_refused(cut: int, changes: list[tuple[int, int]], tmp_path: Path) -> None:
    content = bytearray(_whole())
    for place, byte in changes:
        content[place] = byte
    path = tmp_path / "t"
    path.write_bytes(bytes(content[:cut]))
    assert "\n" not in refusal(path)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=640))
def test_noise_is_read_or_refused(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(HEADER + body)
    assert "\n" not in refusal(path)


def trace_of_one_number(folder: Path, *later_names: str) -> Trace:
    """Return a trace of jobs with the same task number, which belongs first to `n/a` and then to tasks of these
    names."""
    sample = TraceSample(1)
    sample.job(0, 0, 0, MS, 10 * MS, 0)
    for k, name in enumerate(later_names, 1):
        facts = {"from": (100 * k - 50) * MS, "name": name, "kind": "timer", "priority": 1, "group": 0}
        sample.define("task", task=0, period=100 * MS, deadline=100 * MS, **facts)
        sample.job(0, k * 100 * MS, k * 100 * MS, (k * 100 + 1) * MS, (k * 100 + 10) * MS, k)
    sample.close()
    return read_trace(sample.write(folder / "a.trace"))


def names_of_jobs(trace: Trace) -> list[str]:
    finished = trace.events[trace.events["kind"] == Kind.finish]
    return [trace.task_name(int(number)) for number in finished["task"]]


def test_the_number_of_a_removed_task_may_be_given_to_others(tmp_path: Path) -> None:
    trace = trace_of_one_number(tmp_path, "n/second", "n/third")
    assert names_of_jobs(trace) == ["n/a", "n/second", "n/third"]
    assert {trace.processor_of(number) for number in trace.tasks} == {0}


def test_a_task_that_is_added_again_is_the_same(tmp_path: Path) -> None:
    trace = trace_of_one_number(tmp_path, "n/other", "n/a")
    assert names_of_jobs(trace) == ["n/a", "n/other", "n/a"]
    assert sorted(task.name for task in trace.tasks.values()) == ["n/a", "n/other"]
