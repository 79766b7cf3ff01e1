# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Locks on this host's CPUs for measurements. The kernel releases them when the process ends, however it ends.

A batch locks its CPUs exclusively; single runs may share CPUs with each other, but not with a batch.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import msgspec

from takt_cli.errors import HostError
from takt_cli.host.scratch import temporary
from takt_cli.host.system import THIS_HOST
from takt_cli.host.task import TICKS_PER_SECOND

# All users of the host look here, or in the temporary folder if only root may write here; tests set the variable.
_VARIABLE, _DEFAULT_FOLDER = "TAKT_LOCK_DIR", "/run/lock"
_RETRY_INTERVAL = 0.2
# CPUs that this process has locked exclusively: the runs of its own batch are allowed there.
_own: set[int] = set()


class _Holder(msgspec.Struct, frozen=True):
    pid: int
    since: str
    into: str


@contextmanager
def lock_exclusively(cpus: Iterable[int], folder: str, patience: float = 0.0) -> Iterator[None]:
    """Lock these CPUs exclusively while the context is open. `folder` is the result folder that is reported to others
    who want the CPUs. Raises a HostError if a CPU is still in use after `patience` seconds."""
    holder = msgspec.json.encode(_Holder(os.getpid(), _clock(time.time()), folder))
    deadline = time.monotonic() + patience
    with ExitStack() as stack:
        for cpu in sorted(set(cpus)):
            file = stack.enter_context(_open(cpu))
            while not _try(file, fcntl.LOCK_EX):
                if time.monotonic() >= deadline:
                    raise HostError(f"CPU {cpu} is in use: {_holder(file)}; wait for its end, or give another by --cpu")
                time.sleep(_RETRY_INTERVAL)
            stack.callback(_own.discard, cpu)
            _own.add(cpu)
            _write(file, holder)
            stack.callback(_write, file, b"")
        yield


@contextmanager
def lock_shared(cpus: Iterable[int]) -> Iterator[None]:
    """Keep batches of other processes off these CPUs while the context is open. Raises a HostError if one uses them."""
    with ExitStack() as stack:
        for cpu in sorted(set(cpus) - _own):
            try:
                file = stack.enter_context(_open(cpu))
            except HostError:
                continue  # without a place for locks no batch can have locked the CPU, either
            if not _try(file, fcntl.LOCK_SH):
                raise HostError(
                    f"CPU {cpu} belongs to a batch: {_holder(file)}; wait for its end, or give another by --cpu"
                )
        yield


@contextmanager
def _open(cpu: int) -> Iterator[int]:
    """Open a CPU's lock file. The file is never removed, else two processes could lock two files of the same name."""
    name = f"takt-cpu-{cpu}.lock"
    places = [os.environ[_VARIABLE]] if _VARIABLE in os.environ else [_DEFAULT_FOLDER, str(temporary())]
    descriptor = next((fd for place in places if (fd := _descriptor(Path(place, name))) is not None), None)
    if descriptor is None:
        raise HostError(f"no lock file can be created in {' or '.join(places)}; make one of them writable")
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _descriptor(path: Path) -> int | None:
    # Existing files are opened without O_CREAT: in a sticky folder the kernel may forbid it for other users' files.
    for flags in (os.O_RDWR, os.O_RDWR | os.O_CREAT | os.O_EXCL, os.O_RDWR, os.O_RDONLY):
        try:
            descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except OSError:
            continue
        if flags & os.O_CREAT:
            os.fchmod(descriptor, 0o666)  # for other users, regardless of the umask
        return descriptor
    return None


def _try(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(file: int, content: bytes) -> None:
    with suppress(OSError):  # the content only informs others
        os.ftruncate(file, 0)
        os.pwrite(file, content, 0)


def _holder(file: int) -> str:
    """Describe the lock's holder, such as `process 4711 since 2026-05-04 17:22:33, into results/x`, as far as known."""
    try:
        recorded = msgspec.json.decode(os.pread(file, 65536, 0), type=_Holder)
    except (OSError, msgspec.MsgspecError):
        recorded = None
    return (
        " and ".join(
            f"process {pid} since {recorded.since}, into {recorded.into}"
            if recorded is not None and pid == recorded.pid
            else f"process {pid} since {_started(pid)} ({_command(pid)})"
            for pid in _locked_by(file) or ([recorded.pid] if recorded is not None else [])
        )
        or "by a process that is not visible from here"
    )


def _locked_by(file: int) -> list[int]:
    """Return the holders' process IDs by /proc/locks; none if that is not available, as in some containers."""
    status = os.fstat(file)
    key = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    # For instance `1: FLOCK  ADVISORY  WRITE 4711 00:1a:1234 0 EOF`; lines with `->` are processes that wait.
    fields = [line.split() for line in THIS_HOST.lines("proc/locks") if "->" not in line]
    return sorted({int(f[4]) for f in fields if len(f) > 5 and f[1] == "FLOCK" and f[5] == key and int(f[4]) > 0})


def _started(pid: int) -> str:
    process = THIS_HOST.task(pid)
    if process is None:
        return "an unknown time"
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - process.started / TICKS_PER_SECOND
    return _clock(time.time() - age)


def _command(pid: int) -> str:
    command = THIS_HOST.text(f"proc/{pid}/cmdline")
    if command is None:
        return "unknown"
    words = command.split("\0")
    place = next((i for i, word in enumerate(words) if Path(word).name == "takt"), 0)
    return " ".join(["takt", *words[place + 1 :]] if place else words).strip()[:80]


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "seconds")
