# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Folders for the time of one start: they go with it, or, if it was killed, at the next one.

Whoever made one holds a lock on it, which goes with the process, whatever becomes of it. So nobody takes away what
is in use, also of processes that cannot be seen from here, as of another container with the same folder.
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
from takt_cli.host.full_disk import TEMPORARY, no_room
from takt_cli.host.own_folder import is_own_folder
from takt_cli.host.processes import uninterrupted

# Others may call theirs takt-something.
_OURS = re.compile(rf"{TEMPORARY}[a-z-]+-[a-z0-9_]{{8}}")
_TRIES = 10


class Held:
    """A new folder in `parent`, with the lock."""

    def __init__(self, parent: Path, prefix: str, suffix: str = "") -> None:
        for _ in range(_TRIES):
            self.path = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))
            self._lock = _lock(self.path)
            if self._lock is not None:
                return
            # A start that cleans up was between the two, or locks are not to be had here: then nobody cleans up.
            with suppress(OSError):
                self.path.rmdir()
        self.path = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))

    def remove(self) -> None:
        """It and what is in it, as far as possible."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """The folder stays."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def temporary() -> Path:
    """The temporary directory; HostError where nothing can be written to any."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        raise HostError(
            "no temporary folder can be written to, neither TMPDIR nor /tmp; make room there, or set TMPDIR to another"
        ) from None


@contextmanager
def beside(parent: Path, prefix: str, suffix: str = "") -> Iterator[Path]:
    """A folder in `parent` while inside, for what is filled there and then renamed. What killed starts left of such
    names goes first."""
    clean(parent, re.compile(f"{re.escape(prefix)}[a-z0-9_]{{8}}{re.escape(suffix)}"))
    held = Held(parent, prefix, suffix)
    try:
        yield held.path
    finally:
        with uninterrupted():
            held.remove()


@contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """A folder in the temporary directory while inside. What killed starts left there goes first. DiskFull if there
    is no room in it."""
    parent = temporary()
    clean(parent, _OURS)
    held = Held(parent, f"{TEMPORARY}{purpose}-")
    try:
        yield held.path
    except OSError as error:
        if (full := no_room(error, held.path)) is not None:
            raise full from None
        raise
    finally:
        with uninterrupted():
            held.remove()


def clean(parent: Path, names: re.Pattern[str]) -> list[Path]:
    """Takes away folders of such names in `parent` that are this user's and whose makers have gone."""
    try:
        found = [path for path in parent.iterdir() if names.fullmatch(path.name)]
    except OSError:
        return []
    cleaned = []
    for path in found:
        if is_own_folder(path) and (lock := _lock(path)) is not None:
            with uninterrupted():
                shutil.rmtree(path, ignore_errors=True)
            os.close(lock)
            cleaned.append(path)
    return cleaned


def _lock(path: Path) -> int | None:
    """The lock on a folder; None if somebody has it, or it has gone, or none is to be had."""
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
