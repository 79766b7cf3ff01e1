# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reader of traces that the executor wrote (takt_core/trace/recorder.hpp): events and the definitions of their
numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from takt_cli.errors import ResultError
from takt_cli.results.sample_files import Rows, row_type

TRACE_FILE = "takt.trace"
"""The name of the file in the folder of a run."""

VERSION = 1
EVENTS = row_type("at index:u8 value task:u4 kind:u1 level:u1 flags:u1 ring:u1")
_HEADER = np.dtype([("magic", "S8"), ("version", "<u4"), ("record", "<u4"), ("rest", "V16")])
_TEXT_BYTES = 24
_NAME_BYTES = 16
_MOST_SKIPS = 100_000_000
NO_TASK = 0xFFFFFFFF
_TASK_NUMBERS = 0x00FFFFFF
"""The bits of a task's number that count the tasks of a processor."""


class Kind(IntEnum):
    """The kinds of events. The meaning of their fields is documented at trace::Kind."""

    text = 0
    release = 1
    skip = 2
    choice = 3
    start = 4
    finish = 5
    miss = 6
    raise_ = 7
    refresh = 8
    lower = 9
    exhaustion = 10
    deferral = 11
    scenario = 12
    section = 13
    delivery = 14
    publication = 15
    spin = 16
    skips = 17
    wait = 18
    name_ = 19
    expiry = 20


_OF_TASKS = [kind for kind in Kind if kind not in (Kind.text, Kind.name_, Kind.scenario, Kind.spin)]
"""The kinds whose `task` is the number of a task; that of the others names a processor, or counts."""

LATE, STALE, PENDING, TRANSITION, LOWERED, OUTSIDE = 1, 2, 4, 8, 16, 32

# The order of kinds at one instant: that in which the executor performs them.
_AT_ONCE = [
    Kind.text, Kind.spin, Kind.section, Kind.finish, Kind.lower, Kind.release, Kind.skip, Kind.miss,
    Kind.exhaustion, Kind.scenario, Kind.deferral, Kind.choice, Kind.refresh, Kind.raise_, Kind.start,
    Kind.delivery, Kind.publication, Kind.wait, Kind.expiry,
]  # fmt: skip


class Task(msgspec.Struct, frozen=True, kw_only=True, rename={"number": "task"}):
    """A task when it was added; times in ns, None if it has no such value. `first_task` is the number of the first task
    on its processor, which identifies the processor."""

    number: int
    name: str
    kind: str
    period: int
    deadline: int | None = None
    priority: int
    group: int | None = None
    first_task: int = 0


class Processor(msgspec.Struct, frozen=True):
    """A processor when it spun last. `max_section`: the longest time that a middleware section may defer other starts,
    in ns; None in traces of earlier versions."""

    first_task: int
    cpu: int
    policy: str
    preempts: bool
    max_section: int | None = None


@dataclass(frozen=True)
class Trace:
    """Events in order of time, and the definitions of their numbers."""

    path: Path
    events: Rows
    tasks: dict[int, Task]
    processors: dict[int, Processor]
    """The processors, by the number of their first task."""
    topics: dict[int, str]
    scenarios: dict[int, str]
    rings: dict[int, dict[str, Any]]
    groups: dict[tuple[int, int], bool]
    """True for each exclusive group, by the processor's first task and the number of the group."""
    to_wall_clock: int
    """The offset to add to an instant for wall-clock time, in ns, by the clocks at the beginning of the trace."""
    closed: bool
    dropped: int
    """The number of events that were dropped; only valid if the trace was closed."""
    drops: dict[str, int] = field(default_factory=dict)
    """The number of dropped events of each thread or processor whose buffer was full."""
    entities: dict[int, str] = field(default_factory=dict)
    """The names of the entities that jobs waited for, by the `index` of the wait; `read_trace` assigns these
    numbers."""

    @property
    def holes(self) -> list[str]:
        """The reasons why the trace is incomplete, in words; empty if it is complete."""
        reasons = []
        if not self.closed:
            reasons.append("the program ended before its trace was closed")
        if self.dropped:
            drops_by_ring = ", ".join(f"{name}: {count}" for name, count in self.drops.items())
            reasons.append(
                f"{self.dropped} events of the trace were dropped" + (f" ({drops_by_ring})" if drops_by_ring else "")
            )
        return reasons

    def task_name(self, number: int) -> str:
        """Return the name of a task, or its number in words if it has no definition."""
        task = self.tasks.get(number)
        return task.name if task is not None else f"task {number}"

    def processor_of(self, task: int) -> int:
        """Return the first task of the processor that a task or marker belongs to."""
        return _first_task(task, self.processors)


def read_trace(path: Path) -> Trace:
    """Read the trace in a file. Raises ResultError if there is none, or if it is damaged or of another version."""
    records = _records(path)
    texts = records["kind"] == Kind.text
    lines = _definition_lines(path, records[texts])
    events = records[~texts]
    if len(events) and events["kind"].max() > max(Kind):
        raise ResultError(
            f"{path}: has an event of kind {events['kind'].max()}, which this takt does not know; "
            "use the takt that wrote it"
        )
    events, entities = _name_entities_of_waits(path, _expand_skips(path, events))
    ranks = np.zeros(max(Kind) + 1, np.int8)
    ranks[[int(kind) for kind in _AT_ONCE]] = np.arange(len(_AT_ONCE))
    order = np.lexsort((ranks[events["kind"]], events["at"]))
    return replace(_named_definitions(path, events[order], lines), entities=entities)


def _records(path: Path) -> Rows:
    try:
        size = path.stat().st_size
        if size == 0:
            raise ResultError(f"{path}: is empty")
        if size < _HEADER.itemsize:
            raise ResultError(f"{path}: is too short for a trace")
        header = np.fromfile(path, _HEADER, count=1)[0]
        if header["magic"] != b"takttrac":
            raise ResultError(f"{path}: is not a trace of takt")
        if header["version"] != VERSION or header["record"] != EVENTS.itemsize:
            raise ResultError(
                f"{path}: is a trace of version {header['version']}, but this takt reads version {VERSION}; "
                "record it again, or use the takt that wrote it"
            )
        # An incomplete last record, which was being written when the program was killed, is ignored.
        count = size // EVENTS.itemsize - 1
        if count == 0:
            return np.empty(0, EVENTS)
        records: Rows = np.memmap(path, EVENTS, "r", offset=_HEADER.itemsize, shape=(count,))
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file; `takt run ... --trace` writes it") from None
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror or error}") from None
    return records


def _expand_skips(path: Path, events: Rows) -> Rows:
    """Return the events with one for each skipped release. The file has only the first and the last of several skips in
    a row."""
    skip_places = np.flatnonzero(np.isin(events["kind"], (Kind.skip, Kind.skips)))
    skip_places = skip_places[np.argsort(events["ring"][skip_places], kind="stable")]
    places = np.flatnonzero(events["kind"][skip_places] == Kind.skips)
    other_events: Rows = events[events["kind"] != Kind.skips]
    # If events were dropped, the first skip may be missing.
    first: Rows = events[skip_places[np.maximum(places - 1, 0)]]
    last: Rows = events[skip_places[places]]
    is_complete = (first["kind"] == Kind.skip) & (first["task"] == last["task"]) & (first["ring"] == last["ring"])
    first, last = first[is_complete], last[is_complete]
    count = (last["index"] - first["index"]).astype(np.int64)
    if len(count) == 0:
        return other_events
    if count.min() < 1 or count.sum() > _MOST_SKIPS:
        raise ResultError(f"{path}: is damaged: {count.max()} releases skipped in a row")
    period = (last["value"] - first["value"]) // count
    step = np.concatenate([np.arange(1, n + 1) for n in count])
    skips = np.repeat(first, count)
    skips["index"] += step.astype(np.uint64)
    skips["value"] += step * np.repeat(period, count)
    all_events: Rows = np.concatenate((other_events, skips))
    return all_events


def _name_entities_of_waits(path: Path, events: Rows) -> tuple[Rows, dict[int, str]]:
    """Return the events with the number of the entity as the `index` of each wait, and the names of these entities,
    which follow the waits in the file."""
    wait_places = np.flatnonzero(np.isin(events["kind"], (Kind.wait, Kind.name_)))
    wait_places = wait_places[np.argsort(events["ring"][wait_places], kind="stable")]
    names: list[tuple[int, bytes]] = []
    current_wait = (-1, -1)
    for place in wait_places.tolist():
        event = events[place]
        ring_and_instant = (int(event["ring"]), int(event["at"]))
        if event["kind"] == Kind.wait:
            names.append((place, b""))
            current_wait = ring_and_instant
        elif event["task"] > _NAME_BYTES:
            raise ResultError(f"{path}: is damaged: {event['task']} bytes of a name in a record of {_NAME_BYTES}")
        elif ring_and_instant == current_wait:  # otherwise the wait that it belongs to was dropped
            name_bytes = event["index"].tobytes() + event["value"].tobytes()
            names[-1] = (names[-1][0], names[-1][1] + name_bytes[: int(event["task"])])
    if len(wait_places) == 0:
        return events, {}
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for _, name in names))}
    events = np.array(events)
    for place, name in names:
        events["index"][place] = numbers[name]
    other_events: Rows = events[events["kind"] != Kind.name_]
    return other_events, {number: name.decode("utf-8", "replace") for name, number in numbers.items()}


def _definition_lines(path: Path, texts: Rows) -> list[dict[str, Any]]:
    if len(texts) and texts["task"].max() > _TEXT_BYTES:
        raise ResultError(f"{path}: is damaged: a text of {texts['task'].max()} bytes in a record of {_TEXT_BYTES}")
    text_bytes = texts.tobytes()
    size = EVENTS.itemsize
    full_text = b"".join(text_bytes[i * size : i * size + int(count)] for i, count in enumerate(texts["task"]))
    complete = full_text.split(b"\n")[:-1]
    lines = []
    for number, line in enumerate(complete, 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise ResultError(f"{path}: is damaged: definition {number} is not JSON") from None
        if not isinstance(value, dict) or not isinstance(value.get("define"), str):
            raise ResultError(f"{path}: is damaged: definition {number} defines nothing")
        lines.append(value)
    return lines


def _named_definitions(path: Path, events: Rows, lines: list[dict[str, Any]]) -> Trace:
    def of(what: str) -> list[dict[str, Any]]:
        return [line for line in lines if line["define"] == what]

    try:
        # A processor that spun again is the same one.
        processors = {each.first_task: each for each in msgspec.convert(of("processor"), list[Processor])}
        events, defined = _with_one_task_per_number(events, of("task"))
        tasks = {
            number: msgspec.structs.replace(
                msgspec.convert(line, Task), number=number, first_task=_first_task(number, processors)
            )
            for number, line in defined.items()
        }
        rings = {int(r["ring"]): r for r in of("ring")}
        topics = {int(t["topic"]): str(t["name"]) for t in of("topic")}
        scenarios = {int(s["scenario"]): str(s["name"]) for s in of("scenario")}
        groups = {(int(g["first_task"]), int(g["group"])): bool(g["exclusive"]) for g in of("group")}
        clock = of("clock")
        to_wall_clock = int(clock[0]["wall"]) - int(clock[0]["monotonic"]) if clock else 0
        end = of("end")
        dropped = int(end[-1]["dropped"]) + int(end[-1]["rings_refused"]) if end else 0
        drops = {
            _ring_name(rings.get(int(key[8:]), {}), processors): int(count)
            for key, count in (end[-1] if end else {}).items()
            if key.startswith("dropped_")
        }
    except (KeyError, TypeError, ValueError, OverflowError, msgspec.ValidationError) as error:
        raise ResultError(f"{path}: is damaged: a definition is incomplete or wrong: {error}") from None
    return Trace(
        path, events, tasks, processors, topics, scenarios, rings, groups, to_wall_clock, bool(end), dropped, drops
    )


def _with_one_task_per_number(events: Rows, lines: list[dict[str, Any]]) -> tuple[Rows, dict[int, dict[str, Any]]]:
    """Return the events and the definitions of tasks by number. The executor gives the number of a removed task to a
    later one: here each other name gets a number of its own, at the end of the numbers of its processor. Of several
    definitions of one name the last counts."""
    by_number: dict[int, list[dict[str, Any]]] = {}
    for line in sorted(lines, key=lambda line: int(line.get("from", 0))):
        by_number.setdefault(int(line["task"]), []).append(line)
    defined: dict[int, dict[str, Any]] = {}
    next_number: dict[int, int] = {}
    renumbered = events
    for number, its_lines in by_number.items():
        numbers_by_name = {str(its_lines[0]["name"]): number}
        for line in its_lines:
            if (name := str(line["name"])) not in numbers_by_name:
                highest_number = number | _TASK_NUMBERS
                numbers_by_name[name] = next_number.get(highest_number, highest_number)
                next_number[highest_number] = numbers_by_name[name] - 1
            defined[numbers_by_name[name]] = line
        if len(numbers_by_name) > 1:
            renumbered = events.copy() if renumbered is events else renumbered
            places = np.flatnonzero((events["task"] == number) & np.isin(events["kind"], _OF_TASKS))
            begins = [int(line.get("from", 0)) for line in its_lines]
            line_of_event = np.searchsorted(begins, events["at"][places], side="right") - 1
            renumbered["task"][places] = np.array([numbers_by_name[str(line["name"])] for line in its_lines])[
                np.maximum(line_of_event, 0)
            ]
    return renumbered, dict(sorted(defined.items()))


def _first_task(task: int, processors: dict[int, Processor]) -> int:
    return max((first for first in processors if first <= task), default=0)


def _ring_name(ring: dict[str, Any], processors: dict[int, Processor]) -> str:
    processor = processors.get(int(ring.get("first_task", -1)))
    processor_name = f"CPU {processor.cpu}" if processor is not None else "a processor"
    return f"{ring['thread']} of {processor_name}" if "thread" in ring else processor_name
