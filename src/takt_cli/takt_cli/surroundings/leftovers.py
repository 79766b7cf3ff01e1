# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A record of what surroundings have set up on the host, written before each step so that everything is removed again:
by the process that made it or, if that was killed, by the next takt process that starts."""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from takt_cli.errors import HostError
from takt_cli.host.polling import becomes_true
from takt_cli.host.scratch import temporary
from takt_cli.host.system import THIS_HOST
from takt_cli.results.locked_folder import is_own_folder
from takt_cli.signals import uninterrupted
from takt_cli.surroundings.cpu_group import give_up_controller, remove_group
from takt_cli.surroundings.tools import try_tool

# Where the records of all processes are; other users' are below the temporary folder, and tests set the variable.
_VARIABLE, _DEFAULT_FOLDER = "TAKT_RECORD_DIR", Path("/run/takt")
_number = itertools.count()
# The names of the programs in takt's sessions, as process IDs are reused.
_PROGRAMS = ("stress", "iperf3", "nsenter", "sh")
_PATIENCE = 5.0
_SCRATCH = "takt-scratch-"


class Record:
    """A file that lists what must be removed. Closing it removes all of that, and the file last."""

    def __init__(self) -> None:
        clean_leftovers()
        folder = _folder()
        _make(folder)
        us = THIS_HOST.task(os.getpid())
        started = us.started if us is not None else 0
        self._path = folder / f"{os.getpid()}-{started}-{next(_number)}.json"
        self._entries: list[tuple[str, str]] = []

    def note(self, kind: str, name: str) -> None:
        """Record something before it is made. `kind` is session, namespace, group, controller or scratch."""
        self._entries.append((kind, name))
        _write(self._path, self._entries)

    def note_session(self, pid: int) -> None:
        """Record a process that has just been started and leads a session."""
        leader = THIS_HOST.task(pid)
        if leader is not None:
            self.note("session", f"{pid}:{leader.started}")

    def scratch(self, parent: Path) -> Path:
        """Create and return a scratch folder inside `parent`."""
        path = parent.absolute() / f"{_SCRATCH}{os.getpid()}-{next(_number)}"
        self.note("scratch", str(path))
        path.mkdir()
        return path

    def close(self) -> None:
        """Remove everything recorded. Raises a HostError if something remains; the next start then tries again."""
        with uninterrupted():
            remaining = _remove_things(self._entries)
            if not remaining:
                self._path.unlink(missing_ok=True)
        if remaining:
            kind, name = remaining[0]
            raise HostError(f"the {kind} {name} could not be removed; the next start of takt tries again")


def clean_leftovers() -> list[str]:
    """Remove what killed processes have left on this host, as far as permissions allow. Return what it was."""
    folder = _folder()
    removed: list[str] = []
    if not is_own_folder(folder) or not any(folder.glob("*.json")):
        return removed
    with uninterrupted(), _exclusive_lock(folder):
        for path in sorted(folder.glob("*.json")):
            if _owner_lives(path):
                continue
            entries = _read(path)
            if not _remove_things(entries):
                path.unlink(missing_ok=True)
            removed += [f"{kind} {name}" for kind, name in entries]
    return removed


def _remove_things(entries: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Remove these entries, the last one first. Return those that are still there."""
    remaining = []
    for kind, name in reversed(entries):
        undo = _UNDO.get(kind)
        if undo is not None and not undo(name):
            remaining.append((kind, name))
    return remaining


def _end_session(name: str) -> bool:
    """End a session, given as `PID:STARTED` of its leader. A session that another process leads under the same ID is
    left alone."""
    number, _, started = name.partition(":")
    if not number.isdigit():
        return True
    pid = int(number)
    leader = THIS_HOST.task(pid)
    if leader is not None and str(leader.started) != started:
        return True

    def left() -> list[int]:
        processes = [each for each in (THIS_HOST.task(pid), *THIS_HOST.members(pid)) if each is not None and each.alive]
        return [each.pid for each in processes if each.name.startswith(_PROGRAMS)]

    return _kill(left)


def _remove_namespace(name: str) -> bool:
    if not Path("/run/netns", name).exists():
        return True
    process_text = _kill(lambda: [int(pid) for pid in (try_tool("ip", "netns", "pids", name) or "").split()])
    try_tool("ip", "netns", "del", name)
    return process_text and not Path("/run/netns", name).exists()


def _remove_scratch(name: str) -> bool:
    # Scratch folders are the only ones removed, whatever the record says.
    if Path(name).name.startswith(_SCRATCH):
        shutil.rmtree(name, ignore_errors=True)
    return not Path(name).exists()


_UNDO: dict[str, Callable[[str], bool]] = {
    "session": _end_session,
    "namespace": _remove_namespace,
    "group": lambda name: becomes_true(lambda: remove_group(THIS_HOST, name), _PATIENCE),
    "controller": lambda name: give_up_controller(THIS_HOST, name),
    "scratch": _remove_scratch,
}


def _kill(members_left: Callable[[], list[int]]) -> bool:
    """Kill the processes that `members_left` returns until there are none. Return False if some do not end."""

    def gone() -> bool:
        pids = members_left()
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        return not pids

    return becomes_true(gone, _PATIENCE)


def _owner_lives(path: Path) -> bool:
    pid, _, suffix = path.name.partition("-")
    started = suffix.partition("-")[0]
    if not pid.isdigit() or not started.isdigit():
        return True  # not a record of takt's
    owner = THIS_HOST.task(int(pid), int(started))
    return owner is not None and owner.alive


def _folder() -> Path:
    """Return the folder of this user's records."""
    if _VARIABLE in os.environ:
        return Path(os.environ[_VARIABLE])
    return _DEFAULT_FOLDER if os.geteuid() == 0 else temporary() / f"takt-{os.geteuid()}"


def _make(folder: Path) -> None:
    purpose = "takt records there what it must remove again"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HostError(f"{folder}: {error.strerror}; {purpose}, so allow it to be created") from None
    if not is_own_folder(folder):
        raise HostError(f"{folder} belongs to another user; remove it: {purpose}")


@contextmanager
def _exclusive_lock(folder: Path) -> Iterator[None]:
    """Hold the lock that lets only one process clean up at a time."""
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(path: Path, entries: list[tuple[str, str]]) -> None:
    new_file = path.with_suffix(".new")
    new_file.write_bytes(msgspec.json.encode(entries))
    new_file.replace(path)


def _read(path: Path) -> list[tuple[str, str]]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[tuple[str, str]])
    except (OSError, msgspec.MsgspecError):
        return []
