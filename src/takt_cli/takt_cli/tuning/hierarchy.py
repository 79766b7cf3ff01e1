# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Finds where control groups are mounted, of version 1 or 2."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.tuning.system import System


@dataclass(frozen=True)
class Hierarchy:
    """A mounted hierarchy that has a given controller; `version` is 1 or 2."""

    mount: str
    version: int


def hierarchy_of(system: System, controller: str) -> Hierarchy | None:
    """Return the mounted hierarchy of a controller, or None."""
    for line in (system.text("proc/mounts") or "").splitlines():
        fields = line.split(" ")
        if len(fields) < 4:
            continue
        mount = fields[1].lstrip("/")
        if fields[2] == "cgroup" and controller in fields[3].split(","):
            return Hierarchy(mount, 1)
        if fields[2] == "cgroup2" and controller in (system.text(f"{mount}/cgroup.controllers") or "").split():
            return Hierarchy(mount, 2)
    return None
