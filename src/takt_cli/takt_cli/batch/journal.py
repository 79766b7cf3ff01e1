# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The journal of a batch: one line for each attempt, added when its result is on disk."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from takt_cli.batch.plan import Item
from takt_cli.errors import ResultError

JOURNAL = "journal.jsonl"
DONE, FAILED = "done", "failed"


@dataclass(frozen=True)
class Entry:
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
    host: dict[str, Any] | None = None

    @property
    def item(self) -> Item:
        return Item(self.application, self.executor, self.run)

    def line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"


def parse(content: bytes) -> list[Entry]:
    """Parse the complete lines of a journal; a line that a crash has cut short is ignored."""
    entries = []
    for line in content.split(b"\n"):
        try:
            data = json.loads(line)
            entry = Entry(**data)
        except (ValueError, TypeError):
            continue
        if entry.outcome in {DONE, FAILED}:
            entries.append(entry)
    return entries


@dataclass(frozen=True)
class State:
    """The state of a batch, with the journal that it follows from: which items are finished, and how often each
    failed."""

    finished: frozenset[Item]
    failures: Mapping[Item, int]
    entries: tuple[Entry, ...]

    def errors(self, item: Item) -> list[str]:
        return [entry.error or "" for entry in self.entries if entry.item == item and entry.outcome == FAILED]


def reconcile(entries: Collection[Entry], complete: Mapping[Item, str], planned: Collection[Item]) -> State:
    """Return the state of a batch. `complete` holds the runs whose complete folders exist, with their times; only these
    count as done. Missing journal entries are added, and entries without a folder left out."""
    items = set(planned)
    kept_entries: list[Entry] = []
    failures: Counter[Item] = Counter()
    noted_items: set[Item] = set()
    for entry in entries:
        if entry.item not in items or entry.item in noted_items:
            continue
        if entry.outcome == FAILED:
            failures[entry.item] += 1
        elif entry.item in complete:
            noted_items.add(entry.item)
        else:
            continue
        kept_entries.append(entry)
    for item, end_time in complete.items():
        if item in items - noted_items:
            attempt = failures[item] + 1
            kept_entries.append(Entry(item.application, item.executor, item.run, attempt, DONE, None, None, end_time))
    return State(frozenset(items & set(complete)), failures, tuple(kept_entries))


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

    def replace(self, entries: Collection[Entry]) -> None:
        """Replace the content, unless it is the same."""
        content = b"".join(entry.line() for entry in entries)
        if content == self.read():
            return
        partial_file = self._path.with_name(f".{self._path.name}.partial")
        try:
            with partial_file.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial_file.replace(self._path)
        except OSError as error:
            raise ResultError(f"{self._path}: cannot be written: {error.strerror}") from None

    def add(self, entry: Entry) -> None:
        """Append an entry; it is on disk when this returns."""
        try:
            with self._path.open("ab") as file:
                file.write(entry.line())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ResultError(f"{self._path}: cannot be written: {error.strerror}") from None
