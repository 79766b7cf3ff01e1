# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reads YAML as plain data, with the line of every key and value so that errors can name their place.

The file is *composed* to nodes that are traversed here, instead of being constructed: so aliases that form a cycle, or
that multiply (a few lines that expand to millions of values), are detected before they are followed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from takt_cli.errors import SpecError
from takt_cli.spec.yaml_nodes import TAG, ComposeError, Mapping, Node, Scalar, compose

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = "tuple[str | int, ...]"

MAX_BYTES = 4 * 1024 * 1024
MAX_VALUES = 200_000
MAX_DEPTH = 64

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})", re.ASCII)


@dataclass
class Document:
    """A document's plain data, and the line of each key of a mapping and of each value, counted from 1."""

    file: str
    data: Plain = None
    key_lines: dict[Path, int] = field(default_factory=dict)
    value_lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """Return the line of the value at `path`, or of the closest enclosing value."""
        for end in range(len(path), -1, -1):
            line_number = self.key_lines.get(path[:end]) or self.value_lines.get(path[:end])
            if line_number is not None:
                return line_number
        return None


def parse(text: bytes, file: str) -> Document:
    """Parse YAML. Raises a SpecError if it is not a single document of plain values."""
    if len(text) > MAX_BYTES:
        raise SpecError(file, None, "", f"{len(text)} bytes are too many for a spec; at most {MAX_BYTES} are read")
    document = Document(file)
    root = _compose(text, file)
    if root is None:
        raise SpecError(file, 1, "", "the file is empty; a spec needs at least 'nodes'")
    document.data = _Walk(document).plain(root, (), 0)
    return document


def _compose(text: bytes, file: str) -> Node | None:
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SpecError(file, line, "", "not UTF-8 text, so not YAML; save the spec as UTF-8") from None
    try:
        return compose(decoded.encode(), MAX_DEPTH)
    except ComposeError as error:
        raise SpecError(file, error.line, "", _printable(error.problem)) from None


def _printable(text: object) -> str:
    return "".join(c if c.isprintable() else " " for c in str(text))[:200]


class _Walk:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._open: set[int] = set()
        self._values = 0

    def plain(self, node: Node, path: Path, depth: int) -> Plain:
        line = node.line
        self._values += 1
        if self._values > MAX_VALUES:
            self._fail(line, path, f"more than {MAX_VALUES} values, including repetitions by aliases; write fewer")
        if depth > MAX_DEPTH:
            self._fail(line, path, "nested too deeply for a spec")
        if id(node) in self._open:
            self._fail(line, path, "the alias contains itself; write the value out instead")
        self._document.value_lines.setdefault(path, line)
        if isinstance(node, Scalar):
            return self._scalar(node, path, line)
        self._open.add(id(node))
        try:
            if isinstance(node, Mapping):
                return self._mapping(node, path, depth)
            return [self.plain(item, (*path, i), depth + 1) for i, item in enumerate(node.items)]
        finally:
            self._open.remove(id(node))

    def _mapping(self, node: Mapping, path: Path, depth: int) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        for key_node, value_node in node.items:
            line = key_node.line
            if not isinstance(key_node, Scalar):
                self._fail(line, path, "a key must be a plain word")
            key = key_node.text
            if key in result:
                first = self._document.key_lines[(*path, key)]
                self._fail(line, (*path, key), f"the key occurs twice (first in line {first}); remove one")
            self._document.key_lines[(*path, key)] = line
            result[key] = self.plain(value_node, (*path, key), depth + 1)
        return result

    def _scalar(self, node: Scalar, path: Path, line: int) -> Plain:
        text = node.text
        kind = node.tag.removeprefix(TAG)
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() == "true"
        if kind == "int":
            if _INTEGER.fullmatch(text) is None:
                self._fail(line, path, f"{text[:40]!r} is not a plain decimal integer")
            return int(text)
        if kind == "float":
            try:
                return float(text.replace("_", ""))
            except ValueError:
                return text  # .inf, .nan, 1:30.5: strings here, which no key accepts
        if kind not in {"str", "timestamp", "value", "merge"}:
            self._fail(line, path, f"the tag {_printable(node.tag)[:60]!r} has no meaning here; remove it")
        return text

    def _fail(self, line: int, path: Path, text: str) -> NoReturn:
        raise SpecError(self._document.file, line, show_path(path), text)


def show_path(path: Path) -> str:
    """Return a path such as `("nodes", 2, "name")` as `nodes[2].name`, shortened if it is long."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + _printable(part)
    return text if len(text) <= 120 else text[:117] + "..."
