# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the C++ programs of the lab write about themselves: the parts that several of them share.

Each structure has the fields that Python reads; the program's own file has more.
"""

from __future__ import annotations

import msgspec


class Window(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """The measured interval on CLOCK_MONOTONIC, in ns."""

    start: int
    end: int


class Thread(msgspec.Struct, frozen=True, rename={"kind": "class"}):
    """A thread of a program: `kind` is executor, middleware or other, `cpu_ns` its CPU time within the window."""

    name: str
    kind: str
    cpu_ns: int


class Grants(msgspec.Struct, frozen=True):
    """Which rights a program was granted; `refused` has a line for each that it was not."""

    realtime: bool
    refused: list[str] = []


class Probe(msgspec.Struct, frozen=True):
    """A stall probe: the priority that it asked for and was granted, and the stalls that it had no room to record."""

    asked: int
    granted: int
    dropped: int = 0
    cpu: int = 0

    @property
    def saw_stalls(self) -> bool:
        """Whether it had the highest priority, so that it saw the host's stalls and not the lab's own load."""
        return self.granted > 0 and self.granted == self.asked


class UsedPolicy(msgspec.Struct, frozen=True):
    """The scheduling policy that an executor was asked for, and the one in use."""

    in_use: str
    asked: str = ""
