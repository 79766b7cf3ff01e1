# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Traces as the executor would write them, made event by event."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from takt_cli.results.trace_file import NO_TASK, Kind

MS = 10**6
HEADER = b"takttrac" + struct.pack("<II", 1, 32) + b"\x00" * 16
SHARED, FREE = 0, 1


def record(
    at: int, kind: int, task: int = 0, index: int = 0, value: int = 0, level: int = 0, flags: int = 0, ring: int = 1
) -> bytes:
    return struct.pack("<qQqIBBBB", at, index, value, task, kind, level, flags, ring)


def text(line: str) -> bytes:
    raw = line.encode()
    parts = [raw[i : i + 24] for i in range(0, len(raw), 24)]
    return b"".join(part.ljust(24, b"\x00") + struct.pack("<IBBBB", len(part), 0, 0, 0, 0) for part in parts)


class TraceSample:
    """A trace of one processor, on CPU 1, with tasks `n/a` (level 1, period 100 ms), `n/b` (level 2), and so on."""

    def __init__(self, tasks: int = 3, groups: list[int] | None = None, preempts: bool = True) -> None:
        self.body = b""
        self.define("clock", monotonic=0, wall=1_700_000_000 * 10**9)
        self.define("ring", first_task=0, ring=1)
        self.define("processor", first_task=0, cpu=1, policy="fp", preempts=preempts)
        for group in sorted(set(groups or range(tasks))):
            self.define("group", group=group, first_task=0, exclusive=True)
        for task in range(tasks):
            group = groups[task] if groups else task
            facts = {"from": 0, "name": f"n/{'abcdefgh'[task]}", "kind": "timer", "priority": task + 1}
            self.define("task", task=task, period=100 * MS, deadline=100 * MS, group=group, **facts)
            self.define("ring", thread=f"takt.w{task + 1}", first_task=0, ring=task + 2)

    def define(self, what: str, **facts: Any) -> None:
        self.body += text(json.dumps({"define": what, **facts}) + "\n")

    def event(self, *args: int, **kwargs: int) -> None:
        self.body += record(*args, **kwargs)

    def release(self, task: int, at: int, index: int = 0, late: int = 0) -> None:
        self.event(at + late, Kind.release, task, index, at, task + 1)

    def start(self, task: int, at: int, deadline: int, index: int = 0, took: int = 0) -> None:
        self.event(at - took, Kind.choice, task, index, -1, task + 1)
        self.event(at, Kind.start, task, index, deadline, task + 1, ring=task + 2)

    def finish(self, task: int, at: int, index: int = 0, late: bool = False) -> None:
        self.event(at, Kind.finish, task, index, 0, task + 1, int(late))

    def job(self, task: int, release: int, start: int, finish: int, deadline: int, index: int = 0) -> None:
        self.release(task, release, index)
        self.start(task, start, deadline, index)
        self.finish(task, finish, index, finish > deadline)

    def wait(self, task: int, began: int, at: int, name: str, user: int = NO_TASK) -> None:
        """Add a wait of a job of the task from `began` until `at`, for an entity that a job of `user` was using."""
        self.event(at, Kind.wait, user, 0, began, ring=task + 2)
        raw = name.encode()
        for part in (raw[i : i + 16] for i in range(0, len(raw), 16)):
            index, value = struct.unpack("<Qq", part.ljust(16, b"\x00"))
            self.event(at, Kind.name_, len(part), index, value, ring=task + 2)

    def close(self, dropped: int = 0, **more: int) -> None:
        self.define("end", written=0, dropped=dropped, rings_refused=0, **more)

    def write(self, path: Path) -> Path:
        path.write_bytes(HEADER + self.body)
        return path
