# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The data that a batch and the workers of a cluster exchange."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import takt_cli
from takt_cli.batch.plan import Plan
from takt_cli.host.versions import commit, sources

# Samples are mostly small numbers, so the lowest compression level already achieves most of what is possible.
_EFFORT = 1


@dataclass(frozen=True)
class Identity:
    """Identifies a version of takt: results of different versions do not belong together."""

    version: str
    commit: str | None
    sources: str

    def __str__(self) -> str:
        return f"{self.version} at {self.commit or 'no commit'} ({self.sources[:8]})"


def identity() -> Identity:
    """Return the identity of this takt."""
    return Identity(takt_cli.__version__, commit(), sources())


@dataclass(frozen=True)
class Job:
    """A run for a worker: the only one of `plan`. `batch` identifies the batch on its workers."""

    batch: str
    plan: Plan
    command: list[str]
    needs: Identity


@dataclass(frozen=True)
class Answer:
    """The outcome of a run; `archive` is its result folder, packed. `full` means that the worker's disk is full, so
    that its next runs would fail, too. Times are of the worker's wall clock."""

    worker: str
    address: str
    host: dict[str, str | None]
    began: float
    error: str | None = None
    full: bool = False
    archive: bytes = field(default=b"", repr=False)


def pack(folder: Path) -> bytes:
    """Pack the files in a folder and its subfolders."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=_EFFORT) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return packed.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    """Unpack what pack() returned into a folder."""
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        archive.extractall(folder)
