# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The file of a page: whole, or as it was before."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from takt_cli.errors import ResultError


def write_page(place: Path, page: str) -> None:
    """Replaces what was there; ResultError if it cannot."""
    if place.is_dir():
        raise ResultError(f"{place}: is a folder; name a file by --out")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".partial", dir=place.parent)
        partial = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(page)
            partial.chmod(0o666 & ~_umask())
            partial.replace(place)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ResultError(f"{place}: cannot be written: {error.strerror}; name another file by --out") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
