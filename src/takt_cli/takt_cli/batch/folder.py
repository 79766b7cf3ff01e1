# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a batch. It is filled run by run, and every run in it is complete."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from takt_cli.batch.plan import Plan, sha256
from takt_cli.batch.queue import Attempt
from takt_cli.batch.state import State, reconcile
from takt_cli.errors import ResultError, SpecError
from takt_cli.results.batch import BATCH_FORMAT, BatchApplication, Item, run_folder
from takt_cli.results.folder import ResultFolder
from takt_cli.results.journal import DONE, FAILED, JOURNAL, Entry, Journal
from takt_cli.results.result_file import RESULT_FILE, NoRecord, is_complete, kind_of
from takt_cli.results.structures import extended
from takt_cli.run.origin import origin_before
from takt_cli.spec.load import Spec, parse_spec

ORIGIN = "generated.json"


class BatchFolder:
    """The folder of a batch that this process works on."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self._journal = Journal(path / JOURNAL)

    def result_folder(self, item: Item) -> Path:
        """Return the result folder of a run."""
        return run_folder(self.path, item)

    def tidy(self) -> State:
        """Bring journal and folders into agreement after an interruption of any kind, remove incomplete results, and
        return what is done. Raises a ResultError for a folder that is no finished run."""
        for partial in self.path.glob("runs/*/*/.*.partial"):
            shutil.rmtree(partial, ignore_errors=True)
        kept_names = {}
        for item in self.plan.items:
            place = self.result_folder(item)
            if is_complete(place):
                kept_names[item] = _iso_time((place / RESULT_FILE).stat().st_mtime)
            elif place.is_dir() and any(place.iterdir()):
                raise ResultError(f"{place}: does not hold the result of a finished run; move it away")
        state = reconcile(self._journal.entries(), kept_names, self.plan.items)
        self._journal.replace(state.entries)
        return state

    def state(self) -> State:
        """Return what is done, according to the journal."""
        entries = self._journal.entries()
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
        host: dict[str, str | None] | None = None,
    ) -> None:
        """Record in the journal how an attempt ended; `start_time` is when it was started, by the wall clock in s."""
        outcome, end_time = DONE if error is None else FAILED, datetime.now().astimezone().timestamp()
        item, times = attempt.item, (_iso_time(start_time), _iso_time(end_time))
        self._journal.add(
            Entry(item.application, item.executor, item.run, attempt.number, outcome, error, *times, worker, host)
        )


@contextmanager
def new_folder(plan: Plan, path: Path, command: list[str], origin: Path | None = None) -> Iterator[BatchFolder]:
    """Create the folder of a batch with its plan. `origin` is the folder of the specs; its generated.json, which says
    how they were made, is copied if there is one."""
    if kind_of(path) == BATCH_FORMAT.kind:
        how_to_continue = f"continue it with: takt batch --resume {path}"
        raise ResultError(f"{path}: already holds a batch; {how_to_continue}, or name another folder by --out")
    with ResultFolder(path) as folder:
        (folder.path / "specs").mkdir()
        for name, spec in plan.specs.items():
            (folder.path / "specs" / f"{name}.yaml").write_bytes(spec.text)
        if origin is not None and (origin / ORIGIN).is_file():
            shutil.copyfile(origin / ORIGIN, folder.path / ORIGIN)
        (folder.path / JOURNAL).touch()
        BATCH_FORMAT.write(folder.path, origin_before(command), plan.recorded, NoRecord())
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
        if kept_plan.recorded != plan.recorded:
            raise ResultError(f"{path}: holds a batch with another plan; name another folder by --out")
        yield BatchFolder(path, kept_plan)


def read_plan(path: Path) -> Plan:
    """Read a batch's plan from result.json and specs/. Raises a ResultError."""
    settings = BATCH_FORMAT.read(path).settings
    specs = {each.name: _read_spec(path, each, settings.policy) for each in settings.applications}
    return extended(settings, Plan, specs=specs)


def _read_spec(path: Path, application: BatchApplication, policy: str | None) -> Spec:
    file = path / application.file
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ResultError(f"{file}: cannot be read: {error.strerror}") from None
    if sha256(text) != application.sha256:
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
