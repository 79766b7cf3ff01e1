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


def row_type(fields: str, align: bool = False) -> np.dtype[Any]:
    """Return the type of rows with these fields, as in `task:u4 release`. A field without a kind is an i8. `align`:
    there is padding, as C++ makes it."""
    parts = [(name, kind or "i8") for name, _, kind in (each.partition(":") for each in fields.split())]
    return np.dtype([(name, np.dtype(kind).newbyteorder("<")) for name, kind in parts], align=align)


# Instants are CLOCK_MONOTONIC in ns; -1 means none.
JOBS = row_type("task:u4 flags:u4 index:u8 release start finish cpu decision dispatch_cpu")
READS = row_type("task:u4 topic:u4 index:u8 start sequence published")
PUBLISHES = row_type("topic:u4 task:u4 index:u8 sequence stamp returned")
STALLS = row_type("cpu from to")
SAMPLES = row_type("round:u4 variant:u4 x at value:f8")
# Rows of a soak. The kinds of its events: another scenario was requested by a thread or by a callback; a node was added
# or removed.
SOAK_JOBS = row_type("task:u4 index:u8 release deadline start finish cpu", align=True)
SOAK_MISSES = row_type("noticed release deadline task:u4 transition:u4")
SOAK_EVENTS = row_type("from to kind:u4 scenario:u4")
GAUGES = row_type("at resident heap descriptors threads")
FINISHES = row_type("finish")
BY_THREAD, BY_CALLBACK, ADDED, REMOVED = 1, 2, 3, 4
# Rows of round trips and cycles; here 0 means no instant.
TRIPS = row_type("sequence:u8 intended sent received")
SENT = row_type("sequence:u8 bytes intended sent returned")
RECEIVED = row_type("sequence:u8 receiver bytes received")
CPU_NOTES = row_type("turn:u8 at cpu")
CYCLES = row_type("cycle:u8 ideal start request_sent request_received response_sent response_received")
RESPONSES = row_type("cycle:u8 request_received response_sent")
SLICES = row_type("task:u4 index:u8 from to")
# The turns of a CPU: from `at` (CLOCK_MONOTONIC, ns) on thread `tid` has it, 0 for the idle thread; `preempted` is 1 if
# the previous thread was still runnable.
CPU_TURNS = row_type("at tid:i4 preempted:i4")

SKIPPED, UNFINISHED, LATE, EXTRA = 1, 2, 4, 8


def read_array(path: Path) -> Any:
    """Return the content of an .npy file, memory-mapped. Raises ResultError if the file is missing or damaged."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file; name the folder of a finished run") from None
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise ResultError(f"{path}: is not a readable .npy file: {error}") from None


def read_rows(path: Path, kind: np.dtype[Any]) -> Rows:
    """Return the rows of an .npy file, memory-mapped. Raises ResultError as `read_array`, and for other content."""
    rows = read_array(path)
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
