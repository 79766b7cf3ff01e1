# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The placement of load and traffic on a host with CPUs isolated by `takt tune`: in the group of everything else."""

from __future__ import annotations

import os
from pathlib import Path

from takt_cli.errors import HostError

# The groups that `takt tune` makes.
TAKT_GROUP, OTHERS_GROUP = "takt", "takt.rest"
_LEAVE_SCRIPT = 'for group in $0; do echo $$ > "$group/cgroup.procs" || exit 1; done; exec "$@"'


def leave_groups_prefix(proc: Path = Path("/proc")) -> list[str]:
    """Return the prefix of a command that moves it and its children out of takt's control groups, if this process is in
    one: a load started inside would otherwise have the isolated CPUs to itself. If there is a group for everything
    else, the root counts as takt's, too, as it has no limit. Raises a HostError without permission to leave."""
    groups = []
    mounts = [line.split(" ") for line in (proc / "mounts").read_text("utf-8").splitlines()]
    for line in (proc / "self" / "cgroup").read_text("utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if path not in {f"/{TAKT_GROUP}", "/"}:
            continue
        kind = "cgroup" if controllers else "cgroup2"
        wanted_controllers = set(controllers.split(",")) if controllers else set()
        for mount in mounts:
            if len(mount) > 3 and mount[2] == kind and wanted_controllers <= set(mount[3].split(",")):
                others_group = Path(mount[1]) / OTHERS_GROUP
                # In version 2 `takt tune` limits each existing group and makes none for everything else.
                if others_group.is_dir() or path != "/":
                    groups.append(str(others_group if others_group.is_dir() else others_group.parent))
                break
    for group in groups:
        if not os.access(f"{group}/cgroup.procs", os.W_OK):
            raise HostError(
                f"load and traffic must move from takt's control group to {group}, which needs root: start takt as root"
            )
    return ["sh", "-c", _LEAVE_SCRIPT, " ".join(groups)] if groups else []
