# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reader of traces that the executor wrote (takt_core/trace/recorder.hpp): events and the definitions of their
numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from takt_cli.errors import ResultError
from takt_cli.results.sample_files import Rows, row_type

TRACE_FILE = "takt.trace"
"""The name of the file in the folder of a run."""

Definition = TypeVar("Definition")
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


class Task(msgspec.Struct, frozen=True, kw_only=True, rename={"number": "task", "since": "from"}):
    """A task when it was added; times in ns, None if it has no such value. It has its number from `since` on.
    `first_task` is the number of the first task on its processor, which identifies the processor."""

    number: int
    since: int = 0
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


class Ring(msgspec.Struct, frozen=True, rename={"number": "ring"}):
    """The buffer of a processor's events, or of those of one of its threads."""

    number: int
    first_task: int = -1
    thread: str = ""


class _Group(msgspec.Struct, frozen=True):
    first_task: int
    group: int
    exclusive: bool


class _Topic(msgspec.Struct, frozen=True):
    topic: int
    name: str


class _Scenario(msgspec.Struct, frozen=True):
    scenario: int
    name: str


class _Clock(msgspec.Struct, frozen=True):
    monotonic: int
    wall: int


class _Line(msgspec.Struct, frozen=True):
    define: str


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
    rings: dict[int, Ring]
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


def _definition_lines(path: Path, texts: Rows) -> list[tuple[str, bytes]]:
    """Return the definitions as JSON, each with the name of what it defines."""
    if len(texts) and texts["task"].max() > _TEXT_BYTES:
        raise ResultError(f"{path}: is damaged: a text of {texts['task'].max()} bytes in a record of {_TEXT_BYTES}")
    text_bytes = texts.tobytes()
    size = EVENTS.itemsize
    full_text = b"".join(text_bytes[i * size : i * size + int(count)] for i, count in enumerate(texts["task"]))
    complete = full_text.split(b"\n")[:-1]
    lines = []
    for number, line in enumerate(complete, 1):
        try:
            lines.append((msgspec.json.decode(line, type=_Line).define, line))
        except msgspec.ValidationError:
            raise ResultError(f"{path}: is damaged: definition {number} defines nothing") from None
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise ResultError(f"{path}: is damaged: definition {number} is not JSON") from None
    return lines


def _named_definitions(path: Path, events: Rows, lines: list[tuple[str, bytes]]) -> Trace:
    def of(what: str, kind: type[Definition]) -> list[Definition]:
        return [msgspec.json.decode(line, type=kind) for defined, line in lines if defined == what]

    try:
        # A processor that spun again is the same one.
        processors = {each.first_task: each for each in of("processor", Processor)}
        events, defined = _with_one_task_per_number(events, of("task", Task))
        rings = {each.number: each for each in of("ring", Ring)}
        # The last line is a dictionary, because it has a key with the number of each ring that lost events.
        end = of("end", dict[str, int | str])[-1:]
        drops = {int(key[8:]): int(n) for each in end for key, n in each.items() if key.startswith("dropped_")}
        return Trace(
            path,
            events,
            tasks={
                number: msgspec.structs.replace(task, number=number, first_task=_first_task(number, processors))
                for number, task in defined.items()
            },
            processors=processors,
            topics={each.topic: each.name for each in of("topic", _Topic)},
            scenarios={each.scenario: each.name for each in of("scenario", _Scenario)},
            rings=rings,
            groups={(each.first_task, each.group): each.exclusive for each in of("group", _Group)},
            to_wall_clock=sum(each.wall - each.monotonic for each in of("clock", _Clock)[:1]),
            closed=bool(end),
            dropped=sum(int(each["dropped"]) + int(each["rings_refused"]) for each in end),
            drops={_ring_name(rings.get(number, Ring(number)), processors): n for number, n in drops.items()},
        )
    except (KeyError, TypeError, ValueError, OverflowError, msgspec.ValidationError) as error:
        raise ResultError(f"{path}: is damaged: a definition is incomplete or wrong: {error}") from None


def _with_one_task_per_number(events: Rows, tasks: list[Task]) -> tuple[Rows, dict[int, Task]]:
    """Return the events and the tasks by number. The executor gives the number of a removed task to a later one: here
    each other name gets a number of its own, at the end of the numbers of its processor. Of several definitions of one
    name the last counts."""
    by_number: dict[int, list[Task]] = {}
    for task in sorted(tasks, key=lambda task: task.since):
        by_number.setdefault(task.number, []).append(task)
    defined: dict[int, Task] = {}
    next_number: dict[int, int] = {}
    renumbered = events
    for number, its_tasks in by_number.items():
        numbers_by_name = {its_tasks[0].name: number}
        for task in its_tasks:
            if task.name not in numbers_by_name:
                highest_number = number | _TASK_NUMBERS
                numbers_by_name[task.name] = next_number.get(highest_number, highest_number)
                next_number[highest_number] = numbers_by_name[task.name] - 1
            defined[numbers_by_name[task.name]] = task
        if len(numbers_by_name) > 1:
            renumbered = events.copy() if renumbered is events else renumbered
            places = np.flatnonzero((events["task"] == number) & np.isin(events["kind"], _OF_TASKS))
            begins, numbers = zip(*((task.since, numbers_by_name[task.name]) for task in its_tasks), strict=True)
            task_of_event = np.searchsorted(begins, events["at"][places], side="right") - 1
            renumbered["task"][places] = np.array(numbers)[np.maximum(task_of_event, 0)]
    return renumbered, dict(sorted(defined.items()))


def _first_task(task: int, processors: dict[int, Processor]) -> int:
    return max((first for first in processors if first <= task), default=0)


def _ring_name(ring: Ring, processors: dict[int, Processor]) -> str:
    processor = processors.get(ring.first_task)
    processor_name = f"CPU {processor.cpu}" if processor is not None else "a processor"
    return f"{ring.thread} of {processor_name}" if ring.thread else processor_name
