# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The initial file system of a guest: a cpio archive in the kernel's format (newc), which it unpacks into RAM."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from takt_cli.errors import HostError

_FOLDER, _FILE, _LINK, _DEVICE = stat.S_IFDIR | 0o755, stat.S_IFREG, stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600
# Folders of Python packages that nothing needs at run time; some are larger than the rest of the package.
_LEFT_OUT = {"tests"}
_END = Path("/TRAILER!!!")


class Archive:
    """Writes the archive entry by entry. Paths are absolute, each is included once, and root owns all files."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._included = {Path("/")}
        self._included_folders: set[Path] = set()

    def add_folder(self, path: Path) -> None:
        """Add a folder and all of its parents."""
        if path not in self._included:
            self.add_folder(path.parent)
            self._entry(path, _FOLDER)

    def add_content(self, path: Path, content: bytes, mode: int = 0o644) -> None:
        """Add a file with this content."""
        self.add_folder(path.parent)
        self._entry(path, _FILE | mode, content)

    def add_device(self, path: Path, major: int, minor: int) -> None:
        """Add a character device."""
        self.add_folder(path.parent)
        self._entry(path, _DEVICE, device=(major, minor))

    def add_host_files(self, paths: Iterable[Path]) -> None:
        """Add files and whole folders of the host under their own paths; links together with their targets."""
        for path in paths:
            self._host(path.absolute())

    def write_trailer(self) -> None:
        """Write the entry that ends the archive."""
        self._entry(_END, 0)

    def _host(self, path: Path) -> None:
        # A folder may have been added for the sake of one file in it, without the others.
        if path in self._included_folders or (path in self._included and not path.is_dir()):
            return
        self._included_folders.add(path)
        self.add_folder(path.parent)
        try:
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode) and path not in self._included:
                target = path.readlink()
                self._entry(path, _LINK, os.fsencode(target))
                link_target = Path(os.path.normpath(path.parent / target))
                if link_target.exists():
                    self._host(link_target)
            elif stat.S_ISDIR(status.st_mode):
                self.add_folder(path)
                for each in sorted(path.iterdir()):
                    if each.name not in _LEFT_OUT:
                        self._host(each)
            elif stat.S_ISREG(status.st_mode):
                # Python compares the modification time to decide whether a compiled file is up to date.
                mode = _FILE | stat.S_IMODE(status.st_mode)
                self._entry(path, mode, path.read_bytes(), modified=int(status.st_mtime))
        except OSError as error:
            raise HostError(f"{path}: cannot be copied into the guest: {error.strerror}") from None

    def _entry(
        self,
        path: Path,
        mode: int,
        content: bytes = b"",
        modified: int = 0,
        device: tuple[int, int] = (0, 0),
    ) -> None:
        self._included.add(path)
        name = os.fsencode(str(path).lstrip("/")) + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        fields = (len(self._included), mode, 0, 0, links, modified, len(content), 0, 0, *device, len(name), 0)
        header = b"070701" + b"".join(b"%08x" % (field & 0xFFFFFFFF) for field in fields)
        for piece in (header + name, content):
            self._file.write(piece)
            self._file.write(bytes(-len(piece) % 4))
