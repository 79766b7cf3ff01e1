# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Space for shared memory: how much of /dev/shm processes over Fast DDS take when they start, and how much is free.

Without space for its segment Fast DDS continues without it, and large messages are lost without a warning.
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
# What a process takes in addition to its segment: one of Fast DDS's default size, a port, locks, in whole pages.
_SPACE_BESIDE_SEGMENT = 640 * _KIB


@dataclass(frozen=True)
class FreeSpace:
    """The size of a file system and its free space, in bytes; `free` is None if it is unlimited, as a tmpfs may be."""

    size: int
    free: int | None


def free_space(folder: Path = FOLDER) -> FreeSpace | None:
    """Return the space in a folder; None if there is no such folder."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return None
    size = status.f_blocks * status.f_frsize
    return FreeSpace(size, status.f_bavail * status.f_frsize if size else None)


def space_of_segments(segment: int, processes: int) -> int:
    """Return how much this many processes take, each with a segment of this size, in bytes."""
    # The descriptors of a segment's parts come in addition to its size.
    return processes * (segment + segment * 3 // 64 + _SPACE_BESIDE_SEGMENT)


def require_space(segment: int, processes: int, rmws: Sequence[str | None] = (None,), folder: Path = FOLDER) -> None:
    """Raise a HostError if a run of this many processes over these RMWs would lose messages. None: the caller's RMW."""
    if not processes or not over_fast_dds(rmws):
        return
    needed_space, space = space_of_segments(segment, processes), free_space(folder)
    if space is None:
        raise HostError(
            f"{folder} does not exist, but Fast DDS needs it for shared memory; {remount_command(needed_space)}"
        )
    if space.free is None or space.free >= needed_space:
        return
    process_text = "1 process" if processes == 1 else f"{processes} processes"
    raise HostError(
        f"{folder} has {space.free // _MIB} MiB left, but {process_text} with {segment // _MIB} MiB of shared memory "
        f"each take {math.ceil(needed_space / _MIB)} MiB of it: messages could be lost; "
        f"{remount_command(space.size - space.free + needed_space)}"
    )


def remount_command(size: int) -> str:
    """Return the command that gives /dev/shm at least this size in bytes, and the same for a container."""
    rounded_size = 64 * math.ceil(size / (64 * _MIB))
    return f"mount -o remount,size={rounded_size}m {FOLDER}, or for a container: docker run --shm-size={rounded_size}m"
