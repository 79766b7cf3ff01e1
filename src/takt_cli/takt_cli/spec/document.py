# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A YAML document as plain data, with the lines of all keys and values.

It is made from the *events* of PyYAML's parser. PyYAML's own composer recurses without a limit, which a deeply nested
file turns into a crash of the process, and it follows aliases that multiply (a few lines that expand to millions of
values).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import NoReturn, TypeAlias

import yaml
from yaml import events

from takt_cli.errors import SpecError

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = "tuple[str | int, ...]"

MAX_BYTES = 4 * 1024 * 1024
MAX_VALUES = 200_000
MAX_DEPTH = 64

_TAG = "tag:yaml.org,2002:"
# The plain values of YAML 1.2's core schema, in the order in which they are tried.
_PLAIN = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?[0-9][0-9_]*|[-+]?0o[0-7_]+|[-+]?0x[0-9a-fA-F_]+"),
    "float": re.compile(
        r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    ),
}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})", re.ASCII)


@dataclass(frozen=True)
class Document:
    """A document's plain data, and the line of each value, counted from 1: that of its key if it has one."""

    file: str
    data: Plain
    lines: dict[Path, int]

    def line(self, path: Path) -> int | None:
        """Return the line of the value at `path`, or of the closest enclosing value."""
        enclosing = (path[:end] for end in range(len(path), -1, -1))
        return next((self.lines[each] for each in enclosing if each in self.lines), None)

    def fail(self, path: Path, text: str) -> NoReturn:
        """Raise a SpecError at the value at `path`."""
        raise SpecError(self.file, self.line(path), show_path(path), text)


def read_file(path: FilePath, noun: str) -> bytes:
    """Return the content of a file that the user names; `noun` is what it should be. Raises a SpecError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SpecError(path, None, "", f"there is no such file; name {noun}") from None
    except OSError as error:
        raise SpecError(path, None, "", f"cannot be read: {error.strerror}") from None


def parse(text: bytes, file: str) -> Document:
    """Parse YAML. Raises a SpecError if it is not a single document of plain values."""
    if len(text) > MAX_BYTES:
        raise SpecError(file, None, "", f"{len(text)} bytes are too many for a spec; at most {MAX_BYTES} are read")
    try:
        decoded = text.decode("utf-8-sig").encode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SpecError(file, line, "", "not UTF-8 text, so not YAML; save the spec as UTF-8") from None
    try:
        return _Reader(file, yaml.parse(decoded, Loader=yaml.CSafeLoader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise SpecError(file, mark.line + 1 if mark else None, "", _what(error.problem or error.context)) from None
    except yaml.YAMLError as error:
        position = getattr(error, "position", None)
        error_line = decoded.count(b"\n", 0, position) + 1 if isinstance(position, int) else None
        raise SpecError(file, error_line, "", _what(getattr(error, "reason", None) or str(error))) from None


def _what(problem: str | None) -> str:
    return _printable(f"not YAML: {problem or 'cannot be parsed'}")


def _printable(text: object) -> str:
    return "".join(c if c.isprintable() else " " for c in str(text))[:200]


@dataclass
class _Anchored:
    """A value that aliases may repeat: its path, and where its lines begin and end among those of all values. It is not
    `complete` as long as it is being read."""

    path: Path
    begin: int
    end: int = 0
    value: Plain = None
    complete: bool = False


class _Reader:
    def __init__(self, file: str, source: Iterator[events.Event]) -> None:
        self._file = file
        self._source = source
        self._lines: list[tuple[Path, int]] = []
        self._anchors: dict[str, _Anchored] = {}

    def document(self) -> Document:
        next(self._source)  # the start of the stream
        if isinstance(next(self._source), events.StreamEndEvent):
            raise SpecError(self._file, 1, "", "the file is empty; a spec needs at least 'nodes'")
        root = next(self._source)
        data = self._value(root, (), _line(root))
        next(self._source)  # the end of the document
        after = next(self._source)
        if not isinstance(after, events.StreamEndEvent):
            self._fail(_line(after), (), "not YAML of one document: another one begins")
        return Document(self._file, data, dict(self._lines))

    def _value(self, event: events.Event, path: Path, line: int) -> Plain:
        """Return the value that begins with `event`; `line` is that of its key, or its own."""
        assert isinstance(event, events.NodeEvent)
        if len(path) > MAX_DEPTH:
            self._fail(_line(event), path, "nested too deeply for a spec")
        if isinstance(event, events.AliasEvent):
            return self._repeated(event, path, line)
        anchored = _Anchored(path, len(self._lines))
        self._keep(path, line)
        if event.anchor is not None:
            self._anchors[event.anchor] = anchored
        if isinstance(event, events.ScalarEvent):
            anchored.value = self._scalar(event, path)
        elif isinstance(event, events.SequenceStartEvent):
            anchored.value = self._sequence(path)
        else:
            anchored.value = self._mapping(path)
        anchored.end, anchored.complete = len(self._lines), True
        return anchored.value

    def _keep(self, path: Path, line: int) -> None:
        if len(self._lines) == MAX_VALUES:
            self._fail(line, path, f"more than {MAX_VALUES} values, including repetitions by aliases; write fewer")
        self._lines.append((path, line))

    def _repeated(self, alias: events.AliasEvent, path: Path, line: int) -> Plain:
        anchored = self._anchors.get(alias.anchor or "")
        if anchored is None:
            self._fail(_line(alias), (), f"not YAML: nothing has the anchor '{alias.anchor}'")
        if not anchored.complete:
            self._fail(line, path, "the alias contains itself; write the value out instead")
        self._keep(path, line)
        for i in range(anchored.begin + 1, anchored.end):
            inner_path, inner_line = self._lines[i]
            inner_path = path + inner_path[len(anchored.path) :]
            if len(inner_path) > MAX_DEPTH:
                self._fail(inner_line, inner_path, "nested too deeply for a spec")
            self._keep(inner_path, inner_line)
        return anchored.value

    def _sequence(self, path: Path) -> list[Plain]:
        items: list[Plain] = []
        while not isinstance(event := next(self._source), events.CollectionEndEvent):
            items.append(self._value(event, (*path, len(items)), _line(event)))
        return items

    def _mapping(self, path: Path) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        first_lines: dict[str, int] = {}
        while not isinstance(event := next(self._source), events.CollectionEndEvent):
            line = _line(event)
            if not isinstance(event, events.ScalarEvent):
                self._fail(line, path, "a key must be a plain word")
            key = event.value
            if key in result:
                self._fail(line, (*path, key), f"the key occurs twice (first in line {first_lines[key]}); remove one")
            if event.anchor is not None:
                place = len(self._lines)
                self._anchors[event.anchor] = _Anchored(path, place, place, self._scalar(event, path), complete=True)
            first_lines[key] = line
            result[key] = self._value(next(self._source), (*path, key), line)
        return result

    def _scalar(self, event: events.ScalarEvent, path: Path) -> Plain:
        text, tag = event.value, _tag(event)
        kind = tag.removeprefix(_TAG)
        if kind == "null":
            return None
        if kind == "bool":
            return bool(text.lower() == "true")
        if kind == "int":
            if _INTEGER.fullmatch(text) is None:
                self._fail(_line(event), path, f"{text[:40]!r} is not a plain decimal integer")
            return int(text)
        if kind == "float":
            try:
                return float(text.replace("_", ""))
            except ValueError:
                return str(text)  # .inf, .nan, 1:30.5: strings here, which no key accepts
        if kind not in {"str", "timestamp", "value", "merge"}:
            self._fail(_line(event), path, f"the tag {_printable(tag)[:60]!r} has no meaning here; remove it")
        return str(text)

    def _fail(self, line: int, path: Path, text: str) -> NoReturn:
        raise SpecError(self._file, line, show_path(path), text)


def _line(event: events.Event) -> int:
    assert event.start_mark is not None
    return int(event.start_mark.line) + 1


def _tag(event: events.ScalarEvent) -> str:
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    plain = event.implicit[0]
    kinds = (kind for kind, form in _PLAIN.items() if plain and form.fullmatch(event.value))
    return _TAG + next(kinds, "str")


def show_path(path: Path) -> str:
    """Return a path such as `("nodes", 2, "name")` as `nodes[2].name`, shortened if it is long."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + _printable(part)
    return text if len(text) <= 120 else text[:117] + "..."
