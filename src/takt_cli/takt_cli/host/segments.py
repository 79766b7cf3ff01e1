# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Room for shared memory: what processes over Fast DDS take of /dev/shm as they start, and what there is.

Fast DDS goes on without a segment that finds no room, and large messages are lost without a word.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.host.rmw import over_fast_dds

FOLDER = Path("/dev/shm")
_KIB, _MIB = 1024, 1024 * 1024
# What a process has beside its segment: one more of Fast DDS's default size, a port, locks, page by page.
_BESIDE = 640 * _KIB


@dataclass(frozen=True)
class Room:
    """In bytes. Without a bound, as a tmpfs may be, `free` is None."""

    size: int
    free: int | None


def room(folder: Path = FOLDER) -> Room | None:
    """None where there is no such folder."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    size = found.f_blocks * found.f_frsize
    return Room(size, found.f_bavail * found.f_frsize if size else None)


def taken(segment: int, processes: int) -> int:
    """By so many processes, each with a segment of that size, in bytes."""
    # Descriptions of its parts are beside what a segment holds.
    return processes * (segment + segment * 3 // 64 + _BESIDE)


def demand_room(segment: int, processes: int, rmws: Sequence[str | None] = (None,), folder: Path = FOLDER) -> None:
    """HostError where a run of so many processes over these RMWs, None being the caller's, would lose messages."""
    if not processes or not over_fast_dds(rmws):
        return
    needed, there = taken(segment, processes), room(folder)
    if there is None:
        raise HostError(f"{folder} is not there, and Fast DDS has its shared memory in it; {mend(needed)}")
    if there.free is None or there.free >= needed:
        return
    who = "1 process" if processes == 1 else f"{processes} processes"
    raise HostError(
        f"{folder} has {there.free // _MIB} MiB left, and {who} with {segment // _MIB} MiB of shared memory each take "
        f"{math.ceil(needed / _MIB)} MiB of it: messages can be lost; {mend(there.size - there.free + needed)}"
    )


def mend(size: int) -> str:
    """The command that makes it so large, at least; the same for a container."""
    whole = 64 * math.ceil(size / (64 * _MIB))
    return f"mount -o remount,size={whole}m {FOLDER}, or for a container: docker run --shm-size={whole}m"
