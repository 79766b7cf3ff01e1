# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Access to the host for tuning: files of the kernel, threads, a few commands.

Everything is read below a root folder, so a recorded tree of another host can take the place of `/`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

POLICIES = {0: "OTHER", 1: "FIFO", 2: "RR", 3: "BATCH", 5: "IDLE", 6: "DEADLINE", 7: "EXT"}
REALTIME = ("FIFO", "RR", "DEADLINE")
# Indices into the fields of /proc/PID/task/TID/stat behind the name, which may contain blanks (see proc(5)).
_FLAGS, _STARTED, _PRIORITY, _POLICY = 6, 19, 37, 38
_KERNEL_THREAD = 0x00200000
_TIMEOUT = 20


@dataclass(frozen=True)
class Task:
    """A thread. `started`, in ticks since boot, tells it from a later thread with the same ID."""

    pid: int
    tid: int
    name: str
    policy: str
    priority: int
    started: int
    kernel: bool

    @property
    def realtime(self) -> bool:
        return self.policy in REALTIME


class System:
    """The host, or a recorded tree of one, below `root`."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        # The record of former settings need not survive a reboot, as no change does.
        self.state = self.path("run/takt/tune")

    # ---- files ----------------------------------------------------------------------------------------------

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return a file's content without surrounding white space; None if it does not exist or cannot be read."""
        try:
            return self.path(path).read_text("utf-8", "replace").strip()
        except OSError:
            return None

    def integer(self, path: str) -> int | None:
        """Return the integer that a file holds; None if it cannot be read or holds anything else."""
        text = self.text(path)
        try:
            return None if text is None else int(text)
        except ValueError:
            return None

    def entries(self, path: str) -> list[str]:
        """Return the sorted names in a folder; an empty list if it cannot be read."""
        try:
            return sorted(os.listdir(self.path(path)))  # noqa: PTH208 - names are what is wanted
        except OSError:
            return []

    def numbered(self, path: str, prefix: str) -> list[int]:
        """Return the numbers N of a folder's entries `prefixN`, ascending."""
        tails = [name.removeprefix(prefix) for name in self.entries(path) if name.startswith(prefix)]
        return sorted(int(tail) for tail in tails if tail.isascii() and tail.isdigit())

    def exists(self, path: str) -> bool:
        """Return whether a path exists; False, too, where access is denied."""
        try:
            return self.path(path).exists()
        except OSError:
            return False

    def write(self, path: str, text: str) -> None:
        """Write to an existing file in a single system call. Raises an OSError."""
        descriptor = os.open(self.path(path), os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

    def make_group(self, path: str) -> None:
        self.path(path).mkdir(exist_ok=True)

    def remove_group(self, path: str) -> None:
        self.path(path).rmdir()

    # ---- threads --------------------------------------------------------------------------------------------

    def processes(self) -> list[int]:
        return self.numbered("proc", "")

    def tasks(self, pid: int) -> list[Task]:
        """Return the threads of a process; an empty list if it has ended."""
        tasks_found = [self._task(pid, tid) for tid in self.numbered(f"proc/{pid}/task", "")]
        return [task for task in tasks_found if task is not None]

    def all_tasks(self) -> Iterator[Task]:
        for pid in self.processes():
            yield from self.tasks(pid)

    def tasks_of_kernel(self) -> list[Task]:
        """Return the kernel's own threads."""
        tasks_found = [self.task(pid) for pid in self.processes()]
        return [task for task in tasks_found if task is not None and task.kernel]

    def task(self, tid: int) -> Task | None:
        """Return the thread with this ID, or None. Its `pid` is set to the same ID, without looking up the process."""
        return self._task(tid, tid)

    def _task(self, pid: int, tid: int) -> Task | None:
        stat = self.text(f"proc/{pid}/task/{tid}/stat") or self.text(f"proc/{tid}/stat")
        name, _, after_name = (stat or "").partition("(")[2].rpartition(")")
        fields = after_name.split()
        if len(fields) <= _POLICY:
            return None
        policy = POLICIES.get(int(fields[_POLICY]), fields[_POLICY])
        priority = int(fields[_PRIORITY])
        kernel = bool(int(fields[_FLAGS]) & _KERNEL_THREAD)
        return Task(pid, tid, name, policy, priority, int(fields[_STARTED]), kernel)

    def resets_on_fork(self, tid: int) -> bool:
        """Return whether the thread's children start at ordinary priority; always False for a recorded tree."""
        try:
            return self.root == Path("/") and bool(os.sched_getscheduler(tid) & os.SCHED_RESET_ON_FORK)
        except OSError:
            return False

    def set_scheduling(self, tid: int, policy: str, priority: int, resets: bool) -> None:
        """Set a thread's scheduling policy and priority; with `resets`, its children start at ordinary priority. Raises
        an OSError."""
        number = next(number for number, name in POLICIES.items() if name == policy)
        flag = os.SCHED_RESET_ON_FORK if resets else 0
        os.sched_setscheduler(tid, number | flag, os.sched_param(priority))

    # ---- the rest -------------------------------------------------------------------------------------------

    def boot(self) -> str:
        return self.text("proc/sys/kernel/random/boot_id") or "unknown"

    def cpus(self) -> list[int]:
        """Return the CPUs that are online."""
        return parse_cpus(self.text("sys/devices/system/cpu/online") or "0")

    def run(self, command: Sequence[str]) -> str:
        """Run a command of the host and return its output. Raises an OSError with the last line of its errors if it
        fails, is not installed, or takes too long."""
        try:
            result = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", timeout=_TIMEOUT, check=False
            )
        except FileNotFoundError:
            raise FileNotFoundError(2, f"{command[0]} is not installed") from None
        except subprocess.TimeoutExpired:
            raise OSError(110, f"{' '.join(command)} did not end in {_TIMEOUT} s") from None
        if result.returncode != 0:
            raise OSError(22, (result.stderr.strip().splitlines() or [f"{command[0]} failed"])[-1])
        return result.stdout


def parse_cpus(text: str) -> list[int]:
    """Return the CPUs in a list as the kernel writes it (`0-2,5`), ascending; anything else gives an empty list."""
    cpus: set[int] = set()
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            cpus |= set(range(int(first), int(last or first) + 1))
    return sorted(cpus)


def format_cpus(cpus: Sequence[int]) -> str:
    """Return CPUs as a list in the kernel's notation: `0-2,5`."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and runs[-1][-1] == cpu - 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def mask_of(cpus: Sequence[int]) -> str:
    """Return CPUs as a mask in the kernel's notation: hexadecimal words of 32 bits, the highest first."""
    bits = sum(1 << cpu for cpu in set(cpus))
    words: list[str] = []
    while bits or not words:
        words.append(f"{bits & 0xFFFFFFFF:x}" if bits >> 32 == 0 else f"{bits & 0xFFFFFFFF:08x}")
        bits >>= 32
    return ",".join(reversed(words))
