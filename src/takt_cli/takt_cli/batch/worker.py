# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A cluster worker's part in a batch: it makes one run at a time, each in a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from distributed import get_worker

from takt_cli.batch.job import Answer, Identity, Job, identity, pack
from takt_cli.batch.local import check_programs
from takt_cli.batch.one_run import ERROR, FULL, JOB, RESULT
from takt_cli.errors import DiskFull, TaktError
from takt_cli.host.cpus import choose_cpus, keep_off
from takt_cli.host.facts import host_facts
from takt_cli.results.conditions import Load
from takt_cli.results.full_disk import disk_full_error
from takt_cli.results.result_file import is_complete

# Even if the worker has several threads.
_one_at_a_time = threading.Lock()
_ended = {"last": 0.0}
_running: dict[str, subprocess.Popen[bytes]] = {}
_FACTS = ("hostname", "machine", "cpu_model", "kernel")


def fit(needs: Identity, cpus: tuple[int, ...] | None, load: Load | None) -> str | None:
    """Return why this worker cannot take part in a batch, or None if it can."""
    own_identity = identity()
    if own_identity != needs:
        return f"has takt {own_identity}, but the batch was begun with {needs}; install the same version on both"
    try:
        choose_cpus(cpus)
        check_programs(load)
    except TaktError as error:
        return str(error)
    return None


def run_job(job: Job) -> Answer:
    """Run a job: the task that a batch submits to the cluster."""
    worker = get_worker()
    with _one_at_a_time:
        time.sleep(max(_ended["last"] + job.plan.cooldown / 1e9 - time.monotonic(), 0.0))
        start_time = time.time()
        disk_full: DiskFull | None = None
        try:
            facts = host_facts(choose_cpus(job.plan.cpus))
            reported_facts = {name: getattr(facts, name) for name in _FACTS}
            with tempfile.TemporaryDirectory(prefix="takt-", dir=worker.local_directory) as scratch:
                error, archive = _run(job, Path(scratch))
        except (TaktError, OSError) as raised:
            disk_full = disk_full_error(raised, Path(worker.local_directory))
            reported_facts, error, archive = {}, str(disk_full or raised), b""
        finally:
            _ended["last"] = time.monotonic()
    return Answer(str(worker.name), worker.address, reported_facts, start_time, error, disk_full is not None, archive)


def end_runs(batch: str) -> None:
    """End the runs of a batch that no longer waits for them."""
    if (process := _running.get(batch)) is not None:
        process.terminate()


def _run(job: Job, scratch: Path) -> tuple[str | None, bytes]:
    if (unfit := fit(job.needs, job.plan.cpus, job.plan.background)) is not None:
        return f"the worker {unfit}", b""
    (scratch / JOB).write_bytes(pickle.dumps(job))
    command = [sys.executable, "-m", "takt_cli.batch.one_run", str(scratch), str(os.getpid())]
    with (scratch / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    _running[job.batch] = process
    try:
        with keep_off(choose_cpus(job.plan.cpus), all_threads=True):
            status = process.wait()
    finally:
        del _running[job.batch]
    if (scratch / ERROR).exists():
        error_text = (scratch / ERROR).read_text("utf-8")
        if status == FULL:
            raise DiskFull(error_text)
        return error_text, b""
    if status != 0 or not is_complete(scratch / RESULT):
        words = (scratch / "log").read_text("utf-8", "replace").strip().splitlines()
        return f"the run ended with status {status}: {words[-1] if words else 'it reported nothing'}", b""
    return None, pack(scratch / RESULT)
