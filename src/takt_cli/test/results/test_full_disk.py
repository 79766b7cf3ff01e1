# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a full disk: the message names the folder, and nothing incomplete is left behind."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from origins import origin

from takt_cli.batch.local import failure_message
from takt_cli.errors import DiskFull, ResultError
from takt_cli.host.processes import Children
from takt_cli.results.atomic_file import atomic_file, write_atomically
from takt_cli.results.full_disk import disk_full_error, disk_full_error_in_message
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import RESULT_FILE, NoRecord, ResultFormat, replace_origin
from takt_cli.results.sample_files import JOBS, write_rows

NO_SPACE = os.strerror(errno.ENOSPC)
# Mounts a file system of this size at a path, visible only to the command that is then executed.
SMALL = 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"'


def on_small_disk(place: Path, size: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a small file system mounted at `place`. Skip the test if mounting is not allowed."""
    place.mkdir(exist_ok=True)
    inside = ["unshare", "--map-root-user", "--mount", "sh", "-c", SMALL, "sh", size, str(place)]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this process may mount nothing")
    return subprocess.run([*inside, *command], capture_output=True, encoding="utf-8", check=False)


def test_a_result_for_which_there_is_no_room_names_its_folder(spec: Path) -> None:
    disk = Path("disk").absolute()
    command = [sys.executable, "-m", "takt_cli", "run", str(spec), "--executor", "takt", "--duration", "1"]
    command += ["--out", str(disk / "out")]
    and_then_look = ["sh", "-c", '"$@"; status=$?; ls -A "$0"; exit $status', str(disk)]
    done = on_small_disk(disk, "16k", *and_then_look, *command)
    assert (done.returncode, done.stdout) == (1, "")
    line = f"{disk}: {NO_SPACE}; make room on the file system of {disk}, or name another folder by --out"
    assert done.stderr == f"takt: {line}\n"


def test_rows_say_why_they_cannot_be_written(tmp_path: Path) -> None:
    full = tmp_path / "jobs.npy"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match=NO_SPACE) as caught:
        write_rows(full, np.zeros(1000, JOBS))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(full))
    # numpy can read the rows.
    rows = np.zeros(3, JOBS)
    rows["task"] = [1, 2, 3]
    write_rows(tmp_path / "good.npy", rows[::2])
    assert np.load(tmp_path / "good.npy").tolist() == rows[::2].tolist()


@pytest.mark.parametrize(
    ("file", "folder", "option"),
    [
        ("/proc/takt-tmp-run-abcdefgh/takt.jobs.npy", "/proc", "--out"),
        ("/proc/self/.out.abcdefgh.partial/round-1/a.npy", "/proc/self", "--out"),
        ("/none/x", "/", "--out"),
        ("{tmp}/takt-tmp-run-abcdefgh/takt.jobs.npy.partial", "{tmp}", "TMPDIR"),
    ],
)
def test_a_full_disk_is_reported_by_the_folder_that_the_user_chose(
    file: str, folder: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file, folder = file.format(tmp=tmp_path), folder.format(tmp=tmp_path)
    for full in (
        disk_full_error_in_message(f"runner: {file}: cannot be written: {NO_SPACE}"),
        disk_full_error(OSError(errno.EDQUOT, "", file), tmp_path),
        # An error while copying names the source first.
        disk_full_error(OSError(errno.ENOSPC, "", "/source", None, file), tmp_path),
    ):
        assert str(full).startswith(f"{folder}: ")
        assert str(full).endswith(f", or name another folder by {option}")
    assert disk_full_error_in_message("runner: --cpu: CPU 77 does not exist") is None
    assert disk_full_error(OSError(errno.EACCES, "", file), tmp_path) is None
    assert disk_full_error(OSError(errno.ENOSPC, ""), tmp_path) is None  # no folder is named, and this one has room


LAST_WORDS = """
import os, sys
from pathlib import Path
from takt_cli.errors import RunError
from takt_cli.host.processes import Children

with Children(os.sched_getaffinity(0)) as children:
    child = children.start("filler", sys.argv[1:], Path(sys.argv[2], "log"))
    child.wait(60)
    try:
        child.check()
    except RunError as error:
        print(error)
"""


def program(path: Path, *lines: str) -> str:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
    path.chmod(0o755)
    return str(path)


def test_the_last_message_of_a_program_is_kept_on_a_full_disk(tmp_path: Path) -> None:
    filler = program(tmp_path / "filler", 'cat /dev/zero > "$1/fill"', 'echo "filler: that was it" >&2', "exit 3")
    disk = tmp_path / "disk"
    done = on_small_disk(disk, "64k", sys.executable, "-c", LAST_WORDS, filler, str(disk))
    assert done.stdout == "filler failed: filler: that was it\n", done.stderr


def test_a_program_without_disk_space_is_reported_with_its_folder(tmp_path: Path) -> None:
    said = f'echo "prog: $1/x.npy: cannot be written: {NO_SPACE}" >&2'
    command = [program(tmp_path / "prog", said, "exit 1"), str(tmp_path)]
    with Children(os.sched_getaffinity(0)) as children:
        child = children.start("prog", command, tmp_path / "log")
        assert child.wait(60)
        with pytest.raises(DiskFull, match=f"^{tmp_path}: {NO_SPACE}; make room"):
            child.check()


def test_a_full_disk_is_the_end_of_a_batch() -> None:
    with pytest.raises(ResultError, match="no room; finished runs are kept, and --resume continues"):
        failure_message(DiskFull("no room"))


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    write_atomically(page, "one")

    def fill() -> None:
        with atomic_file(page) as file:
            file.write(b"tw")
            raise OSError(errno.ENOSPC, NO_SPACE)

    with pytest.raises(ResultError, match=f"cannot be written: {NO_SPACE}"):
        fill()
    assert page.read_text("utf-8") == "one"
    # Pipes, devices and links are written to and are not replaced by a file.
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(page)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_atomically(pipe, "two")
        assert reader.communicate()[0] == b"two"
    write_atomically(link, "three")
    assert (page.read_text("utf-8"), link.is_symlink(), pipe.is_fifo()) == ("three", True, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "page.html", "pipe"]


def test_a_result_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = ResultFormat("timers", 1, NoRecord, NoRecord)
    form.write(tmp_path, origin(), NoRecord(), NoRecord())
    (text,) = [path.read_text("utf-8") for path in tmp_path.iterdir()]

    def interrupted(_self: Path, _mode: int) -> None:
        raise KeyboardInterrupt

    # This is after the content has been written, and before it takes its place.
    monkeypatch.setattr(Path, "chmod", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_origin(tmp_path, commit="abc")
    with pytest.raises(KeyboardInterrupt):
        write_json(tmp_path / RESULT_FILE, {})
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [(RESULT_FILE, text)]
