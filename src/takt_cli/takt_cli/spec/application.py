# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""An application as it will run: defaults applied, durations in nanoseconds, topics by index."""

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
    name: str
    size: int
    external: bool = False


@dataclass(frozen=True)
class Callback:
    """A timer; all times in nanoseconds. `queue` 0 is `skip`."""

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
    """Of `reads`, where one of them is bounded: 0 for any age."""
    on_stale: str | None = None
    extra_releases: bool = False
    processor: int | None = None
    budget: int = 0
    """0: as much as it needs."""
    on_budget: str = "report"

    @property
    def utilisation(self) -> float:
        return self.wcet / self.period

    @property
    def bounds(self) -> dict[int, int]:
        """The topics that are read with a maximum age, and that age."""
        return {topic: age for topic, age in zip(self.reads, self.max_ages, strict=False) if age}


@dataclass(frozen=True)
class Node:
    name: str
    callbacks: tuple[Callback, ...]
    group: str = "exclusive"


@dataclass(frozen=True)
class Overload:
    """Jobs released at `begin` from t0 or later, and before `end`, take `factor` times their WCET."""

    begin: int
    end: int
    factor: float


@dataclass(frozen=True)
class Task:
    """A callback with its index over all nodes, which results are keyed by."""

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
        """All callbacks in the order of the spec; the index is the task number of every result."""
        pairs = [(n, node.name, callback) for n, node in enumerate(self.nodes) for callback in node.callbacks]
        return tuple(Task(i, n, f"{name}/{callback.name}", callback) for i, (n, name, callback) in enumerate(pairs))

    @cached_property
    def utilisation(self) -> float:
        return sum(task.callback.utilisation for task in self.tasks)

    @property
    def peak_utilisation(self) -> float:
        """That of its overload, if it has one and that is more."""
        return self.utilisation * max(1.0, self.overload.factor if self.overload else 1.0)

    @cached_property
    def hyperperiod(self) -> int:
        return math.lcm(*(task.callback.period for task in self.tasks))

    @cached_property
    def bounds_age(self) -> bool:
        """Whether anything is read with a maximum age."""
        return any(task.callback.bounds for task in self.tasks)

    @cached_property
    def has_budgets(self) -> bool:
        """Whether any job may use only so much CPU time."""
        return any(task.callback.budget for task in self.tasks)

    @cached_property
    def producers(self) -> dict[int, Task]:
        """The task that publishes each topic."""
        return {topic: task for task in self.tasks for topic in task.callback.publishes}

    @cached_property
    def processors(self) -> int:
        """How many processors the spec names, at least 1."""
        return 1 + max((task.callback.processor or 0 for task in self.tasks), default=0)

    @property
    def largest_message(self) -> int:
        return max((topic.size for topic in self.topics), default=0)

    def under(self, policy: str) -> Application:
        """The same application under another policy."""
        return replace(self, policy=policy)

    def to_json(self) -> dict[str, Any]:
        """The content of resolved.json, which the C++ programs read."""
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
        """The inverse of to_json; KeyError or TypeError if `data` is something else."""
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
        # Results of before have none of these.
        max_ages=tuple(int(t) for t in data.get("max_age_ns", ())) if any(data.get("max_age_ns", ())) else (),
        on_stale=data.get("on_stale"),
        extra_releases=bool(data.get("extra_releases", False)),
        processor=int(data["processor"]) if "processor" in data else None,
        budget=int(data.get("budget_ns", 0)),
        on_budget=str(data.get("on_budget", "report")),
    )
