# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The limits that apply to this process by its control group and all parent groups, of version 1 or 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# Version 1 expresses "no limit" as the largest number of bytes that its page counter can hold.
_UNLIMITED = 1 << 60


@dataclass(frozen=True)
class TightestLimit:
    """The tightest limit, the file that sets it, and how much of it is in use (None if unknown)."""

    limit: int
    file: str
    used: int | None

    @property
    def remaining(self) -> int:
        return self.limit - (self.used or 0)


def memory_bound(root: Path = Path("/")) -> TightestLimit | None:
    """Return the memory limit in bytes, or None."""
    return _bound(root, "memory", ("memory.limit_in_bytes", "memory.max"), ("memory.usage_in_bytes", "memory.current"))


def thread_bound(root: Path = Path("/")) -> TightestLimit | None:
    """Return the limit of threads, which the kernel calls pids, or None."""
    return _bound(root, "pids", ("pids.max", "pids.max"), ("pids.current", "pids.current"))


@dataclass(frozen=True)
class Quota:
    """A quota of CPU time for ordinary threads: `runtime` in each `period`, both in us, and the file that sets it."""

    runtime: int
    period: int
    file: str

    @property
    def cpus(self) -> float:
        return self.runtime / self.period


def cpu_quota(root: Path = Path("/")) -> Quota | None:
    """Return the lowest CPU quota, or None."""
    quotas = []
    for group, version in _groups(root, "cpu"):
        name = "cpu.max" if version == 2 else "cpu.cfs_quota_us"
        words = _text(root / group / name).split()
        if version == 1:
            words.append(_text(root / group / "cpu.cfs_period_us"))
        if len(words) == 2 and all(word.isdigit() and int(word) for word in words):
            quotas.append(Quota(int(words[0]), int(words[1]), f"/{group}/{name}"))
    return min(quotas, key=lambda quota: quota.cpus, default=None)


def oom_kills() -> int:
    """Return how many processes the kernel has killed for lack of memory, in all groups; 0 if it is unknown."""
    match = re.search(r"^oom_kill (\d+)$", _text(Path("/proc/vmstat")), re.MULTILINE)
    return int(match[1]) if match else 0


def refused_threads(root: Path = Path("/")) -> int:
    """Return how many threads the limits of this process's groups have prevented from starting."""
    event_texts = [_text(root / group / "pids.events") for group, _ in _groups(root, "pids")]
    return sum(int(match[1]) for text in event_texts if (match := re.match(r"max (\d+)", text)))


def _bound(root: Path, controller: str, limits: tuple[str, str], uses: tuple[str, str]) -> TightestLimit | None:
    bounds = []
    for group, version in _groups(root, controller):
        limit = _integer(root / group / limits[version - 1])
        if limit is not None and limit < _UNLIMITED:
            usage = _integer(root / group / uses[version - 1])
            bounds.append(TightestLimit(limit, f"/{group}/{limits[version - 1]}", usage))
    return min(bounds, key=lambda bound: bound.remaining, default=None)


def _groups(root: Path, controller: str) -> Iterator[tuple[PurePosixPath, int]]:
    """Yield the groups of this process below `root`, from its own upwards, each with its version."""
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
        # In a container the path may be that outside of it, while the group itself is the mount point.
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
