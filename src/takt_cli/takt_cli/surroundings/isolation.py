# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The placement of load and traffic on a host with CPUs isolated by `takt tune`: in the group of everything else."""

from __future__ import annotations

import os

from takt_cli.errors import HostError
from takt_cli.host.hierarchy import OTHERS_GROUP, TAKT_GROUP, mount_of
from takt_cli.host.system import THIS_HOST, System

_LEAVE_SCRIPT = 'for group in $0; do echo $$ > "$group/cgroup.procs" || exit 1; done; exec "$@"'


def leave_groups_prefix(system: System = THIS_HOST) -> list[str]:
    """Return the prefix of a command that moves it and its children out of takt's control groups, if this process is in
    one: a load started inside would otherwise have the isolated CPUs to itself. If there is a group for everything
    else, the root counts as takt's, too, as it has no limit. Raises a HostError without permission to leave."""
    groups = []
    for line in system.lines("proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        mount = mount_of(system, controllers)
        if mount is None or path not in {f"/{TAKT_GROUP}", "/"}:
            continue
        others_group = system.path(f"{mount}/{OTHERS_GROUP}")
        # In version 2 `takt tune` limits each existing group and makes none for everything else.
        if others_group.is_dir() or path != "/":
            groups.append(str(others_group if others_group.is_dir() else others_group.parent))
    for group in groups:
        if not os.access(f"{group}/cgroup.procs", os.W_OK):
            raise HostError(
                f"load and traffic must move from takt's control group to {group}, which needs root: start takt as root"
            )
    return ["sh", "-c", _LEAVE_SCRIPT, " ".join(groups)] if groups else []
