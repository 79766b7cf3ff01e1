# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""An application as it will run: defaults are filled in, durations are in nanoseconds, topics are indices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import force_setattr, replace

POLICIES = ("fp", "rm", "dm", "edf", "np-fp", "np-rm", "np-dm", "np-edf", "fifo", "ros")
LOWEST_PRIORITY = 1
SCHEMA_VERSION = 1


class Qos(Struct, frozen=True):
    """The quality of service of all topics."""

    reliability: str
    depth: int


class Topic(Struct, frozen=True):
    """A topic. `size` is that of its messages in bytes; an `external` one is published outside of the application."""

    name: str
    size: int
    external: bool = False


class Callback(Struct, frozen=True):
    """A timer callback; all times in nanoseconds. `queue` is the number of releases that may wait during an overrun: 0
    for `skip`. Topics are indices."""

    name: str
    period: int = field(name="period_ns")
    phase: int = field(name="phase_ns")
    deadline: int = field(name="deadline_ns")
    priority: int
    wcet: int = field(name="wcet_ns")
    queue: int = 0
    reads: tuple[int, ...] = ()
    max_ages: tuple[int, ...] = field(default=(), name="max_age_ns")
    """The maximum age of each of `reads`, 0 for no bound; those that are not given are filled in."""
    on_stale: str | None = None
    extra_releases: bool = False
    budget: int = field(default=0, name="budget_ns")
    """CPU time per job; 0 for no limit."""
    on_budget: str = "report"
    publishes: tuple[int, ...] = ()
    processor: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        force_setattr(self, "max_ages", self.max_ages + (0,) * (len(self.reads) - len(self.max_ages)))

    @property
    def utilisation(self) -> float:
        return self.wcet / self.period

    @property
    def bounds(self) -> dict[int, int]:
        """The maximum age of each topic that is read with one."""
        return {topic: age for topic, age in zip(self.reads, self.max_ages, strict=False) if age}


class Node(Struct, frozen=True):
    """A node and its callbacks. Those of an `exclusive` group exclude each other, those of a `reentrant` one do not."""

    name: str
    group: str
    callbacks: tuple[Callback, ...]


class Overload(Struct, frozen=True):
    """An overload: jobs released from `begin` until before `end`, both relative to t0, take `factor` times their
    WCET."""

    begin: int = field(name="from_ns")
    end: int = field(name="to_ns")
    factor: float


class Task(Struct, frozen=True):
    """A callback with its index over all nodes, by which results refer to it."""

    index: int
    node: int
    id: str
    callback: Callback


class Application(Struct, frozen=True, dict=True, omit_defaults=True, tag_field="schema_version", tag=SCHEMA_VERSION):
    """An application, whose JSON is resolved.json, which the C++ programs read."""

    name: str
    policy: str
    qos: Qos
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
        places = [task.callback.processor for task in self.tasks]
        return 1 + max((place for place in places if place is not UNSET), default=0)

    @property
    def largest_message(self) -> int:
        return max((topic.size for topic in self.topics), default=0)

    def under(self, policy: str) -> Application:
        """Return the same application under another policy."""
        return replace(self, policy=policy)

    def with_callbacks(self, changed: Mapping[int, Callback]) -> Application:
        """Return the application with other callbacks for some tasks, given by their indices."""
        callbacks = iter([changed.get(task.index, task.callback) for task in self.tasks])
        nodes = (replace(node, callbacks=tuple(next(callbacks) for _ in node.callbacks)) for node in self.nodes)
        return replace(self, nodes=tuple(nodes))
