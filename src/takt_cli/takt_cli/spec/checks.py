# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks beyond the schema: whether the parts of a spec fit together."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from msgspec import UNSET

from takt_cli.spec.application import Application, Callback, Node
from takt_cli.spec.document import Document, Path
from takt_cli.spec.hints import did_you_mean
from takt_cli.spec.units import format_duration, parse_duration, parse_size

SHORTEST_PERIOD = 10_000
LONGEST_TIME = 3_600_000_000_000
LARGEST_MESSAGE = 64 * 1024 * 1024
# The margin by which inputs must be younger than their maximum age when a job is chosen: takt's default, in ns.
AGE_MARGIN = 100_000


class Checks:
    """Checks against one document. Every method raises a SpecError that names the place."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def fail(self, path: Path, text: str) -> NoReturn:
        self.document.fail(path, text)

    def duration(self, text: str, path: Path) -> int:
        try:
            value = parse_duration(text)
        except ValueError as reason:
            self.fail(path, str(reason))
        if value > LONGEST_TIME:
            self.fail(path, f"{text!r} is longer than an hour; give less")
        return value

    def size(self, text: str, path: Path) -> int:
        try:
            value = parse_size(text)
        except ValueError as reason:
            self.fail(path, str(reason))
        if not 1 <= value <= LARGEST_MESSAGE:
            self.fail(path, f"{text!r} is outside 1B to 64MiB; give a size within")
        return value

    def unique(self, names: list[str], path: Path, noun: str) -> None:
        first: dict[str, int] = {}
        for i, name in enumerate(names):
            if name in first:
                line = self.document.line((*path, first[name], "name"))
                self.fail((*path, i, "name"), f"{name!r} is already the name of a {noun} (line {line}); choose another")
            first[name] = i

    def topics(self, names: list[str], path: Path, known_topics: dict[str, int]) -> tuple[int, ...]:
        for i, name in enumerate(names):
            if name not in known_topics:
                hint = did_you_mean(name, known_topics, "add it to 'topics' with its size")
                self.fail((*path, i), f"there is no topic {name!r}; {hint}")
            if name in names[:i]:
                self.fail((*path, i), f"the topic {name!r} is listed twice; remove one")
        return tuple(known_topics[name] for name in names)

    def application(self, application: Application) -> None:
        """Check what depends on the application as a whole."""
        publishers: dict[int, str] = {}
        for n, node in enumerate(application.nodes):
            self._processors(node, n)
            for c, callback in enumerate(node.callbacks):
                path: Path = ("nodes", n, "callbacks", c)
                self._timing(callback, path)
                if callback.on_budget == "background" and node.group == "exclusive" and len(node.callbacks) > 1:
                    self.fail(
                        (*path, "on_budget"),
                        "a job in the background would block the other callbacks of this exclusive node; "
                        "give the callback a node of its own, or the node 'group: reentrant'",
                    )
                self._exchange(callback, path, application, publishers, f"{node.name}/{callback.name}")
        for i, topic in enumerate(application.topics):
            if i not in publishers and not topic.external:
                self.fail(
                    ("topics", i, "name"),
                    f"no callback publishes {topic.name!r}; add it to one's 'publishes', or mark it 'external: true'",
                )
        self._ages(application)

    def _ages(self, application: Application) -> None:
        producers = application.producers
        waits_for: dict[int, list[int]] = {}
        places: dict[int, Path] = {}
        for task in application.tasks:
            callback = task.callback
            place = application.nodes[task.node].callbacks.index(callback)
            callback_path: Path = ("nodes", task.node, "callbacks", place)
            for topic, age in callback.bounds.items():
                name = application.topics[topic].name
                path: Path = (*callback_path, "max_age", name)
                if age <= AGE_MARGIN:
                    self.fail(path, f"{format_duration(age)} is not above takt's margin of 100us; give more")
                if topic not in producers and callback.on_stale is None:
                    self.fail(
                        path, f"{name!r} is external, so nothing can refresh it; add 'on_stale: skip' or 'report'"
                    )
            waits_for[task.index] = [producers[topic].index for topic in callback.bounds if topic in producers]
            places[task.index] = callback_path
        try:
            TopologicalSorter(waits_for).prepare()
        except CycleError as error:
            first = min(error.args[1])
            self.fail(
                (*places[first], "max_age"),
                f"to refresh its data, {application.tasks[first].id} would have to run before itself: reads with a "
                "max_age form a cycle; remove one max_age",
            )

    def _processors(self, node: Node, n: int) -> None:
        """Check that callbacks that exclude each other are on the same processor."""
        placed_callbacks = [
            (c, callback) for c, callback in enumerate(node.callbacks) if callback.processor is not UNSET
        ]
        for c, callback in placed_callbacks if node.group == "exclusive" else ():
            _, first = placed_callbacks[0]
            if callback.processor != first.processor:
                path: Path = ("nodes", n, "callbacks", c)
                self.fail(
                    (*path, "processor") if self.document.line((*path, "processor")) else path,
                    f"{callback.name!r} is on processor {callback.processor} and {first.name!r} on {first.processor}, "
                    "but callbacks of the node exclude each other; place them together, or 'group: reentrant'",
                )

    def _timing(self, callback: Callback, path: Path) -> None:
        if callback.period < SHORTEST_PERIOD:
            period_text = format_duration(callback.period)
            self.fail((*path, "period"), f"{period_text} is shorter than 10us, the shortest period; give a longer one")
        if callback.deadline <= 0:
            self.fail((*path, "deadline"), "a deadline of 0 is always missed; give one above 0")
        if callback.deadline > callback.period and callback.queue == 0:
            self.fail(
                (*path, "deadline"),
                f"{format_duration(callback.deadline)} is above the period {format_duration(callback.period)}, so jobs "
                "overlap; give one within the period, or 'overrun: queue(n)'",
            )

    def _exchange(
        self, callback: Callback, callback_path: Path, application: Application, publishers: dict[int, str], id_: str
    ) -> None:
        for i, topic in enumerate(callback.publishes):
            path: Path = (*callback_path, "publishes", i)
            name = application.topics[topic].name
            if topic in callback.reads:
                self.fail(path, f"{id_} also reads {name!r}; publish on another topic")
            if topic in publishers:
                # Messages are numbered by their producer; with two producers, "the newest" would be ambiguous.
                self.fail(path, f"{publishers[topic]} already publishes {name!r}; give each callback its own topic")
            publishers[topic] = id_
