# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The raw samples of a result: reading and merging of the rows that the C++ programs write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from takt_cli.errors import ResultError

# Structured arrays; numpy's types do not know their fields.
Rows: TypeAlias = "np.ndarray[tuple[int], np.dtype[Any]]"
Ints: TypeAlias = "npt.NDArray[np.int64]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"

# Instants are CLOCK_MONOTONIC in ns; -1 means none.
JOBS = np.dtype(
    [
        ("task", "<u4"),
        ("flags", "<u4"),
        ("index", "<u8"),
        ("release", "<i8"),
        ("start", "<i8"),
        ("finish", "<i8"),
        ("cpu", "<i8"),
        ("decision", "<i8"),
        ("dispatch_cpu", "<i8"),
    ]
)
READS = np.dtype(
    [
        ("task", "<u4"),
        ("topic", "<u4"),
        ("index", "<u8"),
        ("start", "<i8"),
        ("sequence", "<i8"),
        ("published", "<i8"),
    ]
)
PUBLISHES = np.dtype(
    [
        ("topic", "<u4"),
        ("task", "<u4"),
        ("index", "<u8"),
        ("sequence", "<i8"),
        ("stamp", "<i8"),
        ("returned", "<i8"),
    ]
)
STALLS = np.dtype([("cpu", "<i8"), ("from", "<i8"), ("to", "<i8")])
SAMPLES = np.dtype([("round", "<u4"), ("variant", "<u4"), ("x", "<i8"), ("at", "<i8"), ("value", "<f8")])
# Rows of a soak. The kinds of its events: another scenario was requested by a thread or by a callback; a node was added
# or removed.
SOAK_JOBS = np.dtype(
    {
        "names": ["task", "index", "release", "deadline", "start", "finish", "cpu"],
        "formats": ["<u4", "<u8", "<i8", "<i8", "<i8", "<i8", "<i8"],
        "offsets": [0, 8, 16, 24, 32, 40, 48],
        "itemsize": 56,
    }
)
SOAK_MISSES = np.dtype(
    [("noticed", "<i8"), ("release", "<i8"), ("deadline", "<i8"), ("task", "<u4"), ("transition", "<u4")]
)
SOAK_EVENTS = np.dtype([("from", "<i8"), ("to", "<i8"), ("kind", "<u4"), ("scenario", "<u4")])
GAUGES = np.dtype([("at", "<i8"), ("resident", "<i8"), ("heap", "<i8"), ("descriptors", "<i8"), ("threads", "<i8")])
FINISHES = np.dtype([("finish", "<i8")])
BY_THREAD, BY_CALLBACK, ADDED, REMOVED = 1, 2, 3, 4
# Rows of round trips and cycles; here 0 means no instant.
TRIPS = np.dtype([("sequence", "<u8"), ("intended", "<i8"), ("sent", "<i8"), ("received", "<i8")])
CYCLES = np.dtype(
    [
        ("cycle", "<u8"),
        ("ideal", "<i8"),
        ("start", "<i8"),
        ("request_sent", "<i8"),
        ("request_received", "<i8"),
        ("response_sent", "<i8"),
        ("response_received", "<i8"),
    ]
)
RESPONSES = np.dtype([("cycle", "<u8"), ("request_received", "<i8"), ("response_sent", "<i8")])
SLICES = np.dtype([("task", "<u4"), ("index", "<u8"), ("from", "<i8"), ("to", "<i8")])
# The turns of a CPU: from `at` (CLOCK_MONOTONIC, ns) on thread `tid` has it, 0 for the idle thread; `preempted` is 1 if
# the previous thread was still runnable.
CPU_TURNS = np.dtype([("at", "<i8"), ("tid", "<i4"), ("preempted", "<i4")])

SKIPPED, UNFINISHED, LATE, EXTRA = 1, 2, 4, 8
# The index of the first extra job of a task, which is released off its grid.
FIRST_EXTRA = 1 << 63


def read_rows(path: Path, kind: np.dtype[Any]) -> Rows:
    """Return the rows of an .npy file, memory-mapped. Raises ResultError if the file is missing or has other
    content."""
    try:
        rows: Any = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file; name the folder of a finished run") from None
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise ResultError(f"{path}: is not a readable .npy file: {error}") from None
    if not isinstance(rows, np.ndarray) or rows.ndim != 1 or rows.dtype.names != kind.names:
        raise ResultError(f"{path}: does not hold rows of {', '.join(kind.names or ())}; was it written by takt?")
    rows_of_kind: Rows = rows if rows.dtype == kind else rows.astype(kind)
    return rows_of_kind


def write_rows(path: Path, rows: Rows) -> None:
    """Write rows to an .npy file. Raises OSError with the reason and the path if this fails."""
    try:
        with path.open("wb") as file:
            np.save(_Writer(file), rows, allow_pickle=False)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


class _Writer:
    """A file object for numpy that is not a real file: numpy's own writing to files does not report why it failed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        return self._file.write(data)


def merge(paths: Iterable[Path], kind: np.dtype[Any], order: str) -> Rows:
    """Return the rows of several processes in one array, sorted by the field `order`."""
    parts = [read_rows(path, kind) for path in paths]
    rows: Rows = np.concatenate(parts) if parts else np.empty(0, kind)
    return rows[np.argsort(rows[order], kind="stable")]
