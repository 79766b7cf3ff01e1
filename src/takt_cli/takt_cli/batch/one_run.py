# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One run of a batch as a process of its own: `python -m takt_cli.batch.one_run FOLDER`, started by a worker.

FOLDER has the job; the result goes to FOLDER/result, what went wrong to FOLDER/error. A worker of a cluster
has threads, where neither signals nor forking are as a measurement needs them.
"""

from __future__ import annotations

import ctypes
import errno
import os
import pickle
import shutil
import signal
import sys
from pathlib import Path

from takt_cli.batch.job import Job
from takt_cli.errors import DiskFull, TaktError
from takt_cli.host.cpu_locks import exclusive
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.full_disk import no_room
from takt_cli.host.interrupt import Interrupt
from takt_cli.run.measured import run_measured
from takt_cli.run.progress import Progress
from takt_cli.run.settings import RunSettings
from takt_cli.spec.load import Spec, parse_spec

JOB, RESULT, ERROR = "job.pickle", "result", "error"
# With which it ends where what went wrong is that a disk is full.
FULL = errno.ENOSPC
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Leaves the result or the error."""
    folder, worker = Path(sys.argv[1]), int(sys.argv[2])
    interrupt = Interrupt("the worker ended it")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    # It ends with its worker, in good order.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != worker:
        return
    job: Job = pickle.loads((folder / JOB).read_bytes())
    try:
        run(job, folder)
    except (TaktError, OSError) as error:
        full = no_room(error, folder) if isinstance(error, OSError) else None
        if isinstance(error, DiskFull):
            full = error
        # Room for it, where there is none.
        shutil.rmtree(folder / RESULT, ignore_errors=True)
        (folder / ERROR).write_text(str(full or error), "utf-8")
        if full is not None:
            sys.exit(FULL)


def run(job: Job, folder: Path) -> None:
    """With its CPUs to itself: workers of one host that have the same ones take turns."""
    file = f"{job.application}.yaml"
    spec = Spec(file, job.text, parse_spec(job.text, file, job.policy))
    cpus = choose_cpus(job.cpus)
    settings = RunSettings(spec, job.executor, job.duration, job.warmup, cpus, load=job.load)
    settings.check()
    with exclusive(cpus, f"a batch's worker in {folder}", patience=120 + 10 * job.seconds):
        (folder / RESULT).mkdir()
        run_measured(settings, folder / RESULT, job.command, Progress(1, 0))


if __name__ == "__main__":
    main()
