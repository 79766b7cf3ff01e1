# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the scratch folders of a command: those left by killed processes are removed at the next start, and no
others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from takt_cli.errors import ResultError
from takt_cli.host.scratch import folder_beside, scratch_folder
from takt_cli.results.folder import ResultFolder
from takt_cli.results.locked_folder import LockedFolder, remove_abandoned

# Makes a folder of both kinds and waits to be killed.
MAKER = """
import sys, tempfile
from pathlib import Path
from takt_cli.host.scratch import folder_beside, scratch_folder
from takt_cli.results.folder import ResultFolder
tempfile.tempdir = sys.argv[1]
parent = Path(sys.argv[1])
new_ones = folder_beside(parent, ".packages.", ".partial")
with scratch_folder("run") as work, ResultFolder(parent / sys.argv[2]) as result, new_ones as new:
    (work / "rows").write_bytes(bytes(100))
    (result.path / "rows").write_bytes(bytes(100))
    (new / "package.xml").write_bytes(bytes(100))
    print(work, result.path, new, flush=True)
    sys.stdin.read()
"""


class Maker:
    def __init__(self, parent: Path, place: str) -> None:
        command = [sys.executable, "-c", MAKER, str(parent), place]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self.left = [Path(word) for word in self._process.stdout.readline().decode().split()]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


def next_start(parent: Path, monkeypatch: pytest.MonkeyPatch, place: str = "next") -> None:
    monkeypatch.setattr("tempfile.tempdir", str(parent))
    with scratch_folder("run"), folder_beside(parent, ".packages.", ".partial"):
        pass
    with pytest.raises(ResultError), ResultFolder(parent / place):
        raise ResultError("it leaves nothing")


def test_folders_of_killed_commands_are_removed_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dated = "2026-05-04-172233-run-planner-takt"
    killed, running = Maker(tmp_path, dated), Maker(tmp_path, dated)
    foreign = [tmp_path / name for name in ("takt-tmp-mine", "takt-run-abcdefgh", "takt-1000", ".a.abcdefgh.partial")]
    for path in foreign:
        path.mkdir()
    link = tmp_path / "takt-tmp-run-abcdefgh"
    link.symlink_to(foreign[0])
    try:
        killed.kill()
        assert all(path.is_dir() for path in killed.left + running.left)
        next_start(tmp_path, monkeypatch)
        assert not any(path.exists() for path in killed.left)
        assert all(path.is_dir() for path in [*running.left, *foreign, link])
    finally:
        running.kill()
    next_start(tmp_path, monkeypatch)
    assert not any(path.exists() for path in running.left)


def test_a_killed_named_result_is_removed_by_the_next_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = Maker(tmp_path, "planner")
    killed.kill()
    next_start(tmp_path, monkeypatch)
    work, result, _ = killed.left
    assert (work.exists(), result.exists()) == (False, True)
    next_start(tmp_path, monkeypatch, "planner")
    assert not result.exists()


def test_folders_of_other_users_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "takt-tmp-run-abcdefgh"
    theirs.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(theirs, 12345, 12345)
    else:
        monkeypatch.setattr("os.geteuid", lambda: 12345)
    next_start(tmp_path, monkeypatch)
    assert theirs.is_dir()


def test_a_folder_that_is_removed_while_it_is_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may see the folder, and remove it, after it is created and before it is locked."""
    real = os.open
    made: list[Path] = []

    def opened(path: Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if not made:
            made.append(path)
            assert remove_abandoned(tmp_path, re.compile("x-.*")) == [path]
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr("os.open", opened)
    held = LockedFolder(tmp_path, "x-")
    assert held.path.is_dir()
    assert held.path != made[0]
    assert remove_abandoned(tmp_path, re.compile("x-.*")) == []
    held.remove()
    assert not list(tmp_path.iterdir())


def test_folders_are_made_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_file: int, _kind: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    held = LockedFolder(tmp_path, "x-")
    assert remove_abandoned(tmp_path, re.compile("x-.*")) == []
    assert held.path.is_dir()
    held.remove()
    assert not list(tmp_path.iterdir())
