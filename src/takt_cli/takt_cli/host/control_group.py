# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The limits that apply to this process by its control group and all parent groups, of version 1 or 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.system import THIS_HOST, System

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


def memory_bound(system: System = THIS_HOST) -> TightestLimit | None:
    """Return the memory limit in bytes, or None."""
    return _bound(system, "memory", ("limit_in_bytes", "max"), ("usage_in_bytes", "current"))


def thread_bound(system: System = THIS_HOST) -> TightestLimit | None:
    """Return the limit of threads, which the kernel calls pids, or None."""
    return _bound(system, "pids", ("max", "max"), ("current", "current"))


@dataclass(frozen=True)
class Quota:
    """A quota of CPU time for ordinary threads: `runtime` in each `period`, both in us, and the file that sets it."""

    runtime: int
    period: int
    file: str

    @property
    def cpus(self) -> float:
        return self.runtime / self.period


def cpu_quota(system: System = THIS_HOST) -> Quota | None:
    """Return the lowest CPU quota, or None."""
    quotas = []
    for group, version in _groups(system, "cpu"):
        file = f"{group}/{'cpu.max' if version == 2 else 'cpu.cfs_quota_us'}"
        words = system.words(file)
        if version == 1:
            words += system.words(f"{group}/cpu.cfs_period_us")
        if len(words) == 2 and all(word.isdigit() and int(word) for word in words):
            quotas.append(Quota(int(words[0]), int(words[1]), f"/{file}"))
    return min(quotas, key=lambda quota: quota.cpus, default=None)


def oom_kills(system: System = THIS_HOST) -> int:
    """Return how many processes the kernel has killed for lack of memory, in all groups; 0 if it is unknown."""
    return int(system.table("proc/vmstat", " ").get("oom_kill", 0))


def refused_threads(system: System = THIS_HOST) -> int:
    """Return how many threads the limits of this process's groups have prevented from starting."""
    return sum(int(system.table(f"{group}/pids.events", " ").get("max", 0)) for group, _ in _groups(system, "pids"))


def _bound(system: System, controller: str, limits: tuple[str, str], uses: tuple[str, str]) -> TightestLimit | None:
    bounds = []
    for group, version in _groups(system, controller):
        file = f"{group}/{controller}.{limits[version - 1]}"
        limit = system.integer(file)
        if limit is not None and 0 <= limit < _UNLIMITED:
            bounds.append(TightestLimit(limit, f"/{file}", system.integer(f"{group}/{controller}.{uses[version - 1]}")))
    return min(bounds, key=lambda bound: bound.remaining, default=None)


def _groups(system: System, controller: str) -> Iterator[tuple[PurePosixPath, int]]:
    """Yield the groups of this process, from its own upwards, each with its version."""
    hierarchy = hierarchy_of(system, controller)
    group = hierarchy.group_of(system) if hierarchy is not None else None
    if hierarchy is not None and group is not None:
        # In a container the path may be that outside of it, while the group itself is the mount point.
        path = PurePosixPath(group.lstrip("/"))
        for part in dict.fromkeys((path, *path.parents)):
            yield hierarchy.mount / part, hierarchy.version
