# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Composes YAML to nodes by libyaml, with the plain values of YAML 1.2: `yes` and `1:30` are text, as in JSON.

PyYAML's own composer recurses without a limit, which a deeply nested file turns into a crash of the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from yaml import CSafeLoader, MarkedYAMLError, YAMLError, parse
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

TAG = "tag:yaml.org,2002:"
# The plain values of YAML 1.2's core schema, in the order in which they are tried.
_PLAIN = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?[0-9][0-9_]*|[-+]?0o[0-7_]+|[-+]?0x[0-9a-fA-F_]+"),
    "float": re.compile(
        r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    ),
}


@dataclass(eq=False)
class Scalar:
    line: int
    tag: str
    text: str


@dataclass(eq=False)
class Sequence:
    line: int
    items: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Mapping:
    line: int
    items: list[tuple[Node, Node]] = field(default_factory=list)


Node: TypeAlias = Scalar | Sequence | Mapping


class ComposeError(Exception):
    """The text is not one YAML document, or nested too deeply. `line` counts from 1; None if it is not known."""

    def __init__(self, line: int | None, problem: str) -> None:
        super().__init__(problem)
        self.line = line
        self.problem = problem


def compose(text: bytes, max_depth: int) -> Node | None:
    """Return the root of the only document in a UTF-8 text, or None if there is none.

    Raises a ComposeError, also if nodes are nested deeper than `max_depth`.
    """
    try:
        return _Composer(parse(text, Loader=CSafeLoader), max_depth).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ComposeError(mark.line + 1 if mark else None, _what(error.problem or error.context)) from None
    except YAMLError as error:
        position = getattr(error, "position", None)
        line = text.count(b"\n", 0, position) + 1 if isinstance(position, int) else None
        raise ComposeError(line, _what(getattr(error, "reason", None) or str(error))) from None


def _what(problem: str | None) -> str:
    return f"not YAML: {problem or 'cannot be parsed'}"


class _Composer:
    def __init__(self, events: Iterator[Event], max_depth: int) -> None:
        self._events = events
        self._max_depth = max_depth
        self._anchors: dict[str, Node] = {}

    def document(self) -> Node | None:
        next(self._events)  # the start of the stream
        if isinstance(next(self._events), StreamEndEvent):
            return None
        root = self._node(next(self._events), 0)
        next(self._events)  # the end of the document
        after = next(self._events)
        if not isinstance(after, StreamEndEvent):
            raise ComposeError(_line(after), "not YAML of one document: another one begins")
        return root

    def _node(self, event: Event, depth: int) -> Node:
        assert isinstance(event, NodeEvent)
        line = _line(event)
        if depth > self._max_depth:
            raise ComposeError(line, "nested too deeply")
        if isinstance(event, AliasEvent):
            if event.anchor not in self._anchors:
                raise ComposeError(line, f"not YAML: nothing has the anchor '{event.anchor}'")
            return self._anchors[event.anchor]
        if isinstance(event, ScalarEvent):
            return self._kept(event, Scalar(line, _tag(event), event.value))
        if isinstance(event, SequenceStartEvent):
            sequence = Sequence(line)
            self._kept(event, sequence)
            while not isinstance(item := next(self._events), CollectionEndEvent):
                sequence.items.append(self._node(item, depth + 1))
            return sequence
        assert isinstance(event, MappingStartEvent)
        mapping = Mapping(line)
        self._kept(event, mapping)
        while not isinstance(key := next(self._events), CollectionEndEvent):
            key_node = self._node(key, depth + 1)
            mapping.items.append((key_node, self._node(next(self._events), depth + 1)))
        return mapping

    def _kept(self, event: NodeEvent, node: Node) -> Node:
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node


def _line(event: Event) -> int:
    assert event.start_mark is not None
    return int(event.start_mark.line) + 1


def _tag(event: ScalarEvent) -> str:
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    plain = event.implicit[0]
    kinds = (kind for kind, form in _PLAIN.items() if plain and form.fullmatch(event.value))
    return TAG + next(kinds, "str")
