# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Temporary folders, removed at the end of the process or, if it was killed, at the next start of takt.

The process that created a folder holds a lock on it, which the kernel releases however the process ends. So a folder in
use is never removed, even if its process is not visible from here, as in another container with the same folder.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.host.full_disk import TEMPORARY, disk_full_error
from takt_cli.host.own_folder import is_own_folder
from takt_cli.host.processes import uninterrupted

# Matches takt's own folders only; other programs may use names that begin alike.
_NAME = re.compile(rf"{TEMPORARY}[a-z-]+-[a-z0-9_]{{8}}")
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


def temporary() -> Path:
    """Return the temporary directory. Raises a HostError if none is writable."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        raise HostError(
            "no temporary folder is writable, neither TMPDIR nor /tmp; free space there, or set TMPDIR to another"
        ) from None


@contextmanager
def folder_beside(parent: Path, prefix: str, suffix: str = "") -> Iterator[Path]:
    """Create a folder in `parent` for content that is renamed when complete; it is removed when the context is left.
    Folders with such names that killed processes left behind are removed first."""
    remove_abandoned(parent, re.compile(f"{re.escape(prefix)}[a-z0-9_]{{8}}{re.escape(suffix)}"))
    locked_folder = LockedFolder(parent, prefix, suffix)
    try:
        yield locked_folder.path
    finally:
        with uninterrupted():
            locked_folder.remove()


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """Create a folder in the temporary directory, removed when the context is left. Folders that killed processes left
    there are removed first. Raises a DiskFull if there is no space."""
    parent = temporary()
    remove_abandoned(parent, _NAME)
    locked_folder = LockedFolder(parent, f"{TEMPORARY}{purpose}-")
    try:
        yield locked_folder.path
    except OSError as error:
        if (disk_full := disk_full_error(error, locked_folder.path)) is not None:
            raise disk_full from None
        raise
    finally:
        with uninterrupted():
            locked_folder.remove()


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
