# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure one-way`: the latency of one message, from publish to its callback, by size and by way."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.chart.axis import Axis, size_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Line, Mark, Ranges
from takt_cli.comparison.figures import Figure, quantiles
from takt_cli.errors import RunError, UsageError
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.middleware import SMALLEST_SEGMENT
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.formatting import format_interval, format_spread
from takt_cli.report.values import format_count, format_number
from takt_cli.results.folder import now
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Grants
from takt_cli.results.result_file import ResultFormat, StoredResult
from takt_cli.results.sample_files import SAMPLES, Ints, Rows, read_rows
from takt_cli.run.limits import limits_of_sides
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, measurement_session
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

# The ways of a message, each with the name that the program has for it.
BETWEEN, COPY = "two processes", "copy"
WAYS = {BETWEEN: "middleware", "baseline0": "stock", "takt": "takt", COPY: "copy"}
_COLOURS = {BETWEEN: "baseline1", "baseline0": "baseline0", "takt": "takt", COPY: "host"}
_LARGEST = 64 << 20
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
_US = 1000


# ---- the result ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneWaySettings:
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


class OneWayProcess(msgspec.Struct, frozen=True):
    """The report of the program `transport`. `dropped` counts the samples that found no room."""

    dropped: int
    rmw: str
    grants: Grants


class OneWayRecord(msgspec.Struct, frozen=True):
    """The reports for each way, one for each round. The folders round-N/WAY have the samples."""

    processes: dict[str, list[OneWayProcess]]


FORMAT = ResultFormat("one-way", 1, OneWaySettings, OneWayRecord)


@dataclass(frozen=True)
class OneWay(StoredResult[OneWaySettings, OneWayRecord]):
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


# ---- measuring ----------------------------------------------------------------------------------------------


def run_one_way(settings: OneWaySettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, and leave its result in `folder`."""
    began = now()
    processes: dict[str, list[OneWayProcess]] = {way: [] for way in settings.ways}
    segment = SMALLEST_SEGMENT
    while segment < _MESSAGES * max(settings.sizes):
        segment *= 2
    cpus = tuple(dict.fromkeys(settings.cpus))
    with measurement_session(cpus, folder / "fastdds.xml", ("transport",), segment, "one-way", 2) as session:
        for number in range(settings.rounds):
            # Each round begins with another way, so that none is always the first.
            first = number % len(settings.ways)
            for way in settings.ways[first:] + settings.ways[:first]:
                processes[way].append(_measure(session, settings, way, _place(folder, number, way), progress))
        FORMAT.write(folder, origin_of(session, command, began), settings, OneWayRecord(processes))
    if dropped := sum(each.dropped for every in processes.values() for each in every):
        raise RunError(f"transport had no room for {dropped} samples: measure fewer sizes, or for a shorter --duration")


def _measure(session: Session, settings: OneWaySettings, way: str, out: Path, progress: Progress) -> OneWayProcess:
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
    return read_json(out / "transport.json", OneWayProcess)


def _place(folder: Path, number: int, way: str) -> Path:
    return folder / f"round-{number + 1}" / WAYS[way]


# ---- figures ------------------------------------------------------------------------------------------------


class OneWayFigures(msgspec.Struct, frozen=True):
    """The latency of messages of one size by one way, and its ratio to a bare copy of as many bytes, if measured."""

    way: str
    bytes: int
    us: Percentiles
    ratio_to_copy: MedianOfRounds | None


class OneWaySummary(msgspec.Struct, frozen=True):
    """All figures of a measurement."""

    sizes: tuple[int, ...]
    rounds: int
    rmw: str
    figures: list[OneWayFigures]
    refused: list[str]


def read_one_way(folder: Path) -> OneWay:
    """Read the result in `folder`. Raises ResultError if there is none."""
    envelope = FORMAT.read(folder)
    settings = envelope.settings
    samples: dict[str, list[Rows]] = {way: [] for way in settings.ways}
    for way, parts in samples.items():
        for number in range(settings.rounds):
            rows: Rows = np.array(read_rows(_place(folder, number, way) / "transport.samples.npy", SAMPLES))
            rows["round"] += number * settings.laps
            parts.append(rows)
    return OneWay(folder, envelope, {way: np.concatenate(parts) for way, parts in samples.items()})


def summarise_one_way(result: OneWay) -> OneWaySummary:
    """Return all figures of a result."""
    settings, processes = result.settings, result.record.processes
    every = [process for reports in processes.values() for process in reports]
    return OneWaySummary(
        settings.sizes,
        settings.rounds,
        every[0].rmw,
        [_figures(result, way, size) for way in settings.ways for size in settings.sizes],
        sorted({line for process in every for line in process.grants.refused}),
    )


def _figures(result: OneWay, way: str, size: int) -> OneWayFigures:
    ratios = result.ratios(way, COPY, size) if COPY in result.samples and way != COPY else []
    ratio = over_rounds(ratios) if ratios else None
    return OneWayFigures(way, size, percentiles(result.times(way, size) / _US), ratio)


# ---- what is shown ------------------------------------------------------------------------------------------


def _title(summary: OneWaySummary) -> str:
    sizes = " to ".join(map(format_size, dict.fromkeys((min(summary.sizes), max(summary.sizes)))))
    return f"One-way latency of messages of {sizes}, {summary.rounds} round{'s' * (summary.rounds != 1)}"


def _tables(summary: OneWaySummary) -> list[RenderableType]:
    table = Table(title=_title(summary), title_justify="left")
    table.add_column("way")
    for name in ("message", "n", "us\np50 · p99 · max", "ratio to a copy\n(95 %)"):
        table.add_column(name, justify="right")
    for each in summary.figures:
        ratio = each.ratio_to_copy
        shown = f"{format_number(ratio.median)} ({format_interval(ratio.low, ratio.high)})" if ratio else ""
        table.add_row(each.way, format_size(each.bytes), format_count(each.us.n), format_spread(each.us, ""), shown)
    remark = (
        "The time from right before the publication to the first instruction of the callback, one message at a time: "
        "between two processes through the middleware, and between two nodes of a process under baseline0 and takt. A "
        "copy is that of the same number of bytes in memory."
    )
    return [table, remark, *(Text(f"not granted: {line}", style="yellow") for line in summary.refused)]


def _charts(result: OneWay, summary: OneWaySummary) -> dict[str, Chart]:
    sizes = sorted(summary.sizes)
    marks: list[Mark] = []
    for way in result.samples:
        laps = [[np.median(times) / _US for _, times in result.laps(way, size).values()] for size in sizes]
        low, middle, high = (np.array([np.quantile(each, q) for each in laps]) for q in (0.025, 0.5, 0.975))
        strokes = list(zip(sizes, low, high, strict=True))
        texts = [
            f"{way}, {format_size(size)}: {format_number(each)} us" for size, each in zip(sizes, middle, strict=True)
        ]
        marks.append(Ranges(strokes, 4, colour=_COLOURS[way], opacity=0.3))
        marks.append(Line(sizes, middle, shape="dot", name=way, colour=_COLOURS[way], texts=texts))
    axes = size_axis(sizes, "size of the message"), Axis("median of a turn, us", log=True)
    description = (
        "The median latency over all turns by the size of the message, on logarithmic scales, with the range of 95 % "
        "of the turns' medians behind it."
    )
    return {"latency": Chart.of(Panel(marks, "Latency by size", *axes, 3.6), description=description)}


def _compared(result: OneWay, _: OneWaySummary) -> dict[str, Sequence[Figure[Any]]]:
    def rounds(way: str, size: int) -> list[tuple[Ints, Samples]]:
        return [(at, times / _US) for at, times in result.laps(way, size).values()]

    sizes = result.settings.sizes
    return {
        way: [each for size in sizes for each in quantiles(format_size(size), "us", rounds(way, size))]
        for way in result.samples
    }


# ---- the measurement ----------------------------------------------------------------------------------------


def _settings(
    sizes: tuple[int, ...], ways: tuple[str, ...], rounds: int, duration: int, cpus: tuple[int, ...] | None
) -> OneWaySettings:
    if cpus is not None and len(cpus) > 2:
        raise UsageError("--cpu: give one CPU, or one for each of the two sides")
    chosen = tuple(way for way in WAYS if way.replace(" ", "-") in ways) or tuple(WAYS)
    return OneWaySettings(tuple(dict.fromkeys(sizes)), chosen, rounds, duration, choose_cpus(cpus))


ONE_WAY = Measurement(
    usage=read_usage(__name__, ways=[way.replace(" ", "-") for way in WAYS]),
    settings=_settings,
    format=FORMAT,
    programs=("transport",),
    run=run_one_way,
    read=read_one_way,
    summarise=summarise_one_way,
    title=_title,
    tables=_tables,
    charts=_charts,
    comparison=ComparisonRules(
        subject=lambda _: "one-way latency", may_differ=frozenset({"rounds", "ways", "sizes"}), figures=_compared
    ),
)
MEASUREMENTS = (ONE_WAY,)
