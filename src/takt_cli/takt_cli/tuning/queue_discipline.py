# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The queueing discipline of a network interface as a setting, and the mount of the controller net_prio, which assigns
packet priorities by process."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from takt_cli.host.system import System
from takt_cli.tuning.setting import Setting

KERNELS_OWN = "the kernel's own"
CRITICAL_FIRST = "critical packets first"
# Handles of takt's discipline, its class for critical packets, and its class for all others.
_HANDLE, _CRITICAL, _OTHERS = "7a:", "7a:10", "7a:20"
# The packet priority that selects the critical class: the number of its handle.
CRITICAL_PRIORITY = 0x7A0010
_UNLIMITED = 10_000


class QueueDiscipline(Setting, frozen=True, tag="queue"):
    """Two classes at the root of an interface: critical packets are sent first, all others with what is left or at a
    limited rate."""

    interface: str

    @property
    def label(self) -> str:
        return f"queueing of {self.interface}"

    def read(self, system: System) -> str | None:
        try:
            disciplines = json.loads(system.run(["tc", "-j", "qdisc", "show", "dev", self.interface]) or "[]")
        except (OSError, ValueError):
            return None
        roots = [each for each in disciplines if each.get("root")]
        if not roots or roots[0].get("handle") == "0:":
            return KERNELS_OWN
        return self._read_ours(system, roots[0])

    def _read_ours(self, system: System, root: dict[str, Any]) -> str:
        if root.get("handle") != _HANDLE or root.get("kind") != "htb":
            return f"{root.get('kind')} {root.get('handle')}"
        try:
            classes = system.run(["tc", "class", "show", "dev", self.interface])
        except OSError:
            classes = ""
        others = next((line for line in classes.splitlines() if f" {_OTHERS} " in line), "")
        ceiling = _mbit(others.partition("ceil ")[2].split(" ")[0])
        return two_classes(0 if ceiling == _UNLIMITED else ceiling)

    def write(self, system: System, value: str) -> None:
        # If takt's discipline is already there, the kernel only accepts changes of its classes.
        is_present = value != KERNELS_OWN and self.read(system) != KERNELS_OWN
        for command in self.commands(value)[int(is_present) :]:
            system.run(shlex.split(command))

    def commands(self, value: str) -> list[str]:
        device_option = f"dev {self.interface}"
        if value == KERNELS_OWN:
            return [f"tc qdisc del {device_option} root"]
        limit = re.search(r"(\d+) Mbit/s", value)
        ceiling = int(limit[1]) if limit else _UNLIMITED
        add = f"tc class replace {device_option} parent {_HANDLE}"
        return [
            f"tc qdisc replace {device_option} root handle {_HANDLE} htb default 20",
            f"{add} classid {_CRITICAL} htb rate {_UNLIMITED}mbit prio 0",
            f"{add} classid {_OTHERS} htb rate {ceiling}mbit ceil {ceiling}mbit prio 1",
        ]


def two_classes(limit: int) -> str:
    """Return the setting's value that limits other packets to `limit` Mbit/s; 0 leaves them all that remains."""
    return CRITICAL_FIRST + (f", others at most {limit} Mbit/s" if limit else "")


def _mbit(rate: str) -> int:
    """Return a rate in Mbit/s from tc's notation (`40Mbit`, `1Gbit`); 0 for anything else."""
    match = re.fullmatch(r"(\d+)([KMG]?)bit", rate)
    return round(int(match[1]) * {"": 1e-6, "K": 1e-3, "M": 1, "G": 1e3}[match[2]]) if match else 0


class Mount(Setting, frozen=True, tag="mount"):
    """A version 1 hierarchy of control groups, mounted at a path of takt's own."""

    path: str
    controller: str

    @property
    def label(self) -> str:
        return f"/{self.path}"

    def read(self, system: System) -> str | None:
        return "mounted" if any(each.place == self.path for each in system.mounts()) else "not mounted"

    def write(self, system: System, value: str) -> None:
        if value == "mounted":
            system.path(self.path).mkdir(parents=True, exist_ok=True)
            system.run(["mount", "-t", "cgroup", "-o", self.controller, "none", str(system.path(self.path))])
            return
        system.run(["umount", str(system.path(self.path))])
        system.path(self.path).rmdir()

    def commands(self, value: str) -> list[str]:
        if value == "mounted":
            return [f"mkdir -p /{self.path}", f"mount -t cgroup -o {self.controller} none /{self.path}"]
        return [f"umount /{self.path}", f"rmdir /{self.path}"]
