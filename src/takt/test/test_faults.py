# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A process dies, restarts or is stopped: the process at the other end of its topic continues undisturbed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import Program

FAST_DDS = str(Path(__file__).parent / "fastdds_short_lease.xml")
CYCLONE_DDS = "<Discovery><LeaseDuration>3 s</LeaseDuration></Discovery>"
SHORT_LEASE = {
    "FASTRTPS_DEFAULT_PROFILES_FILE": FAST_DDS,
    "FASTDDS_DEFAULT_PROFILES_FILE": FAST_DDS,
    "CYCLONEDDS_URI": CYCLONE_DDS,
}
ROUNDS = 3


@pytest.fixture
def stream(start: Callable[..., Program], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Program]:
    """Starts one end of a stream, with a lease of 3 s, so that the other end soon notices if it is killed."""
    for name, value in SHORT_LEASE.items():
        monkeypatch.setenv(name, value)

    def start_one(name: str) -> Program:
        program = start(name)
        program.wait_for("ready")
        return program

    return start_one


def assert_still_runs(program: Program) -> None:
    """Waits until its timer has reported twice more. It reports after every fifty jobs."""
    since = len(program.lines)
    for _ in range(2):
        program.wait_for("steady", since)
        since = len(program.lines)


def is_unharmed(program: Program) -> None:
    program.stop()
    report = program.lines[-1].split()
    assert report[0] == "steady"
    assert report[2:] == ["broken", "0"], "jobs of its timer were off the grid, out of order or early"
    assert not program.printed("broken:"), "messages were out of order"


def held(program: Program) -> tuple[int, int]:
    """How many threads and descriptors it has."""
    process = Path(f"/proc/{program.pid}")
    return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "ended"])
def test_a_reader_continues_while_its_writer_ends_and_restarts(
    stream: Callable[[str], Program], how: signal.Signals
) -> None:
    reader = stream("fault_reader")
    writer = stream("fault_writer")
    reader.wait_for("heard another")
    after_each = []
    for _ in range(ROUNDS):
        since = len(reader.lines)
        writer.end(how)
        assert_still_runs(reader)
        reader.wait_for("matched 0", since)
        since = len(reader.lines)
        writer = stream("fault_writer")
        reader.wait_for("matched 1", since)
        reader.wait_for("heard another", since)
        assert_still_runs(reader)
        after_each.append(held(reader))
    # The middleware frees resources with a delay, so one increase is no leak: a leak grows in every round.
    for what, counts in zip(("threads", "descriptors"), zip(*after_each, strict=True), strict=True):
        assert any(now <= then for then, now in pairwise(counts)), f"{what} leak: {counts}"
    is_unharmed(reader)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "ended"])
def test_a_writer_continues_while_its_reader_ends_and_restarts(
    stream: Callable[[str], Program], how: signal.Signals
) -> None:
    writer = stream("fault_writer")
    reader = stream("fault_reader")
    reader.wait_for("heard another")
    for _ in range(ROUNDS):
        since = len(writer.lines)
        reader.end(how)
        assert_still_runs(writer)
        writer.wait_for("matched 0", since)
        since = len(writer.lines)
        reader = stream("fault_reader")
        writer.wait_for("matched 1", since)
        reader.wait_for("heard another")
    is_unharmed(writer)


def test_each_end_continues_while_and_after_the_other_is_stopped(start: Callable[..., Program]) -> None:
    writer = start("fault_writer")
    reader = start("fault_reader")
    reader.wait_for("heard another")
    for program, other in [(reader, writer), (writer, reader)] * ROUNDS:
        with program.halted():
            assert_still_runs(other)
        assert_still_runs(program)
    for program in (writer, reader):
        assert not program.printed("blocks"), "takt reported that a callback blocks"
        assert not program.printed("has not returned"), "takt reported that a callback has not returned"
        is_unharmed(program)
