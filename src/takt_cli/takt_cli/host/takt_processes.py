# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The processes that use takt."""

from __future__ import annotations

from takt_cli.host.system import System


def takt_processes(system: System) -> list[int]:
    """Return the processes that run an executor of takt, recognised by their threads' names, or a lab program."""
    return [pid for pid in system.processes() if _is_takt(system, pid)]


def _is_takt(system: System, pid: int) -> bool:
    try:
        program = str(system.path(f"proc/{pid}/exe").readlink())
    except OSError:
        program = ""
    return "/lib/takt_lab/" in program or any(
        task.name.startswith("takt.") and not task.kernel for task in system.tasks(pid)
    )
