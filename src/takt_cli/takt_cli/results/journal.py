# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The journal of a batch: one line for each attempt, added when its result is on disk."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import msgspec

from takt_cli.errors import ResultError
from takt_cli.results.batch import Item

JOURNAL = "journal.jsonl"
DONE, FAILED = "done", "failed"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of an attempt. `began` is None if it is known from the result folder only. `worker` and `host` say where
    a cluster ran it."""

    application: str
    executor: str
    run: int
    attempt: int
    outcome: str
    error: str | None
    began: str | None
    ended: str | None
    worker: str | None = None
    host: dict[str, str | None] | None = None

    @property
    def item(self) -> Item:
        return Item(self.application, self.executor, self.run)

    def line(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def parse(content: bytes) -> list[Entry]:
    """Parse the complete lines of a journal. A damaged line, such as one that a crash has cut short, is
    ignored: whoever continues the batch finds in the folders which runs are complete."""
    entries = []
    for line in content.split(b"\n"):
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except msgspec.MsgspecError:
            continue
        if entry.outcome in {DONE, FAILED}:
            entries.append(entry)
    return entries


class Journal:
    """A journal file, to which lines are appended. Raises a ResultError if it cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> bytes:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise ResultError(f"{self._path}: cannot be read: {error.strerror}") from None

    def entries(self) -> list[Entry]:
        return parse(self.read())

    def replace(self, entries: Collection[Entry]) -> None:
        """Replace the content, unless it is the same."""
        content = b"".join(entry.line() for entry in entries)
        if content != self.read():
            self._write(self._path.with_name(f".{self._path.name}.partial"), "wb", content)

    def add(self, entry: Entry) -> None:
        """Append an entry; it is on disk when this returns."""
        self._write(self._path, "ab", entry.line())

    def _write(self, path: Path, mode: str, content: bytes) -> None:
        try:
            with path.open(mode) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if path != self._path:
                path.replace(self._path)
        except OSError as error:
            raise ResultError(f"{self._path}: cannot be written: {error.strerror}") from None
