# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The rights, policy and thread priorities that a run requested from the operating system, and those it was granted."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.results.run import RunRecord, RunThread
from takt_cli.spec.executors import schedules


def refused_requests(record: RunRecord) -> list[str]:
    """Return one line for each request that was not granted, without duplicates."""
    return list(dict.fromkeys(line for each in record.processes if each.grants for line in each.grants.refused))


def policy_in_use(record: RunRecord) -> str:
    """Return the policy that the executor used. It differs from the requested one if that needs rights that were not
    granted."""
    return record.processes[0].policy.in_use


def uses_other_policy(executor: str, policy: str, in_use: str) -> bool:
    """Return whether takt used another policy than the requested one. Other executors always use their own."""
    return schedules(executor) and in_use != policy


@dataclass(frozen=True)
class PriorityRequests:
    """Threads of one role that requested real-time priorities, and the priorities granted; 0 for none."""

    role: str
    names: tuple[str, ...]
    requested: tuple[int, ...]
    granted: tuple[int, ...]

    @property
    def all_granted(self) -> bool:
        return self.requested == self.granted


# The order of roles in the output; other roles follow.
_ROLES = ("timer", "worker", "handler", "executor", "middleware", "lab")


def priority_requests(record: RunRecord) -> list[PriorityRequests]:
    """Return the threads that requested a real-time priority, grouped by role and by whether it was granted."""
    threads_by_request: dict[tuple[int, str, bool], list[RunThread]] = {}
    for process in record.processes:
        roles: dict[int | None, str] = (
            {each.tid: each.role for each in process.grants.threads} if process.grants else {}
        )
        for thread in process.threads:
            if not thread.asked:
                continue
            role = roles.get(thread.tid, thread.kind)
            role = "lab" if role == "other" else role
            rank = _ROLES.index(role) if role in _ROLES else len(_ROLES)
            threads_by_request.setdefault((rank, role, thread.asked != thread.granted), []).append(thread)
    return [
        PriorityRequests(
            role,
            tuple(t.name for t in threads),
            tuple(t.asked or 0 for t in threads),
            tuple(t.granted or 0 for t in threads),
        )
        for (_, role, _), threads in sorted(threads_by_request.items(), key=lambda pair: pair[0])
    ]


def ordinary_thread_count(record: RunRecord) -> int:
    """Return the number of threads that requested no real-time priority, such as those for discovery."""
    return sum(not thread.asked for process in record.processes for thread in process.threads)
