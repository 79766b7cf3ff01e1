# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Removes what a killed process's middleware leaves in /dev/shm, but nothing that belongs to others."""

from __future__ import annotations

from pathlib import Path

from takt_cli.host.system import THIS_HOST

_FOLDER = "/dev/shm/"


class SharedMemory:
    """Records the shared-memory files that takt's child processes map, and removes those left behind."""

    def __init__(self) -> None:
        self._mapped_files: set[str] = set()

    def note(self, pids: list[int]) -> None:
        """Record what these processes map now; processes that have ended are skipped."""
        for pid in pids:
            self._mapped_files |= _mapped(pid)

    def clean(self) -> list[str]:
        """Remove recorded files that still exist and are not mapped by any process. Return their names."""
        remaining_files = {name for name in self._mapped_files if name.startswith(_FOLDER) and Path(name).exists()}
        if remaining_files:
            for pid in THIS_HOST.processes():
                remaining_files -= _mapped(pid)
        for name in remaining_files:
            # A segment's lock file is held open but not mapped.
            for each in (name, f"{name}_el"):
                Path(each).unlink(missing_ok=True)
        self._mapped_files.clear()
        return sorted(remaining_files)


def _mapped(pid: int) -> set[str]:
    # LTTng's wait page belongs to the whole system, and is kept.
    names = (line.partition("/")[2] for line in THIS_HOST.lines(f"proc/{pid}/maps") if _FOLDER in line)
    return {f"/{name}" for name in names if "fastrtps" in name or "fastdds" in name}
