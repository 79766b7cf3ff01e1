# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The file system that a guest starts with: a cpio archive in the kernel's format (newc), which it unpacks into RAM."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from takt_cli.errors import HostError

_FOLDER, _FILE, _LINK, _DEVICE = stat.S_IFDIR | 0o755, stat.S_IFREG, stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600
# Of Python packages, some of which are larger than the rest.
_LEFT_OUT = {"tests"}
_END = Path("/TRAILER!!!")


class Archive:
    """Written as it grows. Paths are absolute; what is there already is not put in twice; root owns all."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._there = {Path("/")}
        self._whole: set[Path] = set()

    def folder(self, path: Path) -> None:
        """With all that lie above it."""
        if path not in self._there:
            self.folder(path.parent)
            self._entry(path, _FOLDER)

    def content(self, path: Path, content: bytes, mode: int = 0o644) -> None:
        self.folder(path.parent)
        self._entry(path, _FILE | mode, content)

    def device(self, path: Path, major: int, minor: int) -> None:
        """A character device."""
        self.folder(path.parent)
        self._entry(path, _DEVICE, device=(major, minor))

    def host(self, paths: Iterable[Path]) -> None:
        """Files and whole folders of the host, where they are on the host; links with what they point to."""
        for path in paths:
            self._host(path.absolute())

    def end(self) -> None:
        self._entry(_END, 0)

    def _host(self, path: Path) -> None:
        # A folder may be there because of one file in it.
        if path in self._whole or (path in self._there and not path.is_dir()):
            return
        self._whole.add(path)
        self.folder(path.parent)
        try:
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode) and path not in self._there:
                target = path.readlink()
                self._entry(path, _LINK, os.fsencode(target))
                aim = Path(os.path.normpath(path.parent / target))
                if aim.exists():
                    self._host(aim)
            elif stat.S_ISDIR(status.st_mode):
                self.folder(path)
                for each in sorted(path.iterdir()):
                    if each.name not in _LEFT_OUT:
                        self._host(each)
            elif stat.S_ISREG(status.st_mode):
                # The modification time tells Python whether its compiled files are those of the sources.
                mode = _FILE | stat.S_IMODE(status.st_mode)
                self._entry(path, mode, path.read_bytes(), modified=int(status.st_mtime))
        except OSError as error:
            raise HostError(f"{path}: cannot be put into the guest: {error.strerror}") from None

    def _entry(
        self,
        path: Path,
        mode: int,
        content: bytes = b"",
        modified: int = 0,
        device: tuple[int, int] = (0, 0),
    ) -> None:
        self._there.add(path)
        name = os.fsencode(str(path).lstrip("/")) + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        fields = (len(self._there), mode, 0, 0, links, modified, len(content), 0, 0, *device, len(name), 0)
        header = b"070701" + b"".join(b"%08x" % (field & 0xFFFFFFFF) for field in fields)
        for piece in (header + name, content):
            self._file.write(piece)
            self._file.write(bytes(-len(piece) % 4))
