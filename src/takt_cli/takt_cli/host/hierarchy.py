# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Finds where control groups are mounted, of version 1 or 2, and which group a process is in."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.host.system import System

# The groups that `takt tune` makes: for takt, and for everything else.
TAKT_GROUP, OTHERS_GROUP = "takt", "takt.rest"


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of control groups, mounted at a path below the root. `controller` is one that it has, in version 1;
    version 2 has a single hierarchy, where it is empty."""

    mount: str
    controller: str = ""

    @property
    def version(self) -> int:
        return 1 if self.controller else 2

    def group_of(self, system: System, process: int | str = "self") -> str | None:
        """Return the group of a process or thread, as a path that begins with a slash; None if it has ended."""
        for line in system.lines(f"proc/{process}/cgroup"):
            _, controllers, group = line.split(":", 2)
            if self.controller in controllers.split(","):
                return group
        return None


def hierarchy_of(system: System, controller: str) -> Hierarchy | None:
    """Return the mounted hierarchy of a controller, or None. Version 2 is preferred if it has the controller."""
    mount = mount_of(system, "")
    if mount is not None and controller in system.words(f"{mount}/cgroup.controllers"):
        return Hierarchy(mount)
    mount = mount_of(system, controller)
    return None if mount is None else Hierarchy(mount, controller)


def mount_of(system: System, controllers: str) -> str | None:
    """Return where the hierarchy of version 1 with these controllers (`cpu,cpuacct`) is mounted or, if they are an
    empty string, that of version 2; None if it is not mounted."""
    kind = "cgroup" if controllers else "cgroup2"
    wanted = set(controllers.split(",")) - {""}
    return next((each.place for each in system.mounts() if each.kind == kind and wanted <= set(each.options)), None)
