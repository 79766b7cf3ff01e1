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

from takt_cli.errors import HostError
from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.achieved import AchievedLimits
from takt_cli.results.conditions import Limits

# With the kernel's default of 100 ms, a group would run for tens of milliseconds undisturbed and then not at all.
PERIOD_US = 10_000
_LEAST_US = 1_000


class CpuGroup:
    """A control group, created by `make`. Each change of the host is reported to `note` before it is made. Raises a
    HostError if no hierarchy has the CPU controller."""

    def __init__(self, name: str, system: System = THIS_HOST) -> None:
        hierarchy = hierarchy_of(system, "cpu")
        if hierarchy is None:
            raise HostError(
                "a limit on CPU time needs a control group, but the controller `cpu` is mounted in neither version of "
                "control groups; mount it (mount -t cgroup2 none /sys/fs/cgroup), or leave out --limit-cpu"
            )
        self._system, self._hierarchy = system, hierarchy
        self.path = f"/{hierarchy.mount}/{name}"

    def make(self, cpus: float, processes: int, note: Callable[[str, str], None]) -> None:
        """Create the group with a limit of `cpus` CPUs (such as 0.5 or 3.2) and the weight of this many processes.
        Raises a HostError if the kernel refuses."""
        quota = max(_LEAST_US, round(cpus * PERIOD_US))
        if self._hierarchy.version == 2:
            settings = {"max": f"{quota} {PERIOD_US}", "weight": str(min(10_000, 100 * processes))}
        else:
            settings = {"cfs_period_us": str(PERIOD_US), "cfs_quota_us": str(quota)}
            settings["shares"] = str(min(262_144, 1024 * processes))
        control = f"/{self._hierarchy.mount}/cgroup.subtree_control"
        try:
            if self._hierarchy.version == 2 and "cpu" not in self._system.words(control):
                note("controller", control)
                self._system.write(control, "+cpu")
            note("group", self.path)
            self._system.make_folder(self.path)
            for name, value in settings.items():
                self._system.write(f"{self.path}/cpu.{name}", value)
        except PermissionError:
            raise HostError(
                f"a limit on CPU time needs root: /{self._hierarchy.mount} is not writable; start takt as root, "
                "or leave out --limit-cpu"
            ) from None
        except OSError as error:
            raise HostError(f"{self.path}: the limit on CPU time could not be set: {error.strerror}") from None

    def inside(self) -> list[str]:
        """Return the prefix of a command that makes it and all of its children run in the group."""
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self._system.path(f"{self.path}/cgroup.procs"))]

    def granted(self) -> float:
        """Return the limit that the kernel has in effect, in CPUs."""
        names = ("max",) if self._hierarchy.version == 2 else ("cfs_quota_us", "cfs_period_us")
        texts = (self._system.path(f"{self.path}/cpu.{name}").read_text("utf-8") for name in names)
        quota, period = (int(word) for text in texts for word in text.split())
        return quota / period

    def achieved(self, asked: Limits) -> AchievedLimits:
        """Return the limit in effect, and what it has done so far."""
        stat = self._system.table(f"{self.path}/cpu.stat", " ")
        # Version 1 counts in nanoseconds, version 2 in microseconds.
        seconds = int(stat.get("throttled_usec", 0)) / 1e6 + int(stat.get("throttled_time", 0)) / 1e9
        periods, throttled = int(stat.get("nr_periods", 0)), int(stat.get("nr_throttled", 0))
        return AchievedLimits(asked, self.granted(), periods, throttled, seconds)


def remove_group(system: System, path: str) -> bool:
    """Kill the group's processes and remove it. Return False if some of them have not ended yet."""
    for pid in system.words(f"{path}/cgroup.procs"):
        with suppress(OSError, ValueError):
            os.kill(int(pid), signal.SIGKILL)
    with suppress(OSError):
        system.remove_folder(path)
    return not system.exists(path)


def give_up_controller(system: System, control: str) -> bool:
    """Disable the controller again, unless other groups exist there by now. Always returns True."""
    folder = system.path(control).parent
    if not any(each.is_dir() for each in folder.iterdir()):
        with suppress(OSError):
            system.write(control, "-cpu")
    return True
