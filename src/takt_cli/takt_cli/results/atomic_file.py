# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Writes a file completely, or leaves the former one unchanged."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from takt_cli.errors import ResultError
from takt_cli.results.full_disk import PARTIAL

# Folders with paths that are not regular files.
_DEVICES = ("dev", "proc")


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; it takes its place when the context is left. Raises a ResultError if it cannot be
    written."""
    if path.is_dir():
        raise ResultError(f"{path}: is a folder; name a file by --out")
    try:
        if (path.exists() and not path.is_file()) or path.absolute().parts[1] in _DEVICES:
            # Devices and pipes are written to directly, as they must not be replaced by a file.
            with path.open("wb") as device:
                yield device
        else:
            with _replacement(path) as file:
                yield file
    except OSError as error:
        raise ResultError(f"{path}: cannot be written: {error.strerror}; name another file by --out") from None


def write_atomically(path: Path, text: str) -> None:
    """Write text in UTF-8, completely or not at all."""
    with atomic_file(path) as file:
        file.write(text.encode())


def replace_file(path: Path, content: bytes) -> None:
    """Write a file in a result folder, completely or not at all. Raises OSError if this fails."""
    with _replacement(path) as file:
        file.write(content)


def umask() -> int:
    """Return the process's mask for the rights of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=PARTIAL, dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        partial.chmod(0o666 & ~umask())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
