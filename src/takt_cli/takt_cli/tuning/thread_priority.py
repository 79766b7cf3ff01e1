# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The scheduling policy and priority of one thread as a setting: `FIFO 60`, `OTHER 0`."""

from __future__ import annotations

from takt_cli.host.system import System
from takt_cli.host.task import Task
from takt_cli.tuning.setting import Setting

# Marks a thread whose children start at ordinary priority (SCHED_RESET_ON_FORK in sched(7)).
_RESET = "reset-on-fork"


class ThreadPriority(Setting, frozen=True, tag="thread"):
    """The scheduling of the thread `tid` that started at `started`, which tells it from a later one with this ID."""

    tid: int
    started: int
    name: str

    @staticmethod
    def of(task: Task) -> ThreadPriority:
        return ThreadPriority(task.tid, task.started, task.name)

    @property
    def label(self) -> str:
        return f"{self.name} ({self.tid})"

    def read(self, system: System) -> str | None:
        task = system.task(self.tid, self.started)
        return None if task is None else f"{task.policy} {task.priority}{_flag(system, self.tid)}"

    def write(self, system: System, value: str) -> None:
        policy, priority, *flags = value.split()
        system.set_scheduling(self.tid, policy, int(priority), _RESET in flags)

    def commands(self, value: str) -> list[str]:
        policy, priority, *flags = value.split()
        reset = " --reset-on-fork" if flags else ""
        return [f"chrt --{policy.lower()}{reset} --pid {priority} {self.tid}  # {self.name}"]


def fifo(system: System, task: Task, priority: int) -> str:
    """Return the value that gives a thread this FIFO priority and keeps its reset-on-fork flag."""
    return f"FIFO {priority}{_flag(system, task.tid)}"


def _flag(system: System, tid: int) -> str:
    return f" {_RESET}" if system.resets_on_fork(tid) else ""
