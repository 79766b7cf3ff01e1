# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The latency of one message at a time, from publish to its callback, by size and by way: inside a process, between
two, and for comparison a bare copy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.errors import RunError
from takt_cli.host.middleware import SMALLEST_SEGMENT
from takt_cli.results.folder import now
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Grants
from takt_cli.results.result_file import ResultFormat, StoredResult
from takt_cli.results.sample_files import SAMPLES, Ints, Rows, read_rows
from takt_cli.run.limits import limits_of_sides
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, measurement_session
from takt_cli.statistics.percentiles import Samples

# The ways of a message, each with the name that the program has for it.
BETWEEN, COPY = "two processes", "copy"
WAYS = {BETWEEN: "middleware", "baseline0": "stock", "takt": "takt", COPY: "copy"}
# How often the sizes take turns while a program runs: samples of one size are not all from the same moment.
_LAPS = 10
# Between processes a message takes longer, so it is measured for longer.
_BETWEEN_FACTOR = 5
# Estimated time to start a program, s. Its threads idle for as long as they are busy, hence the factor 2 in seconds_of.
_START = 1.5
# The program itself waits 5 s for a reply.
_LIMITS = limits_of_sides(5.0)
# Shared memory holds several times the largest message, so that none is dropped.
_MESSAGES = 32


@dataclass(frozen=True)
class MessageWaysSettings:
    """The settings of the measurement. `duration` is the time in ns for each size and way in a round, in which the
    sizes take turns `laps` times. `cpus` are those of the sender and of the receiver."""

    sizes: tuple[int, ...]
    ways: tuple[str, ...]
    rounds: int
    duration: int
    cpus: tuple[int, ...]
    laps: int = _LAPS

    @property
    def parts(self) -> int:
        return self.rounds * len(self.ways)

    @property
    def seconds(self) -> float:
        return self.rounds * sum(map(self.seconds_of, self.ways))

    def seconds_of(self, way: str) -> float:
        """Return the estimated duration of one start of the program, in s."""
        return _START + 2 * self.laps * len(self.sizes) * self.turn_of(way) / 1e9

    def turn_of(self, way: str) -> int:
        """Return the time in ns for one size in one lap."""
        return self.duration * (_BETWEEN_FACTOR if way == BETWEEN else 1) // self.laps


class MessageWayProcess(msgspec.Struct, frozen=True):
    """The report of the program `transport`. `dropped` counts the samples that found no room."""

    dropped: int
    rmw: str
    grants: Grants


class MessageWaysRecord(msgspec.Struct, frozen=True):
    """The reports for each way, one for each round. The folders round-N/WAY have the samples."""

    processes: dict[str, list[MessageWayProcess]]


FORMAT = ResultFormat("message-ways", 1, MessageWaysSettings, MessageWaysRecord)


@dataclass(frozen=True)
class MessageWays(StoredResult[MessageWaysSettings, MessageWaysRecord]):
    """A result, with the samples of each way. Their column `round` numbers the laps of all rounds."""

    samples: dict[str, Rows]

    def times(self, way: str, size: int) -> Samples:
        """Return the latencies of all messages of a size, in ns."""
        rows = self.samples[way]
        return np.asarray(rows["value"][rows["x"] == size])

    def laps(self, way: str, size: int) -> dict[int, tuple[Ints, Samples]]:
        """Return the instants of sending and the latencies, in ns, by lap."""
        rows = self.samples[way]
        rows = rows[rows["x"] == size]
        laps = {int(number): rows[rows["round"] == number] for number in np.unique(rows["round"])}
        return {number: (np.asarray(lap["at"]), np.asarray(lap["value"])) for number, lap in laps.items()}

    def ratios(self, of: str, to: str, size: int) -> list[float]:
        """Return the ratio of the medians of two ways in the same laps."""
        one, other = (
            {number: float(np.median(times)) for number, (_, times) in self.laps(way, size).items()} for way in (of, to)
        )
        return [one[number] / other[number] for number in sorted(one.keys() & other.keys())]


def run_message_ways(settings: MessageWaysSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, and leave its result in `folder`."""
    began = now()
    processes: dict[str, list[MessageWayProcess]] = {way: [] for way in settings.ways}
    segment = SMALLEST_SEGMENT
    while segment < _MESSAGES * max(settings.sizes):
        segment *= 2
    cpus = tuple(dict.fromkeys(settings.cpus))
    with measurement_session(cpus, folder / "fastdds.xml", ("transport",), segment, "message-ways", 2) as session:
        for number in range(settings.rounds):
            # Each round begins with another way, so that none is always the first.
            first = number % len(settings.ways)
            for way in settings.ways[first:] + settings.ways[:first]:
                processes[way].append(_measure(session, settings, way, _place(folder, number, way), progress))
        FORMAT.write(folder, origin_of(session, command, began), settings, MessageWaysRecord(processes))
    if dropped := sum(each.dropped for every in processes.values() for each in every):
        raise RunError(f"transport had no room for {dropped} samples: measure fewer sizes, or for a shorter --duration")


def _measure(
    session: Session, settings: MessageWaysSettings, way: str, out: Path, progress: Progress
) -> MessageWayProcess:
    """Measure one way, in a process of its own; for messages between processes a second one receives them."""
    length, name = settings.seconds_of(way), f"{out.parent.name} {out.name}"
    out.parent.mkdir(exist_ok=True)
    progress.begin(f"{way}, {out.parent.name.replace('-', ' ')}", length)
    shared = ["--way", WAYS[way], "--out", str(out), *_LIMITS.options, "--sizes", *map(str, settings.sizes)]
    receivers = []
    if way == BETWEEN:
        pipe = session.work / f"{name}.replies"
        os.mkfifo(pipe, 0o600)
        shared = ["--replies", str(pipe), *shared]
        far = ["--cpu", str(settings.cpus[-1]), "--side", "far"]
        receivers.append(session.start("transport", [*far, *shared], f"transport far {name}"))
    near = ["--cpu", str(settings.cpus[0]), "--rounds", str(settings.laps), "--turn-ns", str(settings.turn_of(way))]
    sender = session.start("transport", [*near, *shared], f"transport {name}")
    session.shared.note(session.children.pids())
    session.watch(sender, receivers, length, _LIMITS.total + length, progress)
    for receiver in receivers:
        session.watch(receiver, [], 1.0, _LIMITS.rest, progress)
    progress.end()
    return read_json(out / "transport.json", MessageWayProcess)


def _place(folder: Path, number: int, way: str) -> Path:
    return folder / f"round-{number + 1}" / WAYS[way]


def read_message_ways(folder: Path) -> MessageWays:
    """Read the result in `folder`. Raises ResultError if there is none."""
    envelope = FORMAT.read(folder)
    settings = envelope.settings
    samples: dict[str, list[Rows]] = {way: [] for way in settings.ways}
    for way, parts in samples.items():
        for number in range(settings.rounds):
            rows: Rows = np.array(read_rows(_place(folder, number, way) / "transport.samples.npy", SAMPLES))
            rows["round"] += number * settings.laps
            parts.append(rows)
    return MessageWays(folder, envelope, {way: np.concatenate(parts) for way, parts in samples.items()})
