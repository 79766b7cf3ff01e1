# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The program that makes a single run of a batch in a process of its own.

A worker starts it as `python -m takt_cli.batch.one_run FOLDER PID`. FOLDER holds the job. The result goes to
FOLDER/result, an error message to FOLDER/error. A cluster's worker has several threads, with which signals and forks do
not behave as a measurement needs; hence the separate process.
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
from takt_cli.errors import TaktError
from takt_cli.host.cpu_locks import lock_exclusively
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.interrupt import InterruptHandler
from takt_cli.results.full_disk import disk_full_error
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay

JOB, RESULT, ERROR = "job.pickle", "result", "error"
# The exit status if a full disk is the cause of a failure.
FULL = errno.ENOSPC
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Run the job in the folder named on the command line, and leave its result or an error message there."""
    folder, worker = Path(sys.argv[1]), int(sys.argv[2])
    interrupt = InterruptHandler("the worker ended it")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    # When the worker ends, this process is asked to end, too, and cleans up.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != worker:
        return
    job: Job = pickle.loads((folder / JOB).read_bytes())
    try:
        run(job, folder)
    except (TaktError, OSError) as error:
        disk_full = disk_full_error(error, folder)
        # Free the space that the message needs.
        shutil.rmtree(folder / RESULT, ignore_errors=True)
        (folder / ERROR).write_text(str(disk_full or error), "utf-8")
        if disk_full is not None:
            sys.exit(FULL)


def run(job: Job, folder: Path) -> None:
    """Run the job with exclusive use of its CPUs. Workers on the same host with the same CPUs take turns."""
    cpus = choose_cpus(job.plan.cpus)
    job.plan.check(cpus)
    (item,) = job.plan.items
    with lock_exclusively(cpus, f"a batch's worker in {folder}", patience=120 + 10 * job.plan.length):
        (folder / RESULT).mkdir()
        run_and_replay(job.plan.run_settings(item, cpus), folder / RESULT, job.command, Progress(1, 0))


if __name__ == "__main__":
    main()
