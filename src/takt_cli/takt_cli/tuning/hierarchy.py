# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where control groups are mounted, in either version."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.tuning.system import System


@dataclass(frozen=True)
class Hierarchy:
    """The place that has a controller; `version` 1 or 2."""

    mount: str
    version: int


def hierarchy_of(system: System, controller: str) -> Hierarchy | None:
    """That of a controller, where one is mounted."""
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
