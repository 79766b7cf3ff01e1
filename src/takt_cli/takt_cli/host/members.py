# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The processes of a session, such as those that a child process leading one has started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# Indices into the fields of /proc/PID/stat behind the name, which may contain blanks (see proc(5)).
_STATE, _PARENT, _SESSION, _USER, _SYSTEM, _STARTED = 0, 1, 3, 11, 12, 19


@dataclass(frozen=True)
class Member:
    """A process: its IDs, its CPU time so far in seconds, and when it started, in ticks since boot."""

    pid: int
    parent: int
    session: int
    name: str
    state: str
    seconds: float
    started: int

    @property
    def alive(self) -> bool:
        return self.state not in "ZX"


def member(pid: int) -> Member | None:
    """Return the process with this ID, or None."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None  # it has ended
    name, _, after_name = text.partition("(")[2].rpartition(")")
    fields = after_name.split()
    if len(fields) <= _STARTED:
        return None
    seconds = (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
    parent, session = int(fields[_PARENT]), int(fields[_SESSION])
    return Member(pid, parent, session, name, fields[_STATE], seconds, int(fields[_STARTED]))


def members(session: int) -> list[Member]:
    """Return the processes of a session without its leader, which only supervises them."""
    pids = (int(process.name) for process in Path("/proc").iterdir() if process.name.isdigit())
    candidates = (member(pid) for pid in pids if pid != session)
    return [each for each in candidates if each is not None and each.session == session]
