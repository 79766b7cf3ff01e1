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
from takt_cli.host.full_disk import PARTIAL

# Folders with paths that are not regular files.
_DEVICES = ("dev", "proc")


@contextmanager
def atomic_file(place: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; it takes its place when the context is left. Raises a ResultError if it cannot be
    written."""
    if place.is_dir():
        raise ResultError(f"{place}: is a folder; name a file by --out")
    asked, place = place, place.absolute()
    try:
        if (place.exists() and not place.is_file()) or place.parts[1] in _DEVICES:
            # Devices and pipes are written to directly, as they must not be replaced by a file.
            with place.open("wb") as device:
                yield device
            return
        place = place.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=PARTIAL, dir=place.parent)
        partial = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            partial.chmod(0o666 & ~_umask())
            partial.replace(place)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ResultError(f"{asked}: cannot be written: {error.strerror}; name another file by --out") from None


def write_atomically(place: Path, text: str) -> None:
    """Write text in UTF-8, completely or not at all."""
    with atomic_file(place) as file:
        file.write(text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
