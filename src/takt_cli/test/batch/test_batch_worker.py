# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a single run of a batch on a cluster's worker: how it is ended, and what it reports if the disk is full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from takt_cli.batch.job import Answer
from takt_cli.batch.one_run import ERROR, FULL
from takt_cli.errors import ResultError

pytest.importorskip("distributed")

from takt_cli.batch import cluster, worker

# Takes the place of a run: does what its argument says, in the worker's process for runs.
ONE_RUN = """
import errno, os, pickle, signal, sys
from pathlib import Path
from takt_cli.batch import one_run
from takt_cli.errors import DiskFull, HostError

def run(job, folder):
    if job == "full":
        raise DiskFull("/disk: No space left on device; make room")
    if job == "full by a file":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder / "jobs.npy"))
    if job == "odd":
        raise HostError("something else")
    handlers = {signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    print(len(handlers), [type(each).__name__ for each in handlers])
    signal.raise_signal(signal.SIGHUP)

one_run.run = run
sys.argv = ["one_run", sys.argv[1], str(os.getppid())]
(Path(sys.argv[1]) / one_run.JOB).write_bytes(pickle.dumps(sys.stdin.read()))
one_run.main()
"""


def one_run(folder: Path, job: str) -> tuple[int, str, str]:
    """Make a run; return its exit status, its output, and the error message that it left."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", ONE_RUN, str(folder)], input=job, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, (folder / ERROR).read_text("utf-8")


def test_a_run_is_ended_by_all_signals_alike_and_tells_of_a_full_disk(tmp_path: Path) -> None:
    status, said, error = one_run(tmp_path / "ended", "")
    assert (status, said, error) == (0, "1 ['InterruptHandler']\n", "the worker ended it")
    assert one_run(tmp_path / "odd", "odd")[::2] == (0, "something else")
    assert one_run(tmp_path / "full", "full")[::2] == (FULL, "/disk: No space left on device; make room")
    status, _, error = one_run(tmp_path / "file", "full by a file")
    assert status == FULL
    assert "No space left on device; make room on the file system of" in error


def test_a_worker_says_that_its_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        worker, "get_worker", lambda: SimpleNamespace(name="a", address="tcp", local_directory=tmp_path)
    )
    monkeypatch.setattr(worker, "fit", lambda *_: None)
    job: Any = SimpleNamespace(plan=SimpleNamespace(cpus=None, cooldown=0, background=None), needs=None, batch="b")
    status = {"now": FULL}

    def started(command: list[str], **_: Any) -> Any:
        Path(command[3], ERROR).write_text("/disk: No space left on device; make room", "utf-8")
        return SimpleNamespace(wait=lambda: status["now"])

    monkeypatch.setattr("takt_cli.batch.worker.subprocess.Popen", started)
    monkeypatch.setattr("takt_cli.batch.worker.pickle.dumps", lambda _: b"")
    answer = worker.run_job(job)
    assert (answer.full, answer.error) == (True, "/disk: No space left on device; make room")
    status["now"] = 0
    assert not worker.run_job(job).full
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("full", [True, False])
def test_a_full_disk_at_a_worker_ends_the_batch(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk ends the batch, as it does on this host; any other error is the failure of one run."""
    answer = Answer("a", "tcp", {}, 0.0, "/disk: No space left on device; make room", full)
    over = []
    monkeypatch.setattr(cluster._Run, "_fetch", lambda *_: answer)
    monkeypatch.setattr(cluster._Run, "_over_with", lambda *arguments: over.append(arguments[3]))
    nothing: Any = None
    future: Any = SimpleNamespace(release=lambda: None)
    run = cluster._Run(nothing, nothing, nothing, [], nothing)
    monkeypatch.setattr(run, "_sent", SimpleNamespace(pop=lambda *_: cluster._SentRun(nothing, "a", nothing)))
    if not full:
        run._take(future)
        assert over == [answer.error]
        return
    with pytest.raises(ResultError, match=r"worker a: /disk: No space left .*; finished runs are kept, and --resume"):
        run._take(future)
    assert over == []
