# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Folders that are locked while they are in use, so that those which killed processes left behind can be removed.

The process that created a folder holds a lock on it, which the kernel releases however the process ends. So a folder in
use is never removed, even if its process is not visible from here, as in another container with the same folder.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from takt_cli.signals import uninterrupted

_TRIES = 10


class LockedFolder:
    """A new, locked folder in `parent`."""

    def __init__(self, parent: Path, prefix: str, suffix: str = "") -> None:
        for _ in range(_TRIES):
            self.path = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))
            self._lock = _lock(self.path)
            if self._lock is not None:
                return
            # Another start has just cleaned it up, or locks are not supported here; then nothing is cleaned up.
            with suppress(OSError):
                self.path.rmdir()
        self.path = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))

    def remove(self) -> None:
        """Remove the folder with its content, as far as possible."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Release the lock and keep the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_abandoned(parent: Path, names: re.Pattern[str]) -> list[Path]:
    """Remove folders with such names in `parent` that belong to this user and whose creators have ended."""
    try:
        candidates = [path for path in parent.iterdir() if names.fullmatch(path.name)]
    except OSError:
        return []
    removed = []
    for path in candidates:
        if is_own_folder(path) and (lock := _lock(path)) is not None:
            with uninterrupted():
                shutil.rmtree(path, ignore_errors=True)
            os.close(lock)
            removed.append(path)
    return removed


def _lock(path: Path) -> int | None:
    """Lock a folder. Return None if another process has locked it, it no longer exists, or locks are not supported."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.lstat()):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def is_own_folder(path: Path) -> bool:
    """Return whether the path is a folder, not a link to one, and belongs to this user."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
