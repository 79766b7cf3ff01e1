# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The host as a tree of files: those of the kernel, its threads, its control groups; and the commands that change it.

Everything is read below a root folder, so a recorded tree of another host can take the place of `/`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from takt_cli.host.command import output_of
from takt_cli.host.cpu_list import parse_cpus
from takt_cli.host.task import POLICIES, Task, parse_task


class Mounted(NamedTuple):
    """A file system mounted at `place`, a path below the root."""

    place: str
    kind: str
    options: list[str]


class System:
    """The host, or a recorded tree of one, below `root`."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    @property
    def real(self) -> bool:
        """Whether this is the live host, where something may be tried; a record can only be read."""
        return self.root == Path("/")

    # ---- files ----------------------------------------------------------------------------------------------

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return a file's content without surrounding white space; None if it does not exist or cannot be read."""
        # Without a Path, because hundreds of files are read each second while a run is measured.
        try:
            with open(f"{self.root}/{path}", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
                return file.read().strip()
        except OSError:
            return None

    def lines(self, path: str) -> list[str]:
        """Return a file's lines; an empty list if it cannot be read."""
        return (self.text(path) or "").splitlines()

    def words(self, path: str) -> list[str]:
        """Return what a file holds between white space; an empty list if it cannot be read."""
        return (self.text(path) or "").split()

    def table(self, path: str, separator: str = ":") -> dict[str, str]:
        """Return the values of a file with lines such as `name: value`; of several with one name, the first."""
        pairs = [line.partition(separator) for line in self.lines(path)]
        return {name.strip(): value.strip() for name, _, value in reversed(pairs)}

    def cpu_list(self, path: str) -> list[int]:
        """Return the CPUs that a file lists; an empty list if it cannot be read."""
        return parse_cpus(self.text(path) or "")

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
            return sorted(os.listdir(f"{self.root}/{path}"))  # noqa: PTH208 - names are what is wanted
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

    def make_folder(self, path: str) -> None:
        """Create a folder, in which the kernel then creates files: a control group, for instance. Raises an OSError."""
        self.path(path).mkdir()

    def remove_folder(self, path: str) -> None:
        """Remove such a folder. Raises an OSError."""
        self.path(path).rmdir()

    # ---- threads --------------------------------------------------------------------------------------------

    def processes(self) -> list[int]:
        return self.numbered("proc", "")

    def threads(self, pid: int | str) -> list[int]:
        """Return the IDs of the threads of a process, `self` being this one; an empty list if it has ended."""
        return self.numbered(f"proc/{pid}/task", "")

    def tasks(self, pid: int) -> list[Task]:
        """Return the threads of a process; an empty list if it has ended."""
        tasks_found = [self._task(pid, tid, f"proc/{pid}/task/{tid}") for tid in self.threads(pid)]
        return [task for task in tasks_found if task is not None]

    def all_tasks(self) -> Iterator[Task]:
        for pid in self.processes():
            yield from self.tasks(pid)

    def tasks_of_kernel(self) -> list[Task]:
        """Return the kernel's own threads."""
        return [task for pid in self.processes() if (task := self.task(pid)) is not None and task.kernel]

    def members(self, session: int) -> list[Task]:
        """Return the processes of a session without its leader, which only supervises them."""
        candidates = (self.task(pid) for pid in self.processes() if pid != session)
        return [task for task in candidates if task is not None and task.session == session]

    def children(self, pid: int) -> list[int]:
        """Return the processes that a process has started; an empty list if it has ended."""
        return [int(child) for tid in self.threads(pid) for child in self.words(f"proc/{pid}/task/{tid}/children")]

    def task(self, tid: int, started: int | None = None) -> Task | None:
        """Return the process or thread with this ID, or None. With `started` it must be the one that started then, and
        no later one with the same ID. The `pid` of a thread is set to the same ID, without looking up its process."""
        task = self._task(tid, tid, f"proc/{tid}")
        return task if task is None or started in {None, task.started} else None

    def _task(self, pid: int, tid: int, folder: str) -> Task | None:
        return parse_task(pid, tid, self.text(f"{folder}/stat") or "")

    def cpu_time(self, task: Task) -> int | None:
        """Return the CPU time of a single thread so far, in ns; None if it has ended."""
        words = self.words(f"proc/{task.pid}/task/{task.tid}/schedstat")
        return int(words[0]) if words else None

    def may_run_on(self, task: Task, cpus: Collection[int]) -> bool:
        """Return whether a thread's affinity includes one of these CPUs; True if it is unknown."""
        allowed = self.table(f"proc/{task.pid}/task/{task.tid}/status").get("Cpus_allowed_list")
        return allowed is None or not set(parse_cpus(allowed)).isdisjoint(cpus)

    def resets_on_fork(self, tid: int) -> bool:
        """Return whether the thread's children start at ordinary priority; always False for a recorded tree."""
        try:
            return self.real and bool(os.sched_getscheduler(tid) & os.SCHED_RESET_ON_FORK)
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
        return self.cpu_list("sys/devices/system/cpu/online") or [0]

    def memory(self, name: str) -> int | None:
        """Return an amount of memory by its name in /proc/meminfo, in KiB; None if it is unknown."""
        value = self.table("proc/meminfo").get(name)
        return None if value is None else int(value.split()[0])

    def mounts(self) -> list[Mounted]:
        """Return the file systems that are mounted."""
        fields = [line.split(" ") for line in self.lines("proc/mounts")]
        return [Mounted(f[1].lstrip("/"), f[2], f[3].split(",")) for f in fields if len(f) > 3]

    def run(self, command: Sequence[str]) -> str:
        """Run a command of the host and return its output. Raises an OSError that says why if that fails."""
        return output_of(command)


# The host that this process runs on.
THIS_HOST = System()
