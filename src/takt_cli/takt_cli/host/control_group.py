# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the control groups of this process allow it, in either version: its own group, and those above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# Version 1 has no word for no limit: as many bytes as its counter holds, page by page.
_NONE = 1 << 60


@dataclass(frozen=True)
class Bound:
    """The smallest of the limits, the file that says it, and how much of it is in use; None if that is not told."""

    limit: int
    file: str
    used: int | None

    @property
    def left(self) -> int:
        return self.limit - (self.used or 0)


def memory_bound(root: Path = Path("/")) -> Bound | None:
    """In bytes; None without one."""
    return _bound(root, "memory", ("memory.limit_in_bytes", "memory.max"), ("memory.usage_in_bytes", "memory.current"))


def thread_bound(root: Path = Path("/")) -> Bound | None:
    """Of threads, which the kernel calls pids; None without one."""
    return _bound(root, "pids", ("pids.max", "pids.max"), ("pids.current", "pids.current"))


def _bound(root: Path, controller: str, limits: tuple[str, str], uses: tuple[str, str]) -> Bound | None:
    found = []
    for group, version in _groups(root, controller):
        limit = _integer(root / group / limits[version - 1])
        if limit is not None and limit < _NONE:
            used = _integer(root / group / uses[version - 1])
            found.append(Bound(limit, f"/{group}/{limits[version - 1]}", used))
    return min(found, key=lambda bound: bound.left, default=None)


def _groups(root: Path, controller: str) -> Iterator[tuple[PurePosixPath, int]]:
    """Those of this process from its own up, below `root`, and their version."""
    mounted = {1: "", 2: ""}
    for line in _text(root / "proc/mounts").splitlines():
        fields = line.split(" ")
        if fields[2:3] == ["cgroup"] and controller in fields[3].split(","):
            mounted[1] = fields[1].lstrip("/")
        if fields[2:3] == ["cgroup2"]:
            mounted[2] = fields[1].lstrip("/")
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        version = 2 if number == "0" and not controllers else 1
        if not mounted[version] or (version == 1 and controller not in controllers.split(",")):
            continue
        # A container may see the name that its group has outside, and find the group itself at the mount.
        place = PurePosixPath(path.lstrip("/"))
        for part in dict.fromkeys((place, *place.parents)):
            yield PurePosixPath(mounted[version]) / part, version


def _integer(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.isdigit() else None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
