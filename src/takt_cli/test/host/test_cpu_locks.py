# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the locks of CPUs: a batch has its CPUs alone, runs share theirs, and a killed process leaves no lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from takt_cli.errors import HostError
from takt_cli.host.cpu_locks import lock_exclusively, lock_shared

HOLD = """
import sys
from takt_cli.host.cpu_locks import lock_exclusively, lock_shared
with (lock_exclusively([1, 2], "results/x") if sys.argv[1] == "exclusive" else lock_shared([1, 2])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKT_LOCK_DIR", str(tmp_path))


@contextmanager
def another(kind: str) -> Iterator[subprocess.Popen[str]]:
    """Start another process that holds CPUs 1 and 2 while the context is open."""
    command = [sys.executable, "-c", HOLD, kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_batch_keeps_others_off_its_cpus_until_it_ends() -> None:
    with another("exclusive") as process:
        message = rf"^CPU 2 .*process {process.pid} since \d{{4}}-\d\d-\d\d .*, into results/x; wait for its end"
        with pytest.raises(HostError, match=message), lock_exclusively([2, 3], "y"):
            pass
        with pytest.raises(HostError, match="CPU 1 belongs to a batch"), lock_shared([0, 1]):
            pass
        with lock_shared([0, 3]), lock_exclusively([4], "y"):
            pass
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with lock_exclusively([1, 2], "y"):
            pass


def test_runs_are_beside_runs_but_not_beside_a_batch() -> None:
    with another("shared") as process, lock_shared([1, 2]):
        with (
            pytest.raises(HostError, match=rf"CPU 1 is in use: .*process {process.pid} since"),
            lock_exclusively([1], "y"),
        ):
            pass
        with pytest.raises(HostError, match=rf"process {os.getpid()} since"), lock_exclusively([1], "y"):
            pass


def test_a_lock_is_taken_once_its_holder_has_ended() -> None:
    with another("exclusive") as process:
        assert process.stdin is not None
        process.stdin.close()  # now it ends
        with lock_exclusively([1, 2], "y", patience=60):
            process.wait()


def test_a_run_of_our_own_batch_is_not_in_its_way() -> None:
    with lock_exclusively([1, 2], "y"):
        with lock_shared([1]), lock_shared([0, 2]):
            pass
        with pytest.raises(HostError, match=rf"process {os.getpid()} since .* into y"), lock_exclusively([2], "z"):
            pass
    with another("exclusive"), pytest.raises(HostError), lock_shared([1]):
        pass


def test_a_batch_needs_a_lock_file_and_a_run_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKT_LOCK_DIR", str(tmp_path / "none"))
    with lock_shared([1]):
        pass
    with pytest.raises(HostError, match="no lock file can be created in"), lock_exclusively([1], "y"):
        pass
    # A lock file that is a symbolic link is not followed.
    monkeypatch.setenv("TAKT_LOCK_DIR", str(tmp_path))
    (tmp_path / "victim").write_text("mine", "utf-8")
    (tmp_path / "takt-cpu-1.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(HostError, match="no lock file can be created in"), lock_exclusively([1], "y"):
        pass
    assert (tmp_path / "victim").read_text("utf-8") == "mine"
