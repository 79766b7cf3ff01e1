# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Control groups as settings: whether a group exists, which threads are in it, and which group a thread is in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath

from takt_cli.host.hierarchy import Hierarchy
from takt_cli.host.system import System
from takt_cli.host.takt_processes import takt_processes
from takt_cli.host.task import Task
from takt_cli.tuning.setting import FileValue, Setting

ABSENT, PRESENT = "absent", "present"
TAKEN, LEFT = "taken", "left"
# Threads may start while others are moved. They inherit the group of their creator, so few passes are enough.
_PASSES = 5


class Group(Setting, frozen=True, tag="group"):
    """The existence of the control group at `path`. When it is made, the values of `files` are written in their order;
    when it is removed, its remaining members (listed by the file `members`) move to the parent group."""

    path: str
    files: dict[str, str]
    members: str = "tasks"

    @property
    def label(self) -> str:
        return f"/{self.path}"

    def read(self, system: System) -> str | None:
        return PRESENT if system.exists(self.path) else ABSENT

    def write(self, system: System, value: str) -> None:
        if value == ABSENT:
            _empty(system, self.path, self.members)
            system.remove_folder(self.path)
            return
        if not system.exists(self.path):
            system.make_folder(self.path)
        for name, content in self.files.items():
            system.write(f"{self.path}/{_file(name)}", content)

    def commands(self, value: str) -> list[str]:
        if value == ABSENT:
            return [_moving(self.path, str(PurePosixPath(self.path).parent), self.members), f"rmdir /{self.path}"]
        return [f"mkdir /{self.path}", *(f"echo {text} > /{self.path}/{_file(n)}" for n, text in self.files.items())]


class Population(Setting, frozen=True, tag="population"):
    """The setting that says whether the user-space threads of the parent group have been moved into the group at
    `path`. Threads of takt's processes and of this process are not moved, nor are real-time threads if `ordinary` is
    set."""

    path: str
    ordinary: bool

    @property
    def label(self) -> str:
        return f"/{self.path}/tasks"

    def read(self, system: System) -> str | None:
        # A group that does not exist yet has no members.
        return TAKEN if system.text(f"{self.path}/tasks") else LEFT

    def write(self, system: System, value: str) -> None:
        if value == LEFT:
            _empty(system, self.path, "tasks")
            return
        parent = str(PurePosixPath(self.path).parent)
        moved_tids: set[int] = set()
        for _ in range(_PASSES):
            kept_pids = {os.getpid(), *takt_processes(system)}
            movable_tasks = [task for task in self._movable(system, parent, kept_pids) if task.tid not in moved_tids]
            if not movable_tasks:
                return
            for task in movable_tasks:
                moved_tids.add(task.tid)
                with suppress(OSError):  # the thread has ended, or the kernel does not allow it to be moved
                    system.write(f"{self.path}/tasks", str(task.tid))

    def _movable(self, system: System, parent: str, kept_pids: set[int]) -> Iterator[Task]:
        tids_in_group = set(system.words(f"{parent}/tasks"))
        for task in system.all_tasks():
            stays = task.kernel or task.pid in kept_pids or (self.ordinary and task.realtime)
            if str(task.tid) in tids_in_group and not stays:
                yield task

    def commands(self, value: str) -> list[str]:
        parent = str(PurePosixPath(self.path).parent)
        return [_moving(parent, self.path) if value == TAKEN else _moving(self.path, parent)]


class Member(Setting, frozen=True, tag="member"):
    """The control group of one thread in the hierarchy at `mount`. `controller` is empty for version 2, where only
    whole processes can be moved. `started` tells the thread from a later one with the same ID."""

    tid: int
    started: int
    name: str
    mount: str
    controller: str

    @property
    def label(self) -> str:
        return f"group of {self.name} ({self.tid}) in /{self.mount}"

    def read(self, system: System) -> str | None:
        if system.task(self.tid, self.started) is None:
            return None
        return Hierarchy(self.mount, self.controller).group_of(system, self.tid)

    def write(self, system: System, value: str) -> None:
        system.write(self._file(value), str(self.tid))

    def commands(self, value: str) -> list[str]:
        return [f"echo {self.tid} > /{self._file(value)}  # {self.name}"]

    def _file(self, group: str) -> str:
        return f"{self.mount}{group.rstrip('/')}/{'tasks' if self.controller else 'cgroup.procs'}"


def members(system: System, hierarchy: Hierarchy) -> list[Member]:
    """Return the groups of takt's running processes, thread by thread where the version allows it."""
    tasks = [task for pid in takt_processes(system) for task in system.tasks(pid)]
    movable_tasks = [task for task in tasks if hierarchy.version == 1 or task.tid == task.pid]
    return [Member(t.tid, t.started, t.name, hierarchy.mount, hierarchy.controller) for t in movable_tasks]


class Controllers(FileValue, frozen=True, tag="controller"):
    """The setting that says whether the controller `name` is enabled for child groups. The file is written with a sign
    and read as a list."""

    @property
    def label(self) -> str:
        return f"controller {self.name}"

    def read(self, system: System) -> str | None:
        current = super().read(system)
        return None if current is None else ("on" if self.name in current.split() else "off")

    def write(self, system: System, value: str) -> None:
        super().write(system, self._signed(value))

    def commands(self, value: str) -> list[str]:
        return super().commands(self._signed(value))

    def _signed(self, value: str) -> str:
        return f"{'+' if value == 'on' else '-'}{self.name}"


def _file(name: str) -> str:
    """Return the file's name without the `#` and suffix that tell several writes to the same file apart."""
    return name.partition("#")[0]


def _empty(system: System, path: str, members: str) -> None:
    """Move all remaining members to the parent group."""
    parent = str(PurePosixPath(path).parent)
    for _ in range(_PASSES):
        member_ids = system.words(f"{path}/{members}")
        if not member_ids:
            return
        for number in member_ids:
            with suppress(OSError):  # it has ended
                system.write(f"{parent}/{members}", number)


def _moving(source: str, target: str, members: str = "tasks") -> str:
    return f"for t in $(cat /{source}/{members}); do echo $t > /{target}/{members}; done 2>/dev/null"
