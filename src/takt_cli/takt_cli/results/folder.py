# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A result folder that appears complete or not at all."""

from __future__ import annotations

import errno
import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from types import TracebackType

from takt_cli.errors import ResultError
from takt_cli.results.atomic_file import umask
from takt_cli.results.full_disk import PARTIAL, disk_full_error
from takt_cli.results.locked_folder import LockedFolder, remove_abandoned

# Matches the names that default_folder makes.
_DATED = r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}-[a-z]+-[A-Za-z0-9_.-]+"


def default_folder(verb: str, name: str) -> Path:
    """Return `results/2026-05-04-172233-run-name` below the current folder. Characters of the name that do not suit a
    path are replaced; if the folder exists, a number is appended."""
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    names = (f"{stamp}-{verb}-{file_name(name)}{suffix}" for suffix in chain([""], (f"-{n}" for n in count(2))))
    return next(place for place in (Path("results") / name for name in names) if not place.exists())


def now() -> str:
    """Return the time of the wall clock as records have it: ISO 8601 with the time zone."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def file_name(name: str) -> str:
    """Return a file name made from `name`."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:80]


class ResultFolder:
    """A result folder that is filled under a temporary name in the same parent folder, and renamed when the context is
    left without an error. Incomplete results that killed processes left behind are removed first.

    Entering raises a ResultError, before any work is done, if `destination` is taken or cannot be written.
    """

    def __init__(self, destination: Path) -> None:
        self.destination = destination
        self.path = destination
        self._created_parents: list[Path] = []
        self._locked_folder: LockedFolder | None = None

    def __enter__(self) -> ResultFolder:
        parent = self.destination.absolute().parent
        try:
            if self.destination.is_dir() and any(self.destination.iterdir()):
                raise ResultError(f"{self.destination}: already exists and is not empty; name another folder by --out")
            if self.destination.exists() and not self.destination.is_dir():
                raise ResultError(f"{self.destination}: is a file; name a folder by --out")
            self._make(parent)
            name_pattern = rf"\.({re.escape(self.destination.name)}|{_DATED})\.[a-z0-9_]{{8}}{re.escape(PARTIAL)}"
            remove_abandoned(parent, re.compile(name_pattern))
            self._locked_folder = LockedFolder(parent, f".{self.destination.name}.", PARTIAL)
            self.path = self._locked_folder.path
            self.path.chmod(0o777 & ~umask())
            if self.destination.is_dir() and not os.access(self.destination, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            self._remove()
            raise ResultError(
                f"{self.destination}: cannot be written: {error.strerror}; name another folder by --out"
            ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is not None:
            disk_full = disk_full_error(error, self.path)
            self._remove()
            if disk_full is not None:
                raise disk_full from None
            return
        try:
            self.path.rename(self.destination)
        except OSError as rename_error:
            self._remove()
            raise ResultError(f"{self.destination}: cannot be created: {rename_error.strerror}") from None
        self.path = self.destination
        if self._locked_folder is not None:
            self._locked_folder.release()

    def _make(self, folder: Path) -> None:
        missing_folders = []
        while not folder.exists():
            missing_folders.append(folder)
            folder = folder.parent
        for each in reversed(missing_folders):
            each.mkdir(exist_ok=True)
            self._created_parents.append(each)

    def _remove(self) -> None:
        if self._locked_folder is not None:
            self._locked_folder.remove()
        for each in reversed(self._created_parents):
            try:
                each.rmdir()
            except OSError:
                break  # it is not empty: others have put something there
