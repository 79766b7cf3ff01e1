# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Threads and processes as the kernel describes them in /proc."""

from __future__ import annotations

import os
from dataclasses import dataclass

POLICIES = {0: "OTHER", 1: "FIFO", 2: "RR", 3: "BATCH", 5: "IDLE", 6: "DEADLINE", 7: "EXT"}
REALTIME = ("FIFO", "RR", "DEADLINE")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# Indices into the fields of a file `stat` behind the name, which may contain blanks (see proc(5)).
_STATE, _PARENT, _SESSION, _FLAGS, _USER, _SYSTEM, _STARTED, _PRIORITY, _POLICY = 0, 1, 3, 6, 11, 12, 19, 37, 38
_KERNEL_THREAD = 0x00200000


@dataclass(frozen=True)
class Task:
    """A thread, or a process, which is described by its first thread. `seconds` is its CPU time so far; `started`, in
    ticks since boot, tells it from a later one with the same ID."""

    pid: int
    tid: int
    name: str
    state: str
    parent: int
    session: int
    seconds: float
    started: int
    policy: str
    priority: int
    kernel: bool

    @property
    def alive(self) -> bool:
        return self.state not in "ZX"

    @property
    def realtime(self) -> bool:
        return self.policy in REALTIME


def parse_task(pid: int, tid: int, stat: str) -> Task | None:
    """Return the thread that a file `stat` describes; None if it is not complete, as of a thread that has ended."""
    name, _, after_name = stat.partition("(")[2].rpartition(")")
    fields = after_name.split()
    if len(fields) <= _POLICY:
        return None
    return Task(
        pid,
        tid,
        name,
        state=fields[_STATE],
        parent=int(fields[_PARENT]),
        session=int(fields[_SESSION]),
        seconds=(int(fields[_USER]) + int(fields[_SYSTEM])) / TICKS_PER_SECOND,
        started=int(fields[_STARTED]),
        policy=POLICIES.get(int(fields[_POLICY]), fields[_POLICY]),
        priority=int(fields[_PRIORITY]),
        kernel=bool(int(fields[_FLAGS]) & _KERNEL_THREAD),
    )
