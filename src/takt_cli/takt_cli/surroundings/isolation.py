# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where load and traffic belong on a host whose CPUs are isolated (`takt tune`): with everything else."""

from __future__ import annotations

import os
from pathlib import Path

from takt_cli.errors import HostError

# The groups that `takt tune` makes.
OURS, REST = "takt", "takt.rest"
_LEAVE = 'for group in $0; do echo $$ > "$group/cgroup.procs" || exit 1; done; exec "$@"'


def leaving(proc: Path = Path("/proc")) -> list[str]:
    """What goes before a command so that it and all it starts leave takt's groups, if this process is in them: who
    measures inside would measure a load that has his CPUs to itself. Beside a group for the rest, the root is takt's,
    too: nobody is limited there. HostError if the groups to go to are somebody else's."""
    groups = []
    mounts = [line.split(" ") for line in (proc / "mounts").read_text("utf-8").splitlines()]
    for line in (proc / "self" / "cgroup").read_text("utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if path not in {f"/{OURS}", "/"}:
            continue
        kind = "cgroup" if controllers else "cgroup2"
        wanted = set(controllers.split(",")) if controllers else set()
        for mount in mounts:
            if len(mount) > 3 and mount[2] == kind and wanted <= set(mount[3].split(",")):
                rest = Path(mount[1]) / REST
                # Version 2 limits the groups of others and has none for the rest.
                if rest.is_dir() or path != "/":
                    groups.append(str(rest if rest.is_dir() else rest.parent))
                break
    for group in groups:
        if not os.access(f"{group}/cgroup.procs", os.W_OK):
            raise HostError(f"load and traffic must leave takt's group for {group}, which is not yours: start as root")
    return ["sh", "-c", _LEAVE, " ".join(groups)] if groups else []
