# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the explanations of why an executor does not answer."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from waiting import wait_until

from takt_cli.host.system import THIS_HOST
from takt_cli.live.silence import explain_silence

NOBODY = 54321


@contextmanager
def sleeper(user: int | None = None) -> Iterator[int]:
    process = subprocess.Popen(["sleep", "1000"], user=user)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@contextmanager
def process_of_other_user() -> Iterator[int]:
    """Yield the ID of a process of another user."""
    if os.geteuid() != 0:
        yield 1
        return
    with sleeper(NOBODY) as pid:
        yield pid


def test_a_process_of_another_user_is_named_as_the_cause() -> None:
    with process_of_other_user() as pid:
        user = "root" if pid == 1 else f"#{NOBODY}"
        explanation = explain_silence([f"/takt_{pid}", f"/robot/takt_{pid}_2"])
        assert explanation.startswith(f"no answer from /takt_{pid}: process {pid} belongs to the user {user}, and the ")
        assert f"no answer from /robot/takt_{pid}_2: process {pid} belongs to the user {user}" in explanation
        assert "too busy" not in explanation


def test_a_stopped_process_is_named_as_the_cause() -> None:
    with sleeper() as pid:
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: (found := THIS_HOST.task(pid)) is not None and found.state == "T", "it has stopped")
        line = f"no answer from /takt_{pid}: process {pid} is stopped; continue it (kill -CONT {pid})"
        assert explain_silence([f"/takt_{pid}"]) == line


def test_possible_causes_are_listed_if_the_process_is_not_known() -> None:
    why = "the process may be stopped or belong to another user, or the host may be too busy"
    running = f"/takt_{os.getpid()}"
    for names in (["/rover"], ["/takt_9999999"], [running], ["/rover", running]):
        assert explain_silence(names) == f"no answer from {', '.join(names)}: {why}"
