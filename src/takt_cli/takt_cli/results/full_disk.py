# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Error messages for a full file system: which folder is full, and what to do about it."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from pathlib import Path

from takt_cli.errors import DiskFull

# Prefix of temporary folders and suffix of incomplete results: users do not know these, so messages name the parent.
TEMPORARY, PARTIAL = "takt-tmp-", ".partial"
_FULL = (errno.ENOSPC, errno.EDQUOT)
# How programs report it: `runner: /tmp/x/jobs.npy: cannot be written: No space left on device`.
_MESSAGE = re.compile("|".join(re.escape(os.strerror(number)) for number in _FULL))
_FILE = re.compile(r"(?:^|\s)(/[^:\n]+):\s")
# The size of the trial write, in bytes.
_TRIAL_SIZE = 64 * 1024


def disk_full_error(error: BaseException | None, folder: Path) -> DiskFull | None:
    """Return the error to raise if `error` is due to a full file system. If it names no file, `folder` is tried. None
    if it has another cause, or that folder is not full."""
    if isinstance(error, DiskFull):
        return error
    if not isinstance(error, OSError) or error.errno not in _FULL:
        return None
    # When copying, the second name is that of the copy.
    file = error.filename2 or error.filename
    if isinstance(file, str | os.PathLike):
        return _error_for(Path(file), os.strerror(error.errno))
    return _error_for(folder, os.strerror(error.errno)) if _is_full(folder) else None


def disk_full_error_anywhere(error: OSError) -> DiskFull | None:
    """Return the error to raise if `error` is due to a full file system, when no folder is known."""
    if error.errno not in _FULL:
        return None
    folders = [Path(), _temporary()]
    errors = (disk_full_error(error, folder) for folder in folders)
    general_error = DiskFull(f"{os.strerror(error.errno)} in {' or '.join(map(str, folders))}; make room there")
    return next(filter(None, errors), general_error)


def disk_full_error_in_message(message: str) -> DiskFull | None:
    """Return the error to raise if a failed program's message reports a full file system."""
    match = _MESSAGE.search(message)
    if match is None:
        return None
    file = _FILE.search(message)
    return _error_for(Path(file[1]) if file is not None else _temporary(), match[0])


def _error_for(path: Path, reason: str) -> DiskFull:
    parents = [path.absolute(), *path.absolute().parents]
    temporary_folders = [each for each in parents if each.name.startswith(TEMPORARY) or each.name.endswith(PARTIAL)]
    folder = temporary_folders[-1].parent if temporary_folders else parents[0]
    while not folder.is_dir():
        folder = folder.parent
    mount = folder
    while not mount.is_mount():
        mount = mount.parent
    option = "TMPDIR" if folder == _temporary().absolute() else "--out"
    return DiskFull(f"{folder}: {reason}; make room on the file system of {mount}, or name another folder by {option}")


def _temporary() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        return Path("/tmp")  # tempfile's first choice, when none is writable


def _is_full(folder: Path) -> bool:
    """Try a write: the system's figures do not include quotas and reserved blocks."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return file.write(bytes(_TRIAL_SIZE)) < _TRIAL_SIZE
    except OSError as error:
        return error.errno in _FULL
