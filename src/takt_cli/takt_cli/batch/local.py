# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs a batch on this host, one run after the other."""

from __future__ import annotations

import errno
import os
import time
from contextlib import AbstractContextManager
from pathlib import Path

from takt_cli.batch.folder import BatchFolder, new_folder, old_folder
from takt_cli.batch.outcome import Outcome, interrupted, outcome
from takt_cli.batch.plan import Plan
from takt_cli.batch.queue import Attempt, Queue
from takt_cli.errors import DiskFull, Interrupted, ResultError, TaktError
from takt_cli.host.cpu_locks import lock_exclusively
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.programs import find_program
from takt_cli.results.conditions import Load
from takt_cli.results.result_file import is_complete
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.surroundings.tools import find_tool

# Errors of the file system that every further run would meet, too.
_FATAL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
_RUNS_ARE_KEPT = "finished runs are kept, and --resume continues"


def run_batch(
    plan: Plan,
    folder: Path,
    command: list[str],
    progress: Progress,
    resume: bool = False,
    repeat_failed: bool = False,
    origin: Path | None = None,
) -> Outcome:
    """Run a batch into `folder`. With `resume`, an existing batch is continued; runs that have been given up are only
    tried again if `repeat_failed`. A run that fails twice is reported in the outcome. Raises a TaktError if no more
    runs are possible; finished runs are kept, also after Interrupted, and the batch can be resumed."""
    cpus = choose_cpus(plan.cpus)
    check_host(plan, cpus)
    with lock_exclusively(cpus, str(folder)), open_batch_folder(plan, folder, command, resume, origin) as batch:
        try:
            queue = pending_runs(batch, repeat_failed, progress)
            last_application = None
            while (attempt := queue.take(last_application)) is not None:
                _run(batch, attempt, cpus, command, progress, queue, first=last_application is None)
                last_application = attempt.item.application
        except Interrupted:
            raise interrupted(batch) from None
        return outcome(batch)


def check_host(plan: Plan, cpus: tuple[int, ...]) -> None:
    """Raise a TaktError for anything that would prevent every run of the plan."""
    plan.check(cpus)
    check_programs(plan.background)


def check_programs(load: Load | None) -> None:
    """Raise a HostError if a program that every run needs is not installed."""
    for program in ("probe", "runner", "simulate"):
        find_program(program)
    if load is not None:
        find_tool(load.tool)


def open_batch_folder(
    plan: Plan, folder: Path, command: list[str], resume: bool, origin: Path | None
) -> AbstractContextManager[BatchFolder]:
    """Open the folder of the batch, or create it. Raises a ResultError if an existing one has another plan."""
    if not resume or not is_complete(folder):
        return new_folder(plan, folder, command, origin)
    return old_folder(folder, plan)


def pending_runs(batch: BatchFolder, repeat_failed: bool, progress: Progress) -> Queue:
    """Return the queue of runs that are still missing, whatever the batch was interrupted by."""
    state, plan = batch.tidy(), batch.plan
    queue = Queue([item for item in plan.items if item not in state.finished], state.failures, repeat_failed)
    progress.expect(len(plan.items), plan.length * len(queue), before=len(plan.items) - len(queue))
    return queue


def _run(
    batch: BatchFolder,
    attempt: Attempt,
    cpus: tuple[int, ...],
    command: list[str],
    progress: Progress,
    queue: Queue,
    first: bool,
) -> None:
    plan, item = batch.plan, attempt.item
    with progress.part(str(item), plan.length - (plan.cooldown / 1e9 if first else 0.0)):
        if not first:
            progress.pause(plan.cooldown / 1e9, "cooling down")
        progress.say("starting")
        start_time, error = time.time(), None
        try:
            with batch.result(item) as place:
                run_and_replay(plan.run_settings(item, cpus), place, command, progress)
        except Exception as raised:
            error = failure_message(raised)
        batch.record_attempt(attempt, start_time, error)
        if error is not None and queue.failed(attempt):
            progress.pace.add_parts(1, plan.length)


def failure_message(raised: Exception) -> str:
    """Return the message for a failed run, or raise an exception if the whole batch must end."""
    if isinstance(raised, Interrupted):
        raise raised
    if isinstance(raised, DiskFull):
        raise ResultError(f"{raised}; {_RUNS_ARE_KEPT}") from None
    if isinstance(raised, TaktError):
        return str(raised)
    if isinstance(raised, OSError):
        text = f"{raised.filename or 'a file of the result'}: {raised.strerror or raised}"
        if raised.errno in _FATAL_ERRORS:
            raise ResultError(f"{text}; {_RUNS_ARE_KEPT}") from None
        return text
    if os.environ.get("TAKT_DEBUG"):
        raise raised
    # A bug of takt in one of many runs must not cost the others.
    return f"a bug in takt: {type(raised).__name__}: {raised}"
