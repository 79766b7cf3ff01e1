# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The state of a running executor, as it reported it: takt_msgs/srv/Inspect says what the fields mean."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

NEVER = 2**63 - 1


class Request(NamedTuple):
    """The result of a request for a scenario.

    `effect_ns` is the time from the request until it took effect; -1 if that has not happened or is not known.
    """

    success: bool
    message: str
    effect_ns: int


class ResponseTimes(msgspec.Struct, frozen=True):
    """The response times of a task's jobs."""

    jobs: int = 0
    p50_ns: int = 0
    p99_ns: int = 0
    p999_ns: int = 0
    worst_ns: int = 0


class Processor(msgspec.Struct, frozen=True):
    """One CPU of an executor."""

    cpu: int = 0
    levels: int = 0
    jobs: int = 0
    deferred: int = 0
    longest_section_ns: int = 0
    max_section_ns: int = 0
    overlong_sections: int = 0
    entity_waits: int = 0
    longest_wait_ns: int = 0


class Task(msgspec.Struct):
    """A task. `margin_ns` is the smallest time between the finish of a job and its deadline in the last period; without
    a job in the last period it is the smallest ever. None without a deadline or without any job."""

    id: str = ""
    node: str = ""
    kind: str = ""
    reads: list[str] = []
    processor: int = 0
    group: int = 0
    exclusive: bool = False
    level: int = 0
    priority: int = 0
    period_ns: int = 0
    deadline_ns: int = -1
    suspended: bool = False
    declared: float = 0.0
    measured: float = 0.0
    released: int = 0
    skipped: int = 0
    finished: int = 0
    missed: int = 0
    transition_misses: int = 0
    overruns: int = 0
    exhausted: int = 0
    refreshed: int = 0
    stale_skipped: int = 0
    stale_reported: int = 0
    greatest_age_ns: int = -1
    least_margin_ns: int = NEVER
    responses: ResponseTimes = ResponseTimes()
    recent: ResponseTimes = ResponseTimes()
    margin_ns: int | None = None

    def __post_init__(self) -> None:
        if self.deadline_ns >= 0 and self.recent.jobs > 0:
            self.margin_ns = self.deadline_ns - self.recent.worst_ns
        elif self.deadline_ns >= 0 and self.least_margin_ns != NEVER:
            self.margin_ns = self.least_margin_ns

    @property
    def misses(self) -> int:
        """The number of late and skipped jobs."""
        return self.missed + self.skipped

    @property
    def has_work(self) -> bool:
        """Whether the task has timing or has ever been released, unlike a node's unused parameter services."""
        return self.period_ns > 0 or self.deadline_ns >= 0 or self.released > 0


class Thread(msgspec.Struct, frozen=True):
    """A thread of an executor's process."""

    tid: int = 0
    name: str = ""
    role: str = ""
    policy: str = ""
    priority: int = 0
    asked: int = -1
    cpu: int = -1
    last_cpu: int = 0
    cpu_time_ns: int = 0
    longest_run_ns: int = -1
    lost_runs: int = 0


class Executor(msgspec.Struct, frozen=True):
    """An executor and what belongs to it."""

    name: str = ""
    stamp_ns: int = 0
    pid: int = 0
    program: str = ""
    host: str = ""
    policy: str = ""
    policy_in_use: str = ""
    realtime: bool = False
    pinned: bool = False
    memory_locked: bool = False
    refused: list[str] = []
    notes: list[str] = []
    scenario: str = ""
    scenarios: list[str] = []
    period_ns: int = 0
    blocked_callbacks: int = 0
    exceptions: int = 0
    scenario_switches: int = 0
    nodes: list[str] = []
    processors: list[Processor] = []
    tasks: list[Task] = []
    threads: list[Thread] = []
    watched_ns: int = 0
    watch_error: str = ""
    lock_waits: int = -1
    longest_lock_wait_ns: int = 0
    longest_lock_wait_in: str = ""
    longest_lock_held_by: str = ""

    @staticmethod
    def from_message(name: str, message: Any) -> Executor:
        """Make the state from a response message of takt_msgs/srv/Inspect."""
        executor = msgspec.convert(message, Executor, from_attributes=True)
        return msgspec.structs.replace(executor, name=name)
