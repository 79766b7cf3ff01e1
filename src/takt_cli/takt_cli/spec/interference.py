# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cases of interference: the activities that are measured for their effect on the most urgent task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from takt_cli.errors import UsageError
from takt_cli.spec.document import Document, parse, read_file
from takt_cli.spec.executors import TAKT_RCLCPP
from takt_cli.spec.hints import did_you_mean
from takt_cli.spec.schema import validate_part
from takt_cli.spec.units import parse_duration, parse_size

FRONT_ENDS = ("takt", TAKT_RCLCPP)
# The mutexes in the process of the most urgent task: without priority inheritance, or with it.
MUTEXES = ("plain", "inherit")
# The executor's default limit of a middleware section, in ns.
MAX_SECTION = 200_000
_BUILT_IN_FILE = "interference.yaml"
_SAME_TOPIC, _SAME_SERVICE = ("same-topic", "same-publisher"), ("same-service", "same-client")
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
    programs: int = 0
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
    return parse_cases(read_file(path, "a YAML file of cases"), str(path))


def parse_cases(text: bytes, file: str) -> tuple[Case, ...]:
    document = parse(text, file)
    validate_part(document, (), document.data, "interference")
    data: Any = document.data
    cases = tuple(_case(document, number, raw) for number, raw in enumerate(data["cases"]))
    names: set[str] = set()
    for number, case in enumerate(cases):
        if case.name in names:
            document.fail(("cases", number, "name"), f"there are two cases called {case.name!r}; rename one")
        names.add(case.name)
    return cases


def choose_cases(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...]:
    """Return the named cases in the order of the file, or all without names. Raises a UsageError for unknown names."""
    known_names = [case.name for case in cases]
    for name in names:
        if name not in known_names:
            hint = did_you_mean(name, known_names, f"give {', '.join(known_names)}")
            raise UsageError(f"case {name}: {hint}")
    return tuple(case for case in cases if not names or case.name in names)


def _case(document: Document, number: int, raw: Mapping[str, Any]) -> Case:
    values = dict(raw)
    for key in {"every", "busy", "middle"} & raw.keys():
        values[key] = parse_duration(raw[key])
        if values[key] > _LONGEST:
            document.fail(("cases", number, key), f"{raw[key]!r} is too long for one turn; give at most 10s")
    if "size" in raw:
        values["size"] = parse_size(raw["size"])
        if not 1 <= values["size"] <= _LARGEST:
            document.fail(("cases", number, "size"), f"{raw['size']!r} is outside 1B to 64MiB; give a size within")
    shares_reader = raw.get("reads") == "same-reader"
    values["front_ends"] = tuple(dict.fromkeys(raw.get("front_ends", ("takt",) if shares_reader else FRONT_ENDS)))
    values["rmws"] = tuple(dict.fromkeys(raw.get("rmws", ())))
    case = Case(stopped=values.pop("reader", None) == "stopped", **values)
    for is_wrong, key, text in _faults(case):
        if is_wrong:
            document.fail(("cases", number, key), text)
    return case


def _faults(case: Case) -> list[tuple[bool, str, str]]:
    """Return what a case must not be, with the key that is to blame and what is wrong."""
    least_urgent, does = "the least urgent task does not", f"(does: {case.does})"
    shares_reader = case.reads == "same-reader"
    sends_on, calls = (case.sends in ways for ways in (_SAME_TOPIC, _SAME_SERVICE))
    reads_and_sends = case.reads != "nothing" and case.sends != "nothing"
    for_takt = "tasks of rclcpp nodes cannot share a reader in this way; give [takt]"
    return [
        (case.every == 0, "every", "'0' is not a period; give one above 0, such as 100ms"),
        (sends_on and case.does != "publish", "sends", f"{least_urgent} publish {does}"),
        (case.sends == "same-heap" and case.does != "allocate", "sends", f"{least_urgent} allocate {does}"),
        (calls and case.does != "call", "sends", f"{least_urgent} call a service {does}"),
        (shares_reader and case.does != "take", "reads", f"{least_urgent} take messages {does}"),
        (shares_reader and TAKT_RCLCPP in case.front_ends, "front_ends", for_takt),
        (reads_and_sends, "reads", "the most urgent task either reads or sends; leave out one of them"),
        (shares_reader and case.cpu == "other", "cpu", "tasks that share a reader are on one CPU; leave this out"),
        (case.stopped and case.does != "publish", "reader", f"there is no reader {does}; leave this out"),
        (case.middle >= case.every, "middle", "must be shorter than 'every'; give less"),
    ]
