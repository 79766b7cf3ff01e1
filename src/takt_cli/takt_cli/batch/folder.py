# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a batch. It is filled run by run, and every run in it is complete."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from takt_cli.batch.journal import DONE, FAILED, JOURNAL, Entry, Journal, State, parse, reconcile
from takt_cli.batch.plan import SCHEMA_VERSION, Item, Plan, sha256
from takt_cli.batch.queue import Attempt
from takt_cli.errors import ResultError, SpecError
from takt_cli.host.versions import commit, versions
from takt_cli.results.folder import ResultFolder
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.surroundings.load import parse_load

RECORD = "batch.json"
ORIGIN = "generated.json"


class BatchFolder:
    """The folder of a batch that this process works on."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self._journal = Journal(path / JOURNAL)

    def result_folder(self, item: Item) -> Path:
        """Return the result folder of a run."""
        return self.path / "runs" / item.application / item.executor / str(item.run)

    def tidy(self) -> State:
        """Bring journal and folders into agreement after an interruption of any kind, remove incomplete results, and
        return what is done. Raises a ResultError for a folder that is no finished run."""
        for partial in self.path.glob("runs/*/*/.*.partial"):
            shutil.rmtree(partial, ignore_errors=True)
        kept_names = {}
        for item in self.plan.items:
            place = self.result_folder(item)
            if (place / "summary.json").is_file():
                kept_names[item] = _iso_time((place / "summary.json").stat().st_mtime)
            elif place.is_dir() and any(place.iterdir()):
                raise ResultError(f"{place}: does not hold the result of a finished run; move it away")
        state = reconcile(parse(self._journal.read()), kept_names, self.plan.items)
        self._journal.replace(state.entries)
        return state

    def state(self) -> State:
        """Return what is done, according to the journal."""
        entries = parse(self._journal.read())
        return reconcile(entries, {e.item: "" for e in entries if e.outcome == DONE}, self.plan.items)

    @contextmanager
    def result(self, item: Item) -> Iterator[Path]:
        """Yield a folder to fill. When the context is left without an error, the folder is moved to its place and has
        been written to disk."""
        place = self.result_folder(item)
        with ResultFolder(place) as folder:
            yield folder.path
            _flush_all(folder.path)
        for parent in (place.parent, place.parent.parent, place.parent.parent.parent):
            _flush(parent)

    def record_attempt(
        self,
        attempt: Attempt,
        start_time: float,
        error: str | None = None,
        worker: str | None = None,
        host: dict[str, Any] | None = None,
    ) -> None:
        """Record in the journal how an attempt ended; `start_time` is when it was started, by the wall clock in s."""
        item, end_time = attempt.item, datetime.now().astimezone().timestamp()
        outcome = DONE if error is None else FAILED
        self._journal.add(
            Entry(
                item.application,
                item.executor,
                item.run,
                attempt.number,
                outcome,
                error,
                _iso_time(start_time),
                _iso_time(end_time),
                worker,
                host,
            )
        )


@contextmanager
def new_folder(plan: Plan, path: Path, command: list[str], origin: Path | None = None) -> Iterator[BatchFolder]:
    """Create the folder of a batch with its plan. `origin` is the folder of the specs; its generated.json, which says
    how they were made, is copied if there is one."""
    if (path / RECORD).exists():
        how_to_continue = f"continue it with: takt batch --resume {path}"
        raise ResultError(f"{path}: already holds a batch; {how_to_continue}, or name another folder by --out")
    with ResultFolder(path) as folder:
        record = plan.to_json() | {
            "command": command,
            "began": datetime.now().astimezone().isoformat(),
            "versions": versions(),
            "commit": commit(),
        }
        (folder.path / "specs").mkdir()
        for name, spec in plan.applications.items():
            (folder.path / "specs" / f"{name}.yaml").write_bytes(spec.text)
        if origin is not None and (origin / ORIGIN).is_file():
            shutil.copyfile(origin / ORIGIN, folder.path / ORIGIN)
        (folder.path / JOURNAL).touch()
        (folder.path / RECORD).write_text(json.dumps(record, indent=1) + "\n", "utf-8")
        _flush_all(folder.path)
    _flush(path.absolute().parent)
    with _exclusive_lock(path):
        yield BatchFolder(path, plan)


@contextmanager
def old_folder(path: Path, plan: Plan) -> Iterator[BatchFolder]:
    """Open the folder of an earlier batch with the same plan. Raises a ResultError if there is none, if its plan is
    another one, or if another process works on it."""
    with _exclusive_lock(path):
        kept_plan = read_plan(path)
        if kept_plan.to_json() != plan.to_json():
            raise ResultError(f"{path}: holds a batch with another plan; name another folder by --out")
        yield BatchFolder(path, kept_plan)


def read_plan(path: Path) -> Plan:
    """Read a batch's plan from batch.json and specs/. Raises a ResultError."""
    record = read_record(path)
    try:
        duration, warmup, cooldown = (int(record[f"{name}_ns"]) for name in ("duration", "warmup", "cooldown"))
        policy = record["policy"]
        return Plan(
            applications={each["name"]: _read_spec(path, each, policy) for each in record["applications"]},
            items=tuple(Item(**each) for each in record["items"]),
            runs=int(record["runs"]),
            duration=duration,
            warmup=warmup,
            cooldown=cooldown,
            cpus=None if record["cpus"] is None else tuple(record["cpus"]),
            seed=int(record["seed"]),
            load=record["load"] and parse_load(record["load"]),
            policy=policy,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultError(f"{path / RECORD}: is not as takt writes it ({type(error).__name__}: {error})") from None


def read_record(path: Path) -> dict[str, Any]:
    """Read batch.json. Raises a ResultError."""
    try:
        record = json.loads((path / RECORD).read_text("utf-8"))
    except FileNotFoundError:
        raise ResultError(f"{path}: is not a batch: it has no {RECORD}; name the folder that a batch made") from None
    except OSError as error:
        raise ResultError(f"{path / RECORD}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ResultError(f"{path / RECORD}: is not as takt writes it: {error}") from None
    if not isinstance(record, dict) or record.get("kind") != "batch":
        raise ResultError(f"{path / RECORD}: does not describe a batch; name the folder that a batch made")
    if record.get("schema_version") != SCHEMA_VERSION:
        raise ResultError(
            f"{path / RECORD}: is from another version of takt (schema {record.get('schema_version')}); "
            "continue it with that version, or begin a new batch"
        )
    return record


def _read_spec(path: Path, record: dict[str, Any], policy: str | None) -> Spec:
    file = path / record["file"]
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ResultError(f"{file}: cannot be read: {error.strerror}") from None
    if sha256(text) != record["sha256"]:
        raise ResultError(f"{file}: has been changed since the batch began; restore it, or begin a new batch")
    try:
        return Spec(str(file), text, parse_spec(text, str(file), policy))
    except SpecError as error:
        raise ResultError(str(error)) from None


@contextmanager
def _exclusive_lock(path: Path) -> Iterator[None]:
    """Hold the folder's lock, so that no other process works on the batch. The lock ends with the process."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ResultError(f"{path}: cannot be opened: {error.strerror}; name the folder that a batch made") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise ResultError(f"{path}: another takt process works on this batch; wait for its end") from None
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(descriptor)


def _flush_all(folder: Path) -> None:
    """Flush all files and folders to disk, so that a power cut after the rename leaves no empty files."""
    for root, _, names in os.walk(folder, topdown=False):
        for name in names:
            _flush(Path(root, name))
        _flush(Path(root))


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _iso_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="milliseconds")
