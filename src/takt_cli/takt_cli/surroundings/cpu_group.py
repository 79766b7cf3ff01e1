# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A control group whose processes together get a bounded share of the CPUs, under either version of cgroups.

Within its bound it has the weight of as many processes as are meant to run in it: a group as such would have
that of one.
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

# The kernel's own 100 ms would let a group have a CPU to itself for tens of milliseconds, and then nothing.
PERIOD_US = 10_000
_LEAST_US = 1_000


@dataclass(frozen=True)
class Hierarchy:
    """Where groups for CPU time are made on this host."""

    root: Path
    version: int


def find_hierarchy(mounts: Path = Path("/proc/mounts")) -> Hierarchy:
    """Version 2 where its controller of CPU time is to be had, else version 1; HostError if neither is."""
    found: list[Hierarchy] = []
    for line in mounts.read_text("utf-8").splitlines():
        fields = line.split()
        if len(fields) < 4:
            continue
        place, kind, options = Path(fields[1]), fields[2], fields[3].split(",")
        if kind == "cgroup2" and "cpu" in _words(place / "cgroup.controllers"):
            found.append(Hierarchy(place, 2))
        if kind == "cgroup" and "cpu" in options:
            found.append(Hierarchy(place, 1))
    if not found:
        raise HostError(
            "a limit on CPU time needs a control group, and the controller `cpu` is mounted under no version of "
            "cgroups; mount it (mount -t cgroup2 none /sys/fs/cgroup), or leave --limit-cpu out"
        )
    return max(found, key=lambda each: each.version)


class CpuGroup:
    """A group that is not yet there. What making it changes on the host is told to `note` first."""

    def __init__(self, hierarchy: Hierarchy, name: str) -> None:
        self.path = hierarchy.root / name
        self._hierarchy = hierarchy
        self._control = hierarchy.root / "cgroup.subtree_control"

    def make(self, cpus: float, processes: int, note: Callable[[str, str], None]) -> None:
        """It may use the time of so many CPUs, as in 0.5 or 3.2. HostError if the kernel refuses."""
        quota = max(_LEAST_US, round(cpus * PERIOD_US))
        try:
            if self._hierarchy.version == 2:
                if "cpu" not in _words(self._control):
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
                f"a limit on CPU time needs root: {self._hierarchy.root} may not be written to; start takt as root, "
                "or leave --limit-cpu out"
            ) from None
        except OSError as error:
            raise HostError(f"{self.path}: no limit on CPU time could be set: {error.strerror}") from None

    def inside(self) -> list[str]:
        """What goes before a command so that it and all it starts are in the group."""
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.path / "cgroup.procs")]

    def granted(self) -> float:
        """CPUs' time that the kernel says it may use."""
        if self._hierarchy.version == 2:
            quota, period = (self.path / "cpu.max").read_text("utf-8").split()
        else:
            quota = (self.path / "cpu.cfs_quota_us").read_text("utf-8")
            period = (self.path / "cpu.cfs_period_us").read_text("utf-8")
        return int(quota) / int(period)

    def throttled(self) -> dict[str, Any]:
        """How often the limit has held it back so far, of how many periods, and for how many seconds in all."""
        stat = dict(line.split() for line in (self.path / "cpu.stat").read_text("utf-8").splitlines())
        # Version 1 counts in nanoseconds, version 2 in microseconds.
        seconds = int(stat.get("throttled_usec", 0)) / 1e6 + int(stat.get("throttled_time", 0)) / 1e9
        periods, throttled = int(stat.get("nr_periods", 0)), int(stat.get("nr_throttled", 0))
        return {"periods": periods, "throttled": throttled, "throttled_seconds": seconds}

    def _set(self, name: str, value: str) -> None:
        (self.path / name).write_text(value, "utf-8")


def remove_group(path: Path) -> bool:
    """Ends what is in it and removes it; False if something is still ending."""
    for pid in _words(path / "cgroup.procs"):
        with suppress(OSError, ValueError):
            os.kill(int(pid), signal.SIGKILL)
    with suppress(OSError):
        path.rmdir()
    return not path.exists()


def give_up_controller(control: Path) -> bool:
    """Switches the controller off again, unless somebody has groups there by now."""
    if not any(each.is_dir() for each in control.parent.iterdir()):
        with suppress(OSError):
            control.write_text("-cpu", "utf-8")
    return True


def _words(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").split()
    except OSError:
        return []
