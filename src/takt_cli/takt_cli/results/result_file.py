# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The file `result.json` of every result folder: the same envelope around what each kind of result records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from takt_cli.errors import ResultError
from takt_cli.results.json_file import read_json, write_json
from takt_cli.results.origin import Host, Origin

RESULT_FILE, SUMMARY_FILE = "result.json", "summary.json"
# The application of a run, as the C++ programs read it.
RESOLVED_FILE = "resolved.json"
Settings = TypeVar("Settings")
Record = TypeVar("Record")


class Envelope(msgspec.Struct, Generic[Settings, Record], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `result.json`. `settings` is what was asked for, `record` what the kind of result leaves beside
    its samples."""

    kind: str
    schema_version: int
    origin: Origin
    settings: Settings
    record: Record


class NoRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a kind of result whose samples and runs tell everything."""


@dataclass(frozen=True)
class ResultFormat(Generic[Settings, Record]):
    """The form of `result.json` for one kind of result. `version` counts the changes of its form, and of those of
    `summary.json` and the samples beside it."""

    kind: str
    version: int
    settings: type[Settings]
    record: type[Record]

    def write(self, folder: Path, origin: Origin, settings: Settings, record: Record) -> None:
        """Write `result.json` into `folder`. Raises OSError if this fails."""
        content = Envelope(kind=self.kind, schema_version=self.version, origin=origin, settings=settings, record=record)
        write_json(folder / RESULT_FILE, content)

    def read(self, folder: Path) -> Envelope[Settings, Record]:
        """Read `result.json` in `folder`. Raises ResultError if it is missing, of another kind or version, or
        damaged."""
        header = _header(folder)
        if header.kind != self.kind:
            raise ResultError(f"{folder}: is the result of a {header.kind}, not of a {self.kind}")
        if header.schema_version != self.version:
            raise ResultError(
                f"{folder}: has version {header.schema_version} of its format, and this takt reads version "
                f"{self.version}; measure again"
            )
        return read_json(folder / RESULT_FILE, self.type)

    @property
    def type(self) -> type[Envelope[Settings, Record]]:
        """The type of the file's content, of which a JSON Schema can be made."""
        return Envelope[self.settings, self.record]  # type: ignore[name-defined]


@dataclass(frozen=True)
class StoredResult(Generic[Settings, Record]):
    """The result in `folder`, with the content of its `result.json`: what the results of all kinds have in common."""

    folder: Path
    envelope: Envelope[Settings, Record]

    @property
    def origin(self) -> Origin:
        return self.envelope.origin

    @property
    def settings(self) -> Settings:
        return self.envelope.settings

    @property
    def record(self) -> Record:
        return self.envelope.record

    @property
    def host(self) -> Host:
        """The host that it was made on. Raises ResultError if it is unknown."""
        return self.origin.known_host


class _Header(msgspec.Struct, frozen=True):
    kind: str
    schema_version: int


class _Any(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    schema_version: int
    origin: Origin
    settings: msgspec.Raw
    record: msgspec.Raw


def is_complete(folder: Path) -> bool:
    """Return whether `folder` holds a result. It appears there as a whole, so a measurement is finished then."""
    return (folder / RESULT_FILE).exists()


def kind_of(folder: Path) -> str | None:
    """Return the kind of the result in `folder`; None if it holds none. Raises ResultError if it is damaged."""
    return _header(folder).kind if is_complete(folder) else None


def require_kind(folder: Path) -> str:
    """Return the kind of the result in `folder`. Raises ResultError if it holds none, or one that is damaged."""
    return _header(folder).kind


def read_origin(folder: Path) -> Origin:
    """Return where the result in `folder` comes from, of whatever kind it is. Raises ResultError as `read`."""
    return read_json(folder / RESULT_FILE, _Any).origin


def replace_origin(folder: Path, **changes: Any) -> None:
    """Change fields of the origin in a result of any kind and leave all else as it is."""
    content = read_json(folder / RESULT_FILE, _Any)
    origin = msgspec.structs.replace(content.origin, **changes)
    write_json(folder / RESULT_FILE, msgspec.structs.replace(content, origin=origin))


def _header(folder: Path) -> _Header:
    if folder.exists() and not folder.is_dir():
        raise ResultError(f"{folder}: is a file; name the folder of a result")
    if not is_complete(folder):
        raise ResultError(f"{folder}: holds no result; name the folder of a finished one")
    return read_json(folder / RESULT_FILE, _Header)
