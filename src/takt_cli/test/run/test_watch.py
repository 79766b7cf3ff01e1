# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whoever waits for programs does not take a stall of the host for their lateness."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.processes import Child, Children
from takt_cli.run.limits import Limits
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session
from takt_cli.run.watch import watch_runners

LIMITS = Limits(matching=30.0, rest=30.0)


class _Stall:
    """Lets the clock jump by an hour once a program is in its grid, and lets it end only after another look."""

    def __init__(self, program: Child, go: Path) -> None:
        self._program, self._go = program, go
        self._monotonic, self._sleep = time.monotonic, time.sleep
        self._length = 0.0

    def monotonic(self) -> float:
        return self._monotonic() + self._length

    def sleep(self, seconds: float) -> None:
        if self._length:
            self._go.touch()
        elif self._program.has_printed("t0"):
            self._length = 3600.0
        self._sleep(seconds)


def test_a_stall_of_the_host_ends_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = tmp_path / "go"
    wait = f"echo t0 1; while [ ! -e {go} ]; do sleep 0.01; done; echo files"
    with Children(allowed_cpus()) as children:
        runner = children.start("runner", ["sh", "-c", wait], tmp_path / "log")
        nothing = SimpleNamespace(take_sample_if_due=lambda: None, note=lambda _: None)
        session = cast(Session, SimpleNamespace(intruders=nothing, shared=nothing, children=children))
        stall = _Stall(runner, go)
        fakes: dict[str, Any] = {"monotonic": stall.monotonic, "sleep": stall.sleep}
        for name, fake in fakes.items():
            monkeypatch.setattr(time, name, fake)
        assert watch_runners(session, [runner], [], 0.5, LIMITS, Progress(1, 0.5)) == []
