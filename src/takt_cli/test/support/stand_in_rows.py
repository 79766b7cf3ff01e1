# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Rows of samples as the stand-ins for programs write and read them: without numpy, which takes long to load."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# For each kind of rows: its fields in numpy's notation, and the format for struct.
FORMATS = json.loads(Path(sys.argv[0]).with_name("formats.json").read_text("utf-8"))


def save(path: Path, kind: str, rows: Sequence[tuple[float, ...]]) -> None:
    """Write rows to a file in the format .npy 1.0."""
    fields, packed = FORMATS[kind]
    header = str({"descr": [tuple(field) for field in fields], "fortran_order": False, "shape": (len(rows),)})
    header += " " * (-(11 + len(header)) % 64) + "\n"
    pack = struct.Struct(packed).pack
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(start + b"".join(pack(*row) for row in rows))


def all_rows(path: Path, kind: str) -> list[tuple[Any, ...]]:
    """Return the rows of a file of this kind."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<H", data, 8)
    return list(struct.iter_unpack(FORMATS[kind][1], data[10 + length :]))
