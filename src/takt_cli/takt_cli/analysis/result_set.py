# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The results of many runs as data: of a batch, of a demo, or of a single run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.run_summary import RunSummary
from takt_cli.errors import ResultError
from takt_cli.results.batch import BATCH_FORMAT, TRIES, BatchSettings, Item, run_folder
from takt_cli.results.demo import DEMO_FORMAT
from takt_cli.results.journal import FAILED, JOURNAL, Journal
from takt_cli.results.json_file import read_json
from takt_cli.results.origin import Origin
from takt_cli.results.result_file import SUMMARY_FILE, StoredResult, kind_of
from takt_cli.results.run import RUN_FORMAT, RunRecord, RunRequest

BATCH, DEMO, RUN = BATCH_FORMAT.kind, DEMO_FORMAT.kind, RUN_FORMAT.kind


@dataclass(frozen=True)
class SetRun(StoredResult[RunRequest, RunRecord]):
    """A finished run with its summary. `run` counts from 1; `began` is an ISO time, if a batch recorded it."""

    application: str
    executor: str
    run: int
    summary: RunSummary
    began: str | None = None


@dataclass(frozen=True)
class FailedRun:
    """A run of which all attempts failed, with the last error."""

    application: str
    executor: str
    run: int
    attempts: int
    error: str


@dataclass(frozen=True)
class ResultSet:
    """The content of a folder: `runs` in the order in which they were run. `kind` is batch, demo or run; `plan` what a
    batch was asked for. `pending`: how many runs of an interrupted batch are still to be done."""

    folder: Path
    kind: str
    runs: tuple[SetRun, ...]
    failed: tuple[FailedRun, ...]
    origin: Origin
    plan: BatchSettings | None = None
    pending: int = 0


def read_set(folder: Path) -> ResultSet:
    """Read the result in `folder`. Raises ResultError if there is none, or if it is incomplete."""
    match kind_of(folder):
        case BATCH_FORMAT.kind:
            return _batch(folder)
        case DEMO_FORMAT.kind:
            demo = DEMO_FORMAT.read(folder)
            return ResultSet(
                folder, DEMO, tuple(_run(folder / name) for name in demo.settings.executors), (), demo.origin
            )
    run = _run(folder)
    return ResultSet(folder, RUN, (run,), (), run.origin)


def _batch(folder: Path) -> ResultSet:
    envelope, entries = BATCH_FORMAT.read(folder), Journal(folder / JOURNAL).entries()
    last = {entry.item: entry for entry in entries}
    runs, failed = [], []
    for item in envelope.settings.items:
        entry = last.get(item)
        if entry is None or (entry.outcome == FAILED and entry.attempt < TRIES):
            continue
        if entry.outcome == FAILED:
            failed.append(FailedRun(item.application, item.executor, item.run, entry.attempt, entry.error or ""))
        else:
            runs.append(_run(run_folder(folder, item), item, entry.began))
    pending = len(envelope.settings.items) - len(runs) - len(failed)
    return ResultSet(folder, BATCH, tuple(runs), tuple(failed), envelope.origin, envelope.settings, pending)


def _run(folder: Path, item: Item | None = None, began: str | None = None) -> SetRun:
    """Return the run in a folder; `item`: what the batch's record says about it."""
    envelope, summary = RUN_FORMAT.read(folder), read_json(folder / SUMMARY_FILE, RunSummary)
    executor_in_record = envelope.settings.executor
    item = item or Item(summary.application, executor_in_record, 1)
    if item.executor != executor_in_record or summary.executor != executor_in_record:
        raise ResultError(
            f"{folder}: holds a run of {executor_in_record} where the batch has one of {item.executor}; was it moved?"
        )
    return SetRun(folder, envelope, item.application, item.executor, item.run, summary, began)
