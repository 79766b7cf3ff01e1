# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a middleware that dies leaves in /dev/shm, told apart from what others have there."""

from __future__ import annotations

from pathlib import Path

_FOLDER = "/dev/shm/"


class SharedMemory:
    """Remembers the shared-memory files that our processes map, and removes those left behind."""

    def __init__(self) -> None:
        self._ours: set[str] = set()

    def note(self, pids: list[int]) -> None:
        """Looks at what these processes map now; those that are gone are passed over."""
        for pid in pids:
            self._ours |= _mapped(pid)

    def clean(self) -> list[str]:
        """Removes what we noted, is still there and is mapped by nobody; returns the names."""
        left = {name for name in self._ours if name.startswith(_FOLDER) and Path(name).exists()}
        if left:
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    left -= _mapped(int(entry.name))
        for name in left:
            # Beside a segment lies its lock file, which is held open but not mapped.
            for each in (name, f"{name}_el"):
                Path(each).unlink(missing_ok=True)
        self._ours.clear()
        return sorted(left)


def _mapped(pid: int) -> set[str]:
    try:
        maps = Path(f"/proc/{pid}/maps").read_text("utf-8", "replace")
    except OSError:
        return set()
    # LTTng's wait page is shared by the whole system and stays.
    names = (line.partition("/")[2] for line in maps.splitlines() if _FOLDER in line)
    return {f"/{name}" for name in names if "fastrtps" in name or "fastdds" in name}
