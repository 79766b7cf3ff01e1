# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""An application as it will run: defaults are filled in, durations are in nanoseconds, topics are indices."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

POLICIES = ("fp", "rm", "dm", "edf", "np-fp", "np-rm", "np-dm", "np-edf", "fifo", "ros")
LOWEST_PRIORITY = 1
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Topic:
    """A topic. `size` is that of its messages in bytes; an `external` one is published outside of the application."""

    name: str
    size: int
    external: bool = False


@dataclass(frozen=True)
class Callback:
    """A timer callback; all times in nanoseconds. `queue` is the number of releases that may wait during an overrun: 0
    for `skip`. Topics are indices."""

    name: str
    period: int
    phase: int
    deadline: int
    priority: int
    wcet: int
    queue: int = 0
    reads: tuple[int, ...] = ()
    publishes: tuple[int, ...] = ()
    max_ages: tuple[int, ...] = ()
    """The maximum ages of `reads`, 0 for no bound; empty if none is bounded."""
    on_stale: str | None = None
    extra_releases: bool = False
    processor: int | None = None
    budget: int = 0
    """CPU time per job; 0 for no limit."""
    on_budget: str = "report"

    @property
    def utilisation(self) -> float:
        return self.wcet / self.period

    @property
    def bounds(self) -> dict[int, int]:
        """The maximum age of each topic that is read with one."""
        return {topic: age for topic, age in zip(self.reads, self.max_ages, strict=False) if age}


@dataclass(frozen=True)
class Node:
    name: str
    callbacks: tuple[Callback, ...]
    group: str = "exclusive"


@dataclass(frozen=True)
class Overload:
    """An overload: jobs released from `begin` until before `end`, both relative to t0, take `factor` times their
    WCET."""

    begin: int
    end: int
    factor: float


@dataclass(frozen=True)
class Task:
    """A callback with its index over all nodes, by which results refer to it."""

    index: int
    node: int
    id: str
    callback: Callback


@dataclass(frozen=True)
class Application:
    name: str
    policy: str
    reliability: str
    depth: int
    topics: tuple[Topic, ...]
    nodes: tuple[Node, ...]
    overload: Overload | None = None

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """All callbacks in the order of the spec; the index is the task's number in every result."""
        pairs = [(n, node.name, callback) for n, node in enumerate(self.nodes) for callback in node.callbacks]
        return tuple(Task(i, n, f"{name}/{callback.name}", callback) for i, (n, name, callback) in enumerate(pairs))

    @cached_property
    def utilisation(self) -> float:
        return sum(task.callback.utilisation for task in self.tasks)

    @property
    def peak_utilisation(self) -> float:
        """The utilisation during its overload, if that is higher than otherwise."""
        return self.utilisation * max(1.0, self.overload.factor if self.overload else 1.0)

    @cached_property
    def hyperperiod(self) -> int:
        return math.lcm(*(task.callback.period for task in self.tasks))

    @cached_property
    def bounds_age(self) -> bool:
        """True if any callback reads with a maximum age."""
        return any(task.callback.bounds for task in self.tasks)

    @cached_property
    def has_budgets(self) -> bool:
        """True if any callback has a budget of CPU time."""
        return any(task.callback.budget for task in self.tasks)

    @cached_property
    def producers(self) -> dict[int, Task]:
        """The task that publishes each topic, by topic; external topics are missing."""
        return {topic: task for task in self.tasks for topic in task.callback.publishes}

    @cached_property
    def processors(self) -> int:
        """The number of processors that the spec uses, at least 1."""
        return 1 + max((task.callback.processor or 0 for task in self.tasks), default=0)

    @property
    def largest_message(self) -> int:
        return max((topic.size for topic in self.topics), default=0)

    def under(self, policy: str) -> Application:
        """Return the same application under another policy."""
        return replace(self, policy=policy)

    def to_json(self) -> dict[str, Any]:
        """Return the content of resolved.json, which the C++ programs read."""
        return {
            "schema_version": SCHEMA_VERSION,
            "name": self.name,
            "policy": self.policy,
            "qos": {"reliability": self.reliability, "depth": self.depth},
            "topics": [{"name": t.name, "size": t.size, "external": t.external} for t in self.topics],
            "nodes": [
                {"name": n.name, "group": n.group, "callbacks": [_callback_to_json(c) for c in n.callbacks]}
                for n in self.nodes
            ],
            **({} if self.overload is None else {"overload": _overload_to_json(self.overload)}),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Application:
        """Return the application that to_json() wrote. Raises a KeyError or TypeError for anything else."""
        return cls(
            name=str(data["name"]),
            policy=str(data["policy"]),
            reliability=str(data["qos"]["reliability"]),
            depth=int(data["qos"]["depth"]),
            topics=tuple(Topic(str(t["name"]), int(t["size"]), bool(t["external"])) for t in data["topics"]),
            nodes=tuple(
                Node(str(n["name"]), tuple(_callback_from_json(c) for c in n["callbacks"]), str(n["group"]))
                for n in data["nodes"]
            ),
            overload=_overload_from_json(data["overload"]) if "overload" in data else None,
        )


def _overload_to_json(overload: Overload) -> dict[str, Any]:
    return {"from_ns": overload.begin, "to_ns": overload.end, "factor": overload.factor}


def _overload_from_json(data: dict[str, Any]) -> Overload:
    return Overload(int(data["from_ns"]), int(data["to_ns"]), float(data["factor"]))


def _callback_to_json(callback: Callback) -> dict[str, Any]:
    place = {} if callback.processor is None else {"processor": callback.processor}
    return {
        "name": callback.name,
        "period_ns": callback.period,
        "phase_ns": callback.phase,
        "deadline_ns": callback.deadline,
        "priority": callback.priority,
        "wcet_ns": callback.wcet,
        "queue": callback.queue,
        "reads": list(callback.reads),
        "max_age_ns": list(callback.max_ages or (0,) * len(callback.reads)),
        "on_stale": callback.on_stale,
        "extra_releases": callback.extra_releases,
        "budget_ns": callback.budget,
        "on_budget": callback.on_budget,
        "publishes": list(callback.publishes),
        **place,
    }


def _callback_from_json(data: dict[str, Any]) -> Callback:
    return Callback(
        name=str(data["name"]),
        period=int(data["period_ns"]),
        phase=int(data["phase_ns"]),
        deadline=int(data["deadline_ns"]),
        priority=int(data["priority"]),
        wcet=int(data["wcet_ns"]),
        queue=int(data["queue"]),
        reads=tuple(int(t) for t in data["reads"]),
        publishes=tuple(int(t) for t in data["publishes"]),
        # Results of older versions lack these.
        max_ages=tuple(int(t) for t in data.get("max_age_ns", ())) if any(data.get("max_age_ns", ())) else (),
        on_stale=data.get("on_stale"),
        extra_releases=bool(data.get("extra_releases", False)),
        processor=int(data["processor"]) if "processor" in data else None,
        budget=int(data.get("budget_ns", 0)),
        on_budget=str(data.get("on_budget", "report")),
    )
