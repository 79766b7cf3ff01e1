# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Background load of a run: stress-ng at ordinary priority, verified to run, and recorded as achieved."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from takt_cli.errors import HostError, RunError
from takt_cli.host.processes import Child
from takt_cli.host.system import THIS_HOST
from takt_cli.run.session import Session

# The arguments of stress-ng for each kind of load; one stress-ng runs on each CPU.
KINDS = {"cpu": ("--cpu", "1", "--cpu-method", "all")}
_STARTING = 20.0


class RunningLoad:
    """A load that is running."""

    def __init__(self, kind: str, program: str, children: dict[int, Child]) -> None:
        self._kind = kind
        self._program = program
        self._children = children
        self._start_time = time.monotonic()
        self._cpu_at_start = {cpu: _cpu_time_used(child.pid) for cpu, child in children.items()}

    def achieved(self) -> dict[str, Any]:
        """Return what the load has done so far. Raises a RunError if it no longer runs."""
        seconds = time.monotonic() - self._start_time
        cpu_times = {cpu: _cpu_time_used(child.pid) - self._cpu_at_start[cpu] for cpu, child in self._children.items()}
        for cpu, child in self._children.items():
            child.check()
            if not child.running() or cpu_times[cpu] <= 0:
                raise RunError(f"the load on CPU {cpu} did not run to the end: {child.name} used no CPU time")
        return {
            "asked": self._kind,
            "by": _version(self._program),
            "seconds": seconds,
            "share_of_cpu": {str(cpu): cpu_times[cpu] / seconds for cpu in cpu_times},
        }


@contextmanager
def background_load(kind: str | None, session: Session, cpus: list[int]) -> Iterator[RunningLoad | None]:
    """Run one worker on each CPU while the context is open, each pinned to its CPU: otherwise they would move away from
    real-time processes. None: no load. Raises a TaktError."""
    if kind is None:
        yield None
        return
    program = shutil.which("stress-ng")
    if program is None:
        raise HostError("stress-ng is not installed; `make setup` installs it")
    children = {cpu: _start(kind, program, session, cpu) for cpu in cpus}
    deadline = time.monotonic() + _STARTING
    while not all(_cpu_time_used(child.pid) > 0 for child in children.values()):
        for child in children.values():
            child.check()
        if time.monotonic() > deadline:
            raise RunError(f"the load did not start within {_STARTING:g} s")
        time.sleep(0.02)
    yield RunningLoad(kind, program, children)
    for child in children.values():
        child.end(2.0)


def _start(kind: str, program: str, session: Session, cpu: int) -> Child:
    name = f"stress-ng on CPU {cpu}"
    arguments = [*KINDS[kind], "--taskset", str(cpu), "--timeout", "0", "--quiet", "--temp-path", str(session.work)]
    return session.children.start(name, [program, *arguments], session.work / f"stress-{cpu}.log")


def _cpu_time_used(session: int) -> float:
    return sum(member.seconds for member in THIS_HOST.members(session))


def _version(program: str) -> str:
    output = subprocess.run(
        [program, "--version"], capture_output=True, encoding="utf-8", errors="replace", check=False
    ).stdout
    return " ".join(output.split()[:3]).rstrip(",")
