# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of the result of a batch: its plan. The journal and the folders of its runs say how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from takt_cli.results.result_file import NoRecord, ResultFormat

TRIES = 2
"""The number of attempts per run: the causes of failed runs (such as a middleware that hangs) rarely occur twice."""


@dataclass(frozen=True, order=True)
class Item:
    """A run of the batch; `run` is its number, from 1."""

    application: str
    executor: str
    run: int

    def __str__(self) -> str:
        return f"{self.application} under {self.executor}, run {self.run}"


class BatchApplication(msgspec.Struct, frozen=True):
    """An application by its name in the batch, with its spec's file below the folder of the batch."""

    name: str
    file: str
    sha256: str


class BatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for. Times in ns; `items` are the runs in their order. `cpus` None stands for the last CPU of each
    worker of a cluster."""

    seed: int
    runs: int
    duration: int
    warmup: int
    cooldown: int
    cpus: tuple[int, ...] | None
    load: str | None
    policy: str | None
    applications: list[BatchApplication]
    items: tuple[Item, ...]


# There is no record, since a batch's result is written before its first run.
BATCH_FORMAT = ResultFormat("batch", 2, BatchSettings, NoRecord)


def run_folder(folder: Path, item: Item) -> Path:
    """Return the folder of a run in that of a batch."""
    return folder / "runs" / item.application / item.executor / str(item.run)
