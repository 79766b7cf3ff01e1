# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Temporary folders, removed at the end of the process or, if it was killed, at the next start of takt."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.results.full_disk import TEMPORARY, disk_full_error
from takt_cli.results.locked_folder import LockedFolder, remove_abandoned
from takt_cli.signals import uninterrupted

# Matches takt's own folders only; other programs may use names that begin alike.
_NAME = re.compile(rf"{TEMPORARY}[a-z-]+-[a-z0-9_]{{8}}")


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
