# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The application as the templates need it: with all names chosen and all values written as C++."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from msgspec import UNSET

from takt_cli.emit.literals import size
from takt_cli.emit.names import ScopeNames, class_name, file_stem, identifier
from takt_cli.run.settings import node_priorities
from takt_cli.spec.application import Application, Callback, Node

# ruff: noqa: SIM905 - a list of words reads better without quotes

# Names that generated members must not have: those that the classes inherit or use, local variables included.
_CLASSES = frozenset("Input Node Parameters Payload Task Timing".split())
_IN_CLASSES = _CLASSES | frozenset(
    """begin burn_until calibrate cpu_time create_callback_group create_publisher create_subscription create_timer
    create_wall_timer executor fill group in_group job message nanoseconds options qos rclcpp report report_task stamp
    start std steady_now takt timer""".split()
)
# Names used in main.cpp, and names of targets that CMake, ament or the packages themselves use.
_IN_MAIN = frozenset(
    """argc argv arguments begin calibrate cpus cpus_of executor main nanoseconds options rclcpp report_executor run std
    steady_now takt time""".split()
)
_TARGETS = frozenset("all clean edit_cache help install nodes package rebuild_cache test uninstall".split())


@dataclass(frozen=True)
class InputView:
    """A topic that a task reads."""

    topic: str
    member: str
    subscription: str
    max_age: int | None


@dataclass(frozen=True)
class OutputView:
    """A topic that a task publishes."""

    topic: str
    publisher: str
    sequence: str
    message: str
    """The local variable that holds the message, in packages that use a new one for each job."""
    kept: str
    """The member that holds the message, in packages that reuse it in each job."""
    size: str
    bytes: str


@dataclass(frozen=True)
class TaskView:
    """A task with the names that stand for it in the code."""

    id: str
    method: str
    timer: str
    member: str
    wcet: str
    callback: Callback
    inputs: tuple[InputView, ...]
    outputs: tuple[OutputView, ...]


@dataclass(frozen=True)
class NodeView:
    """A node with its tasks."""

    name: str
    type: str
    stem: str
    variable: str
    priority: int
    """The OS priority of the node's process in the package for baseline1."""
    reentrant: bool
    processor: int | None
    tasks: tuple[TaskView, ...]

    @property
    def inputs(self) -> tuple[InputView, ...]:
        """The inputs of all tasks."""
        return tuple(each for task in self.tasks for each in task.inputs)

    @property
    def outputs(self) -> tuple[OutputView, ...]:
        """The outputs of all tasks."""
        return tuple(each for task in self.tasks for each in task.outputs)

    @property
    def background(self) -> bool:
        """True if a task moves to the background when its budget is exhausted."""
        return any(task.callback.on_budget == "background" for task in self.tasks)

    @property
    def summary(self) -> str:
        """A sentence on the topics that the node reads and publishes."""
        reads = ", ".join(dict.fromkeys(each.topic for each in self.inputs))
        publishes = ", ".join(each.topic for each in self.outputs)
        words = [f"reads {reads}"] * bool(reads) + [f"publishes {publishes}"] * bool(publishes)
        text = " and ".join(words) or "exchanges nothing"
        return text[0].upper() + text[1:] + "."


def node_views(application: Application) -> tuple[NodeView, ...]:
    """Return the nodes of the application with all names and values."""
    types, stems, variables = ScopeNames(_CLASSES), ScopeNames(_TARGETS), ScopeNames(_IN_MAIN)
    return tuple(
        _node(
            application,
            node,
            types.reserve(class_name(node.name), f"{class_name(node.name)}Node"),
            stems.reserve(file_stem(node.name), f"{file_stem(node.name)}_node"),
            variables.reserve(file_stem(node.name), f"{file_stem(node.name)}_node"),
            priority,
        )
        for node, priority in zip(application.nodes, node_priorities(application), strict=True)
    )


def _node(application: Application, node: Node, type_: str, stem: str, variable: str, priority: int) -> NodeView:
    names = ScopeNames(_IN_CLASSES | {type_})
    readers = Counter(topic for callback in node.callbacks for topic in callback.reads)
    places = {callback.processor for callback in node.callbacks}
    place = places.pop() if len(places) == 1 else UNSET
    return NodeView(
        name=node.name,
        type=type_,
        stem=stem,
        variable=variable,
        priority=priority,
        reentrant=node.group == "reentrant",
        processor=None if place is UNSET else place,
        tasks=tuple(_task(application, node, callback, names, readers) for callback in node.callbacks),
    )


def _task(
    application: Application, node: Node, callback: Callback, names: ScopeNames, readers: Counter[int]
) -> TaskView:
    member_name = identifier(callback.name)
    return TaskView(
        id=f"{node.name}/{callback.name}",
        method=names.reserve(member_name, f"on_{member_name}"),
        timer=names.reserve(f"{member_name.removesuffix('timer').rstrip('_')}_timer_".lstrip("_")),
        member=names.reserve(f"{member_name}_task_"),
        wcet=names.reserve(f"{member_name}_wcet"),
        callback=callback,
        inputs=tuple(_input(application, callback, topic, names, readers[topic] > 1) for topic in callback.reads),
        outputs=tuple(_output(application, topic, names, len(callback.publishes) > 1) for topic in callback.publishes),
    )


def _input(application: Application, callback: Callback, topic: int, names: ScopeNames, shared: bool) -> InputView:
    name = application.topics[topic].name
    stem = f"{identifier(callback.name)}_{identifier(name)}" if shared else identifier(name)
    return InputView(
        topic=name,
        member=names.reserve(f"{stem}_"),
        subscription=names.reserve(f"{stem}_subscription_"),
        max_age=callback.bounds.get(topic),
    )


def _output(application: Application, topic: int, names: ScopeNames, has_several: bool) -> OutputView:
    name, count = application.topics[topic].name, application.topics[topic].size
    stem = identifier(name)
    return OutputView(
        topic=name,
        publisher=names.reserve(f"{stem}_publisher_"),
        sequence=names.reserve(f"{stem}_sequence_"),
        message=names.reserve(f"{stem}_message") if has_several else "message",
        kept=names.reserve(f"{stem}_message_"),
        size=names.reserve(f"{stem}_size"),
        bytes=size(count),
    )
