# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reads a parameter file, JSON as in the thesis or YAML, as a set of alternatives for each parameter."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path as FilePath
from typing import Any, NoReturn

from takt_cli.errors import SpecError
from takt_cli.spec.document import Document, Path, parse, read_file
from takt_cli.spec.hints import did_you_mean
from takt_cli.spec.schema import validate_part
from takt_cli.synthetic.parameters import ParameterError, Parameters, with_one
from takt_cli.synthetic.values import FORCE, NAMES, READ, alternatives, definition, spelled

_DEFAULTS = {field.name: field.default for field in fields(Parameters)}
_REQUIRED = {"nodes": "10", "utilisation": "0.7", "periods": "[10, 20]"}


@dataclass(frozen=True)
class ParameterFile:
    """The parameters in a file. `alternatives` holds all of them, with defaults for those that are not in the file;
    `paths` are the places of the alternatives that are; `forced` are those of which all combinations are drawn."""

    document: Document
    name: str
    alternatives: dict[str, tuple[Any, ...]]
    paths: dict[str, tuple[Path, ...]]
    forced: tuple[str, ...]

    def fail(self, name: str, text: str, index: int = 0) -> NoReturn:
        """Raise a SpecError at a parameter, or at one of its alternatives."""
        if name not in self.paths:
            self.document.fail(("parameters",), f"{name}: {text}")
        paths = self.paths[name]
        self.document.fail(paths[index] if index < len(paths) else paths[0], text)


def read_parameters(path: FilePath) -> ParameterFile:
    """Read a parameter file. A SpecError gives the line of the fault."""
    return parse_parameters(read_file(path, "a file of parameters (JSON or YAML)"), str(path))


def parse_parameters(text: bytes, file: str) -> ParameterFile:
    if not text.strip():
        raise SpecError(file, 1, "", "the file is empty; parameters need at least nodes, utilisation and periods")
    return _Reader(parse(_checked_json(text, file) if _is_json(text, file) else text, file)).read()


def _is_json(text: bytes, file: str) -> bool:
    if FilePath(file).suffix.lower() in {".yaml", ".yml"}:
        return False
    return FilePath(file).suffix.lower() == ".json" or text.lstrip().startswith(b"{")


def _checked_json(text: bytes, file: str) -> bytes:
    """Check that the text is JSON, and return it for the YAML parser, which records lines. JSON is YAML except for
    tabs."""
    try:
        decoded = text.decode("utf-8-sig")
        json.loads(decoded, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SpecError(file, line, "", "not UTF-8 text, so not JSON; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        line, fault = _json_fault(decoded, error)
        raise SpecError(file, line, "", f"not JSON: {fault}") from None
    except (RecursionError, ValueError) as error:
        raise SpecError(file, None, "", f"not JSON: {str(error).splitlines()[0][:100]}") from None
    return decoded.replace("\t", " ").encode()


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number; give a number")


def _json_fault(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """Return the line and a description of a syntax error. If something is missing, that is the line of the entry
    before it."""
    text_before = text[: error.pos].rstrip()
    line = text_before.count("\n") + 1
    last_text = text_before.rsplit("\n", 1)[-1].strip()
    last_text = last_text if len(last_text) <= 40 else "..." + last_text[-37:]
    if error.msg.startswith("Expecting ',' delimiter"):
        return line, f"a comma is missing after {last_text!r}; add it" if error.pos < len(text) else _unclosed(
            last_text
        )
    if error.msg.startswith("Expecting ':' delimiter"):
        return line, f"a colon is missing after {last_text!r}; add it"
    if text_before.endswith(",") and text[error.pos : error.pos + 1] in {"}", "]"}:
        return line, f"there is a comma after the last entry, {last_text!r}; remove it"
    if not text[error.pos :].strip():
        return line, _unclosed(last_text)
    text_here = re.split(r"\s", text[error.pos :].strip(), maxsplit=1)[0][:30]
    if error.msg.startswith("Extra data"):
        return error.lineno, f"there is more after the end, {text_here!r}; remove it"
    if error.msg.startswith("Expecting property name"):
        return error.lineno, f"a key in straight double quotes is expected, not {text_here!r}"
    if error.msg.startswith("Expecting value"):
        return error.lineno, f"a value is expected, not {text_here!r}"
    return error.lineno, f"{error.msg[0].lower()}{error.msg[1:]}, near {text_here!r}"


def _unclosed(last_text: str) -> str:
    return f"the file ends after {last_text!r}; a bracket is missing"


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document

    def read(self) -> ParameterFile:
        data = self._mapping((), self._document.data)
        for key in data:
            self._check_top(key)
        if "parameters" not in data:
            self._document.fail((), "'parameters' is missing; put nodes, utilisation, periods and the others under it")
        parameters = self._mapping(("parameters",), data["parameters"])
        alternatives_found: dict[str, tuple[Any, ...]] = {}
        paths: dict[str, tuple[Path, ...]] = {}
        forced: tuple[str, ...] = ()
        first: dict[str, str] = {}
        for key, value in parameters.items():
            name, path = spelled(key), ("parameters", key)
            if name in first:
                self._document.fail(path, f"is the same parameter as {first[name]!r}; remove one")
            first[name] = key
            if name == FORCE:
                forced = self._forced(path, value)
            elif name in NAMES:
                alternatives_found[name], paths[name] = self._alternatives(name, path, value)
            else:
                self._document.fail(path, self._unknown(name, (*NAMES, FORCE)))
        for name, example in _REQUIRED.items():
            if name not in alternatives_found:
                self._document.fail(("parameters",), f"{name!r} is missing; add it, such as {name}: {example}")
        for i, name in enumerate(forced):
            if name not in alternatives_found:
                self._document.fail(
                    ("parameters", first[FORCE], i), f"{name!r} is not among the parameters; add it, or remove it here"
                )
        all_alternatives = {name: alternatives_found.get(name, (_DEFAULTS[name],)) for name in NAMES}
        return ParameterFile(
            self._document, self._name(data), all_alternatives, paths, tuple(n for n in NAMES if n in forced)
        )

    def _check_top(self, key: str) -> None:
        known_keys = ("name", "parameters", "schema_version")
        if spelled(key) in (*NAMES, FORCE):
            self._document.fail((key,), "is a parameter; put it under 'parameters'")
        if key not in known_keys:
            self._document.fail((key,), self._unknown(key, known_keys))

    def _name(self, data: dict[str, Any]) -> str:
        if "schema_version" in data and data["schema_version"] != 1:
            self._document.fail(("schema_version",), "this takt reads version 1")
        name = data.get("name", re.sub(r"[^A-Za-z0-9_]+", "_", FilePath(self._document.file).stem)[:40])
        if not isinstance(name, str) or re.fullmatch(r"[A-Za-z0-9_]{1,40}", name, re.ASCII) is None:
            self._document.fail(("name",), f"{name!r} is not a name; use up to 40 letters, digits and underscores")
        return name

    def _alternatives(self, name: str, path: Path, value: Any) -> tuple[tuple[Any, ...], tuple[Path, ...]]:
        try:
            raw_values = alternatives(name, value)
        except ValueError as reason:
            self._document.fail(path, str(reason))
        if raw_values is None:
            return (self._value(name, path, value),), (path,)
        paths = tuple((*path, i) for i in range(len(raw_values)))
        values = tuple(self._value(name, path, each) for path, each in zip(paths, raw_values, strict=True))
        for i, each in enumerate(values):
            if each in values[:i]:
                self._document.fail(paths[i], "this alternative is listed twice; remove one")
        return values, paths

    def _value(self, name: str, path: Path, value: Any) -> Any:
        part = definition(name, value)
        if part is not None and not _restricted(name, value):
            validate_part(self._document, path, value, "parameters", part)
        try:
            parsed = READ[name](value)
            with_one(name, parsed).check_values()
        except ValueError as reason:
            self._document.fail(path, str(reason))
        except ParameterError as reason:
            self._document.fail(path, reason.text)
        return parsed

    def _forced(self, path: Path, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            self._document.fail(path, "is not a list; give the names of parameters, such as [nodes, utilisation]")
        names = []
        for i, each in enumerate(value):
            name = spelled(each) if isinstance(each, str) else ""
            if name not in NAMES:
                self._document.fail((*path, i), self._unknown(str(each), NAMES))
            names.append(name)
        return tuple(names)

    def _unknown(self, key: str, known_keys: tuple[str, ...]) -> str:
        return "unknown parameter; " + did_you_mean(key, known_keys, f"known here: {', '.join(known_keys)}")

    def _mapping(self, path: Path, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._document.fail(path, "is not keys and values; give parameters, such as nodes: 10")
        return value


def _restricted(name: str, value: Any) -> bool:
    """Return whether the value violates a restriction of section 5.2 that has a message of its own."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return (name == "nodes" and isinstance(value, int) and value < 1) or (name == "utilisation" and value > 1)
