# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a run asked the operating system for, and what it got: rights, policy, priorities of threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from takt_cli.spec.executors import schedules


def refused(record: dict[str, Any]) -> list[str]:
    """What was asked for and not granted, each line once."""
    processes = record["processes"]
    return list(dict.fromkeys(line for p in processes for line in (p.get("grants") or {}).get("refused", [])))


def policy_in_use(record: dict[str, Any]) -> str:
    """The policy that the executor ran by: not the one asked for where that needs rights it did not get."""
    return str(record["processes"][0]["policy"]["in_use"])


def ran_otherwise(executor: str, policy: str, in_use: str) -> bool:
    """Whether takt ran by another policy than it was asked to; others have but their own."""
    return schedules(executor) and in_use != policy


@dataclass(frozen=True)
class Group:
    """Threads of one role that asked for real-time priorities, and those they got; 0 is none."""

    role: str
    names: tuple[str, ...]
    asked: tuple[int, ...]
    granted: tuple[int, ...]

    @property
    def met(self) -> bool:
        return self.asked == self.granted


# The order in which they are told; those of other roles come after.
_ROLES = ("timer", "worker", "handler", "executor", "middleware", "lab")


def groups(record: dict[str, Any]) -> list[Group]:
    """The threads that asked for a real-time priority by role, those that did not get theirs apart."""
    found: dict[tuple[int, str, bool], list[dict[str, Any]]] = {}
    for process in record["processes"]:
        roles = {t["tid"]: t["role"] for t in (process.get("grants") or {}).get("threads", [])}
        for thread in process["threads"]:
            if not thread.get("asked"):
                continue
            role = str(roles.get(thread.get("tid"), thread["class"]))
            role = "lab" if role == "other" else role
            rank = _ROLES.index(role) if role in _ROLES else len(_ROLES)
            found.setdefault((rank, role, thread["asked"] != thread["granted"]), []).append(thread)
    return [
        Group(
            role,
            tuple(t["name"] for t in threads),
            tuple(t["asked"] for t in threads),
            tuple(t["granted"] or 0 for t in threads),
        )
        for (_, role, _), threads in sorted(found.items(), key=lambda pair: pair[0])
    ]


def ordinary(record: dict[str, Any]) -> int:
    """How many threads asked for no real-time priority: what may wait, such as the middleware's discovery."""
    return sum(not t.get("asked") for p in record["processes"] for t in p["threads"])
