# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The results of many runs as data: of a batch, of a demo, or of a single run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from takt_cli.analysis.summary import SCHEMA_VERSION as SUMMARY_VERSION
from takt_cli.analysis.summary import with_structures
from takt_cli.errors import ResultError
from takt_cli.results.origin import Host
from takt_cli.results.run import RUN_FORMAT, RunEnvelope, RunRecord, RunRequest

BATCH, DEMO, RUN = "batch", "demo", "run"
_BATCH_VERSION = 1
_DONE, _FAILED = "done", "failed"


@dataclass(frozen=True)
class SetRun:
    """A finished run: the content of its summary.json and result.json. `run` counts from 1; `began` is an ISO time, if
    a batch recorded it."""

    application: str
    executor: str
    run: int
    folder: Path
    summary: dict[str, Any]
    envelope: RunEnvelope
    began: str | None = None

    @property
    def settings(self) -> RunRequest:
        return self.envelope.settings

    @property
    def record(self) -> RunRecord:
        return self.envelope.record

    @property
    def host(self) -> Host:
        return self.envelope.origin.known_host


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
    """The content of a folder: `runs` in the order in which they were run. `kind` is batch, demo or run; `record` is
    the content of batch.json or demo.json. `pending`: how many runs of an interrupted batch are still to be
    done."""

    folder: Path
    kind: str
    runs: tuple[SetRun, ...]
    failed: tuple[FailedRun, ...]
    record: dict[str, Any]
    pending: int = 0


def read_set(folder: Path) -> ResultSet:
    """Read the result in `folder`. Raises ResultError if there is none, or if it is incomplete."""
    if folder.exists() and not folder.is_dir():
        raise ResultError(f"{folder}: is a file; name the folder of a result")
    if (folder / "batch.json").exists():
        return _batch(folder)
    if (folder / "demo.json").exists():
        return _demo(folder)
    return ResultSet(folder, RUN, (_run(folder),), (), {})


def _batch(folder: Path) -> ResultSet:
    path = folder / "batch.json"
    record = _object(path)
    try:
        if record["kind"] != BATCH or record["schema_version"] != _BATCH_VERSION:
            raise ResultError(f"{path}: is not the record of a batch of this version of takt; run the batch again")
        items = [(str(i["application"]), str(i["executor"]), int(i["run"])) for i in record["items"]]
        attempts = [
            ((str(e["application"]), str(e["executor"]), int(e["run"])), e) for e in _journal(folder / "journal.jsonl")
        ]
        last_attempts = {item: entry for item, entry in attempts if entry["outcome"] in (_DONE, _FAILED)}
        tries = {item: int(entry["attempt"]) for item, entry in attempts}
    except (KeyError, TypeError, ValueError):
        raise ResultError(
            f"{folder}: its batch.json and journal.jsonl are damaged; restore them, or run again"
        ) from None
    runs, failed = [], []
    for item in items:
        entry = last_attempts.get(item)
        if entry is None or (entry["outcome"] == _FAILED and tries[item] < _attempts(record)):
            continue
        if entry["outcome"] == _FAILED:
            failed.append(FailedRun(*item, tries[item], str(entry.get("error") or "")))
        else:
            application, executor, run = item
            start_time = entry.get("began")
            runs.append(_run(folder / "runs" / application / executor / str(run), item, start_time))
    return ResultSet(folder, BATCH, tuple(runs), tuple(failed), record, len(items) - len(runs) - len(failed))


def _attempts(record: dict[str, Any]) -> int:
    """Return how often a run is attempted before it counts as failed."""
    return int(record.get("attempts", 2))


def _demo(folder: Path) -> ResultSet:
    record = _object(folder / "demo.json")
    names = record.get("executors")
    if not isinstance(names, dict):
        raise ResultError(f"{folder / 'demo.json'}: names no executors; was it written by takt?")
    return ResultSet(folder, DEMO, tuple(_run(folder / name) for name in names), (), record)


def _run(folder: Path, item: tuple[str, str, int] | None = None, began: str | None = None) -> SetRun:
    """Return the run in a folder; `item`: what the batch's record says about it."""
    envelope, summary = RUN_FORMAT.read(folder), _object(folder / "summary.json")
    executor_in_record = envelope.settings.executor
    if summary.get("schema_version") != SUMMARY_VERSION:
        raise ResultError(f"{folder}: its summary.json is of another version of takt; run it again")
    try:
        application_name, summary = str(summary["application"]), with_structures(summary)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise ResultError(f"{folder}: is not the result of a run; its summary.json is damaged") from None
    application, executor, run = item or (application_name, executor_in_record, 1)
    if executor != executor_in_record or summary.get("executor") != executor_in_record:
        raise ResultError(
            f"{folder}: holds a run of {executor_in_record} where the batch has one of {executor}; was it moved?"
        )
    return SetRun(application, executor, run, folder, summary, envelope, began)


def _journal(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entries of a journal. A last line that was cut off by an interruption is ignored."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return  # nothing has been run yet
    except (OSError, ValueError) as error:
        raise ResultError(f"{path}: cannot be read: {error}") from None
    *lines, raw_lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        entry = _parsed(line)
        if not isinstance(entry, dict):
            raise ResultError(
                f"{path}:{number}: is not an entry of a journal; restore the file, or run the batch again"
            )
        yield entry
    # The last line may be complete except for its end of line.
    if isinstance(entry := _parsed(raw_lines), dict):
        yield entry


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _object(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file, but the result should have it; run it again") from None
    except (OSError, ValueError) as error:
        raise ResultError(f"{path}: cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise ResultError(f"{path}: is not a JSON object; was it written by takt?")
    return content
