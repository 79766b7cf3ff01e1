# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What passes between a batch and the workers of a cluster."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import takt_cli
from takt_cli.host.versions import commit, sources

# Samples are mostly small numbers: the least effort takes most of what there is to take.
_EFFORT = 1


@dataclass(frozen=True)
class Identity:
    """Which takt this is: where it differs, results do not belong together."""

    version: str
    commit: str | None
    sources: str

    def __str__(self) -> str:
        return f"{self.version} at {self.commit or 'no commit'} ({self.sources[:8]})"


def identity() -> Identity:
    """Ours."""
    return Identity(takt_cli.__version__, commit(), sources())


@dataclass(frozen=True)
class Job:
    """A run to be made. `cpus` None: the worker's last one. `batch` names the batch on its workers."""

    batch: str
    application: str
    executor: str
    text: bytes
    policy: str | None
    duration: int
    warmup: int
    cooldown: int
    cpus: tuple[int, ...] | None
    load: str | None
    command: list[str]
    needs: Identity

    @property
    def seconds(self) -> float:
        return (self.duration + self.warmup + self.cooldown) / 1e9


@dataclass(frozen=True)
class Answer:
    """What became of it; `archive` is its result folder. `full`: the worker's disk is, so that its next runs would end
    in the same way. Times of the worker's wall clock."""

    worker: str
    address: str
    host: dict[str, Any]
    began: float
    error: str | None = None
    full: bool = False
    archive: bytes = field(default=b"", repr=False)


def pack(folder: Path) -> bytes:
    """The files of a folder, which has no others in it."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=_EFFORT) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    return packed.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        archive.extractall(folder)
