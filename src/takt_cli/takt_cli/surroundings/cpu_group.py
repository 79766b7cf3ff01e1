# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A control group that limits its processes' share of the CPUs, for version 1 and 2 of control groups.

Within its limit it gets the weight of the number of processes that will run in it; by default a group has the weight
of a single process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.errors import HostError

# With the kernel's default of 100 ms, a group would run for tens of milliseconds undisturbed and then not at all.
PERIOD_US = 10_000
_LEAST_US = 1_000


@dataclass(frozen=True)
class Hierarchy:
    """The mounted hierarchy in which groups with a CPU limit are created; `version` is 1 or 2."""

    root: Path
    version: int


def find_hierarchy(mounts: Path = Path("/proc/mounts")) -> Hierarchy:
    """Return the hierarchy of version 2 if it has the CPU controller, else that of version 1. Raises a HostError if
    neither has."""
    hierarchies: list[Hierarchy] = []
    for line in mounts.read_text("utf-8").splitlines():
        fields = line.split()
        if len(fields) < 4:
            continue
        place, kind, options = Path(fields[1]), fields[2], fields[3].split(",")
        if kind == "cgroup2" and "cpu" in _words_of_file(place / "cgroup.controllers"):
            hierarchies.append(Hierarchy(place, 2))
        if kind == "cgroup" and "cpu" in options:
            hierarchies.append(Hierarchy(place, 1))
    if not hierarchies:
        raise HostError(
            "a limit on CPU time needs a control group, but the controller `cpu` is mounted in neither version of "
            "control groups; mount it (mount -t cgroup2 none /sys/fs/cgroup), or leave out --limit-cpu"
        )
    return max(hierarchies, key=lambda each: each.version)


class CpuGroup:
    """A control group, created by `make`. Each change of the host is reported to `note` before it is made."""

    def __init__(self, hierarchy: Hierarchy, name: str) -> None:
        self.path = hierarchy.root / name
        self._hierarchy = hierarchy
        self._control = hierarchy.root / "cgroup.subtree_control"

    def make(self, cpus: float, processes: int, note: Callable[[str, str], None]) -> None:
        """Create the group with a limit of `cpus` CPUs (such as 0.5 or 3.2) and the weight of this many processes.
        Raises a HostError if the kernel refuses."""
        quota = max(_LEAST_US, round(cpus * PERIOD_US))
        try:
            if self._hierarchy.version == 2:
                if "cpu" not in _words_of_file(self._control):
                    note("controller", str(self._control))
                    self._control.write_text("+cpu", "utf-8")
                note("group", str(self.path))
                self.path.mkdir()
                self._set("cpu.max", f"{quota} {PERIOD_US}")
                self._set("cpu.weight", str(min(10_000, 100 * processes)))
            else:
                note("group", str(self.path))
                self.path.mkdir()
                self._set("cpu.cfs_period_us", str(PERIOD_US))
                self._set("cpu.cfs_quota_us", str(quota))
                self._set("cpu.shares", str(min(262_144, 1024 * processes)))
        except PermissionError:
            raise HostError(
                f"a limit on CPU time needs root: {self._hierarchy.root} is not writable; start takt as root, "
                "or leave out --limit-cpu"
            ) from None
        except OSError as error:
            raise HostError(f"{self.path}: the limit on CPU time could not be set: {error.strerror}") from None

    def inside(self) -> list[str]:
        """Return the prefix of a command that makes it and all of its children run in the group."""
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.path / "cgroup.procs")]

    def granted(self) -> float:
        """Return the limit that the kernel has in effect, in CPUs."""
        if self._hierarchy.version == 2:
            quota, period = (self.path / "cpu.max").read_text("utf-8").split()
        else:
            quota = (self.path / "cpu.cfs_quota_us").read_text("utf-8")
            period = (self.path / "cpu.cfs_period_us").read_text("utf-8")
        return int(quota) / int(period)

    def throttled(self) -> dict[str, Any]:
        """Return the number of periods so far, in how many of them the group was throttled, and for how many seconds
        in total."""
        stat = dict(line.split() for line in (self.path / "cpu.stat").read_text("utf-8").splitlines())
        # Version 1 counts in nanoseconds, version 2 in microseconds.
        seconds = int(stat.get("throttled_usec", 0)) / 1e6 + int(stat.get("throttled_time", 0)) / 1e9
        periods, throttled = int(stat.get("nr_periods", 0)), int(stat.get("nr_throttled", 0))
        return {"periods": periods, "throttled": throttled, "throttled_seconds": seconds}

    def _set(self, name: str, value: str) -> None:
        (self.path / name).write_text(value, "utf-8")


def remove_group(path: Path) -> bool:
    """Kill the group's processes and remove it. Return False if some of them have not ended yet."""
    for pid in _words_of_file(path / "cgroup.procs"):
        with suppress(OSError, ValueError):
            os.kill(int(pid), signal.SIGKILL)
    with suppress(OSError):
        path.rmdir()
    return not path.exists()


def give_up_controller(control: Path) -> bool:
    """Disable the controller again, unless other groups exist there by now. Always returns True."""
    if not any(each.is_dir() for each in control.parent.iterdir()):
        with suppress(OSError):
            control.write_text("-cpu", "utf-8")
    return True


def _words_of_file(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").split()
    except OSError:
        return []
