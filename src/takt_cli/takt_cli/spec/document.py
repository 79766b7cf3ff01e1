# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reads YAML as plain data, with the line of every key and value so that errors can name their place.

The file is *composed* to nodes that are traversed here, instead of being constructed: so aliases that form a cycle, or
that multiply (a few lines that expand to millions of values), are detected before they are followed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from takt_cli.errors import SpecError

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = "tuple[str | int, ...]"

MAX_BYTES = 4 * 1024 * 1024
MAX_VALUES = 200_000
MAX_DEPTH = 64

_TAG = "tag:yaml.org,2002:"
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
        node: Node | None = YAML(typ="safe", pure=True).compose(decoded)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "cannot be parsed"
        raise SpecError(file, mark.line + 1 if mark else None, "", f"not YAML: {_printable(problem)}") from None
    except YAMLError as error:
        position = getattr(error, "position", None)
        reader_line = decoded.count("\n", 0, position) + 1 if isinstance(position, int) else None
        reason = getattr(error, "reason", None) or str(error)
        raise SpecError(file, reader_line, "", f"not YAML: {_printable(reason)}") from None
    except RecursionError:
        raise SpecError(file, None, "", "nested too deeply for a spec") from None
    except Exception as error:
        raise SpecError(file, None, "", f"not YAML: the parser gave up ({type(error).__name__})") from None
    return node


def _printable(text: object) -> str:
    return "".join(c if c.isprintable() else " " for c in str(text))[:200]


class _Walk:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._open: set[int] = set()
        self._values = 0

    def plain(self, node: Node, path: Path, depth: int) -> Plain:
        line = node.start_mark.line + 1
        self._values += 1
        if self._values > MAX_VALUES:
            self._fail(line, path, f"more than {MAX_VALUES} values, including repetitions by aliases; write fewer")
        if depth > MAX_DEPTH:
            self._fail(line, path, "nested too deeply for a spec")
        if id(node) in self._open:
            self._fail(line, path, "the alias contains itself; write the value out instead")
        self._document.value_lines.setdefault(path, line)
        if isinstance(node, ScalarNode):
            return self._scalar(node, path, line)
        self._open.add(id(node))
        try:
            if isinstance(node, MappingNode):
                return self._mapping(node, path, depth)
            assert isinstance(node, SequenceNode)
            return [self.plain(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]
        finally:
            self._open.remove(id(node))

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._fail(line, path, "a key must be a plain word")
            key = str(key_node.value)
            if key in result:
                first = self._document.key_lines[(*path, key)]
                self._fail(line, (*path, key), f"the key occurs twice (first in line {first}); remove one")
            self._document.key_lines[(*path, key)] = line
            result[key] = self.plain(value_node, (*path, key), depth + 1)
        return result

    def _scalar(self, node: ScalarNode, path: Path, line: int) -> Plain:
        text = str(node.value)
        kind = str(node.tag).removeprefix(_TAG)
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() in {"true", "yes", "on"}
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
