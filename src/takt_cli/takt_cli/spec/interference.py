# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cases of interference: the activities that are measured for their effect on the most urgent task."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from takt_cli.errors import SpecError, UsageError
from takt_cli.spec.document import Document, parse, show_path
from takt_cli.spec.executors import TAKT_RCLCPP
from takt_cli.spec.schema import validate_part
from takt_cli.spec.units import parse_duration, parse_size

FRONT_ENDS = ("takt", TAKT_RCLCPP)
# The mutexes in the process of the most urgent task: without priority inheritance, or with it.
MUTEXES = ("plain", "inherit")
# The executor's default limit of a middleware section, in ns.
MAX_SECTION = 200_000
_BUILT_IN_FILE = "interference.yaml"
_LONGEST, _LARGEST = 10 * 10**9, 64 * 2**20


@dataclass(frozen=True)
class Case:
    """A case; times in ns. The schema describes each field. If `rmws` is empty, the environment's RMW is used."""

    name: str
    does: str
    description: str = ""
    every: int = 100 * 10**6
    size: int = 8
    burst: int = 1
    stopped: bool = False
    busy: int = 0
    callbacks: int = 1
    tasks: int = 0
    nodes: int = 1
    sends: str = "nothing"
    reads: str = "nothing"
    middle: int = 0
    warm_up: int = 0
    cpu: str = "same"
    front_ends: tuple[str, ...] = FRONT_ENDS
    rmws: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """The command-line arguments of the program for this case."""
        return [
            *("--does", self.does, "--every-ns", str(self.every), "--bytes", str(self.size)),
            *("--burst", str(self.burst), "--busy-ns", str(self.busy), "--callbacks", str(self.callbacks)),
            *("--tasks", str(self.tasks), "--sim-nodes", str(self.nodes if self.does == "clock" else 0)),
            *("--sends", self.sends, "--reads", self.reads, "--middle-ns", str(self.middle)),
            *(["--stopped"] if self.stopped else []),
        ]


def read_cases(path: Path | None) -> tuple[Case, ...]:
    """Read the cases in a file, or the built-in ones for None. A SpecError gives the line of the fault."""
    if path is None:
        return parse_cases(files("takt_cli").joinpath(f"applications/{_BUILT_IN_FILE}").read_bytes(), _BUILT_IN_FILE)
    try:
        return parse_cases(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise SpecError(path, None, "", "there is no such file; name a YAML file of cases") from None
    except OSError as error:
        raise SpecError(path, None, "", f"cannot be read: {error.strerror}") from None


def parse_cases(text: bytes, file: str) -> tuple[Case, ...]:
    document = parse(text, file)
    validate_part(document, (), document.data, "interference")
    data: Any = document.data
    cases = tuple(_case(document, number, raw) for number, raw in enumerate(data["cases"]))
    names: set[str] = set()
    for number, case in enumerate(cases):
        if case.name in names:
            _fail(document, number, "name", f"there are two cases called {case.name!r}; rename one")
        names.add(case.name)
    return cases


def choose_cases(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...]:
    """Return the named cases in the order of the file, or all without names. Raises a UsageError for unknown names."""
    known_names = [case.name for case in cases]
    for name in names:
        if name not in known_names:
            close_matches = difflib.get_close_matches(name, known_names, n=1)
            raise UsageError(
                f"case {name}: "
                + (f"did you mean {close_matches[0]!r}?" if close_matches else f"give {', '.join(known_names)}")
            )
    return tuple(case for case in cases if not names or case.name in names)


def _case(document: Document, number: int, raw: dict[str, Any]) -> Case:
    def length(key: str, default: int) -> int:
        value = parse_duration(raw[key]) if key in raw else default
        if value > _LONGEST:
            _fail(document, number, key, f"{raw[key]!r} is too long for one turn; give at most 10s")
        return value

    size = parse_size(raw.get("size", "8B"))
    if not 1 <= size <= _LARGEST:
        _fail(document, number, "size", f"{raw['size']!r} is outside 1B to 64MiB; give a size within")
    shares_reader = raw.get("reads") == "same-reader"
    case = Case(
        name=raw["name"],
        does=raw["does"],
        description=raw.get("description", ""),
        every=length("every", Case.every),
        size=size,
        burst=raw.get("burst", Case.burst),
        stopped=raw.get("reader") == "stopped",
        busy=length("busy", Case.busy),
        callbacks=raw.get("callbacks", Case.callbacks),
        tasks=raw.get("tasks", Case.tasks),
        nodes=raw.get("nodes", Case.nodes),
        sends=raw.get("sends", Case.sends),
        reads=raw.get("reads", Case.reads),
        middle=length("middle", Case.middle),
        warm_up=raw.get("warm_up", Case.warm_up),
        cpu=raw.get("cpu", Case.cpu),
        front_ends=tuple(dict.fromkeys(raw.get("front_ends", ("takt",) if shares_reader else FRONT_ENDS))),
        rmws=tuple(dict.fromkeys(raw.get("rmws", ()))),
    )
    if case.every == 0:
        _fail(document, number, "every", "'0' is not a period; give one above 0, such as 100ms")
    if case.sends in ("same-topic", "same-publisher") and case.does != "publish":
        _fail(document, number, "sends", f"the least urgent task does not publish (does: {case.does})")
    if case.sends in ("same-service", "same-client") and case.does != "call":
        _fail(document, number, "sends", f"the least urgent task does not call a service (does: {case.does})")
    if case.reads == "same-reader" and case.does != "take":
        _fail(document, number, "reads", f"the least urgent task does not take messages (does: {case.does})")
    if shares_reader and TAKT_RCLCPP in case.front_ends:
        _fail(document, number, "front_ends", "tasks of rclcpp nodes cannot share a reader in this way; give [takt]")
    if case.reads != "nothing" and case.sends != "nothing":
        _fail(document, number, "reads", "the most urgent task either reads or sends; leave out one of them")
    if shares_reader and case.cpu == "other":
        _fail(document, number, "cpu", "tasks that share a reader are on one CPU; leave this out")
    if case.stopped and case.does != "publish":
        _fail(document, number, "reader", f"there is no reader (does: {case.does}); leave this out")
    if case.middle >= case.every:
        _fail(document, number, "middle", "must be shorter than 'every'; give less")
    return case


def _fail(document: Document, number: int, key: str, text: str) -> NoReturn:
    path = ("cases", number, key)
    raise SpecError(document.file, document.line(path), show_path(path), text)
