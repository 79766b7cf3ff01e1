# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Child processes that never outlive this one, and their error messages."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from takt_cli.errors import HostError, RunError
from takt_cli.host.control_group import memory_bound, oom_kills, refused_threads
from takt_cli.host.patience import Patience
from takt_cli.host.system import THIS_HOST
from takt_cli.results.full_disk import disk_full_error, disk_full_error_in_message
from takt_cli.signals import uninterrupted

_PR_SET_PDEATHSIG = 1
_LONGEST_WORDS, _MIB = 300, 1024 * 1024
# Open files that this process needs itself. Each child needs one, and a few more while it is started.
_OWN_FILES = 64
# What the C++ library prints about an uncaught exception.
_UNCAUGHT = "what():"
_RESERVED_BYTES = 4096

_libc = ctypes.CDLL(None)


class Child:
    """A process in a session of its own, so that Ctrl-C only reaches takt; it is killed when takt ends.

    It starts on `cpus` and sets its affinity itself: while it loads it must not wait for siblings that run under
    SCHED_FIFO there. `prefix` is the prefix of its command, for instance one that enters a network namespace.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        cpus: Iterable[int],
        log: Path,
        env: Mapping[str, str] | None,
        prefix: Sequence[str] = (),
    ) -> None:
        self.name = name
        self._program = Path(command[0]).name
        self._log = log
        self._output = b""
        self._counters_at_start = oom_kills(), refused_threads()
        start_on = frozenset(cpus)

        def prepare() -> None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            os.sched_setaffinity(0, start_on)

        with log.open("wb") as errors:
            _keep_room(errors.fileno(), log)
            self._process = subprocess.Popen(
                [*prefix, *command],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                preexec_fn=prepare,  # noqa: PLW1509 - started before we have threads
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def running(self) -> bool:
        return self._process.poll() is None

    def failed(self) -> bool:
        """Return whether the process has ended with an error."""
        return bool(self._process.poll())

    def check(self) -> None:
        """Raise a RunError if the process has failed, or a DiskFull if it had no space to write."""
        status = self._process.poll()
        if status:
            words = self.last_error_line()
            raise disk_full_error_in_message(words) or RunError(f"{self.name} failed: {words or self._ending(status)}")

    def last_error_line(self) -> str:
        """Return the last line that the program itself, not a library, wrote to standard error."""
        return self._last_line(f"{self._program}:")

    def reported(self) -> str:
        """Return its last error line, or that there is none; informational messages of stress-ng do not count."""
        line = self.last_error_line()
        return line if line and " info: " not in line else "it reported nothing"

    def _last_line(self, begin: str) -> str:
        """Return the last non-empty line on standard error that begins with `begin`, or an empty string."""
        text = self._log.read_text("utf-8", "replace").rstrip("\0") if self._log.exists() else ""
        matching_lines = [line.strip() for line in text.splitlines() if line.strip() and line.strip().startswith(begin)]
        line = matching_lines[-1] if matching_lines else ""
        return line if len(line) <= _LONGEST_WORDS else f"{line[: _LONGEST_WORDS - 3]}..."

    def _ending(self, status: int) -> str:
        """Describe the end of a process that left no error message, with the reason as far as the kernel or the C++
        library gives it."""
        if status >= 0:
            line = self._last_line("")
            return f"it ended with status {status}" + (f"; its last line: {line}" if line else " and reported nothing")
        try:
            ending = f"it was ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"it was ended by signal {-status}"
        killed, refused = self._counters_at_start
        if status == -signal.SIGABRT and (exception_text := self._last_line(_UNCAUGHT)):
            reason = exception_text.removeprefix(_UNCAUGHT).strip()
            limited = reason == os.strerror(errno.EAGAIN) or refused_threads() > refused
            return f"{ending} ({reason}){': there is a limit of threads, see takt doctor' if limited else ''}"
        if status == -signal.SIGKILL and oom_kills() > killed:
            bound = memory_bound()
            limit = f" (its control group is limited to {bound.limit // _MIB} MiB)" if bound else ""
            return f"{ending} because the kernel ran out of memory{limit}: see takt doctor"
        return ending

    def output(self) -> str:
        """Return what the process has written to standard output so far. Never blocks."""
        pipe = self._process.stdout
        assert pipe is not None
        poller = select.poll()
        poller.register(pipe, select.POLLIN)
        while poller.poll(0):
            piece = os.read(pipe.fileno(), 65536)
            if not piece:
                break
            self._output += piece
        return self._output.decode("utf-8", "replace")

    def has_printed(self, prefix: str) -> bool:
        """Return whether a line of its output begins with `prefix`."""
        return any(line.startswith(prefix) for line in self.output().splitlines())

    def wait_for(self, prefix: str, seconds: float) -> None:
        """Wait until a line of its output begins with `prefix`. Raises a RunError if it fails or takes too long."""
        patience = Patience()
        while not self.has_printed(prefix):
            self.check()
            if not self.running() or patience.waited() > seconds:
                raise RunError(f"{self.name} did not report {prefix!r} within {seconds:g} s: {self.last_error_line()}")
            time.sleep(0.01)

    def signal(self, number: signal.Signals) -> None:
        if self.running():
            self._process.send_signal(number)

    def end(self, seconds: float) -> None:
        """Ask the process to end, wait for so many seconds, then kill it and everything that it has started."""
        self.signal(signal.SIGTERM)
        self.wait(seconds)
        self.kill()
        self.wait(5.0)

    def kill(self) -> None:
        """Kill the process and everything that it has started."""
        if self.running():
            # Its process ID is also that of its process group and session.
            os.killpg(self.pid, signal.SIGKILL)
            self.wait(5.0)
        # As long as its session has members, the kernel does not reuse the ID. A process that now has it is unrelated.
        if THIS_HOST.task(self.pid) is None:
            for each in THIS_HOST.members(self.pid):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(each.pid, signal.SIGKILL)

    def wait(self, seconds: float) -> bool:
        """Wait for the process to end, and return whether it has."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


class Children(AbstractContextManager["Children"]):
    """Child processes that belong together; leaving the context ends all of them. `prefix` is put before every
    command, before that of the individual child."""

    def __init__(
        self,
        cpus: Iterable[int],
        before_end: Callable[[list[int]], None] | None = None,
        prefix: Sequence[str] = (),
    ) -> None:
        self._children: list[Child] = []
        self._cpus = frozenset(cpus)
        self._before_end = before_end
        self._prefix = tuple(prefix)

    def start(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        env: Mapping[str, str] | None = None,
        prefix: Sequence[str] = (),
    ) -> Child:
        """Start a child. `env` is its complete environment (None: this process's), `prefix` the command's prefix."""
        _allow_files(len(self._children) + 1)
        # If a signal handler raised an exception during the fork, the child would be lost.
        with uninterrupted():
            child = Child(name, command, self._cpus, log, env, (*self._prefix, *prefix))
            self._children.append(child)
        return child

    def pids(self) -> list[int]:
        """Return the process IDs of the children that are running."""
        return [child.pid for child in self._children if child.running()]

    def every_pid(self) -> list[int]:
        """Return the process IDs of all children, including those that have ended."""
        return [child.pid for child in self._children]

    def end(self) -> None:
        """Ask the children to end, wait for two seconds, then kill them. A second Ctrl-C must not interrupt this."""
        if self._before_end is not None:
            self._before_end(self.pids())
        for child in self._children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + 2.0
        for child in self._children:
            child.wait(max(0.0, deadline - time.monotonic()))
        for child in self._children:
            child.kill()
        for child in self._children:
            child.wait(5.0)

    def __exit__(self, *_: object) -> None:
        with uninterrupted():
            self.end()


def _allow_files(children: int) -> None:
    """Allow as many open files as this process and its children need. Raises a HostError if the limit cannot be
    raised so far."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = children + _OWN_FILES
    if soft == resource.RLIM_INFINITY or needed_files <= soft:
        return
    if hard != resource.RLIM_INFINITY and needed_files > hard:
        raise HostError(
            f"{children} programs at once need {needed_files} open files, but only {hard} are allowed; raise the "
            f"limit as root, by prlimit --nofile={2 * needed_files} --pid $$, and start again"
        )
    resource.setrlimit(
        resource.RLIMIT_NOFILE,
        (2 * needed_files if hard == resource.RLIM_INFINITY else min(2 * needed_files, hard), hard),
    )


def _keep_room(file: int, path: Path) -> None:
    """Reserve space in a log file, so that a program that fails because the disk is full can still write its error."""
    try:
        os.posix_fallocate(file, 0, _RESERVED_BYTES)
    except OSError as error:
        # Otherwise the file system does not support reservations.
        if (disk_full := disk_full_error(error, path.parent)) is not None:
            raise disk_full from None
