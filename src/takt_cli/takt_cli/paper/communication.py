# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The setup of the reproductions of papers on communication, and their measurements, each in a folder of its own."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import numpy as np

from takt_cli.errors import DiskFull, HostError, Interrupted, ResultError, TaktError, UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.paper.options import paper_cpus
from takt_cli.paper.paper import Failure, Figures, Settings
from takt_cli.results.full_disk import disk_full_error
from takt_cli.results.origin import Host
from takt_cli.results.sample_files import Ints
from takt_cli.run.interleaved import InterleavedSettings
from takt_cli.run.progress import Progress
from takt_cli.run.real_time import RealTime
from takt_cli.run.transports import TRANSPORTS, Variant, available_transports, make_variants, missing_transports
from takt_cli.spec.units import parse_duration
from takt_cli.statistics.percentiles import Samples

SECOND = 10**9
MINUTE = 60 * SECOND
# The shortest duration of a measurement, ns: in a shorter one the effects of the start would dominate.
SHORTEST = SECOND
_FAILED = "failed.json"
VIRTUAL = "measured in virtual time, which is not used for verdicts"
# Estimated time to start, match and end the programs of each turn, and to start and stop load and traffic, in s.
TURN_OVERHEAD, SURROUNDINGS_OVERHEAD = 3.0, 4.0


class CommunicationSettings(Settings, frozen=True, kw_only=True):
    """The settings of a paper on communication."""

    transports: tuple[str, ...] | None
    rmws: tuple[str, ...]
    link_mbit: int
    timeout_ms: float
    kernel: str | None


@dataclass(frozen=True)
class CommunicationSetup:
    """The options that the user gave.

    `transports` are names, or None for those that the scale allows, and `rmws` likewise (empty for the default);
    `transport_option` is the option by which the user chooses the former. `kernel` is that of a guest, or None to
    measure on this host. `missing_transports` maps each transport that this build lacks to the reason. `factor` is
    the scale, `link` the rate in Mbit/s, `timeout` in ns.
    """

    factor: float
    cpus: tuple[int, ...]
    command: tuple[str, ...]
    transports: tuple[str, ...] | None = None
    rmws: tuple[str, ...] = ()
    link: int = 1000
    timeout: int = SECOND // 2
    kernel: str | None = None
    missing_transports: Mapping[str, str] = field(default_factory=dict)
    transport_option: str = "--transport"

    @property
    def settings(self) -> CommunicationSettings:
        return CommunicationSettings(
            scale=self.factor,
            cpus=self.cpus,
            transports=self.transports,
            rmws=self.rmws,
            link_mbit=self.link,
            timeout_ms=self.timeout / 1e6,
            kernel=self.kernel,
        )

    @property
    def nothing_chosen(self) -> str:
        return "none of the paper's measurements can be made with these options"

    def variants(self, default: Sequence[str], settings: Sequence[RealTime]) -> tuple[tuple[Variant, ...], list[str]]:
        """Return the variants to measure, and descriptions of those that are not available.

        `default` are the transports used if the user named none; without named RMWs that of the environment is used.
        HostError if the user named a transport that is not available, UsageError if there is none of that name.
        """
        names = default if self.transports is None else self.transports
        for name in names:
            if name not in TRANSPORTS:
                raise UsageError(f"{self.transport_option} {name}: not known; choose from {', '.join(TRANSPORTS)}")
        chosen, absent = available_transports(
            [TRANSPORTS[name] for name in names],
            self.missing_transports,
            self.transports is not None,
            self.transport_option,
        )
        if not chosen:
            raise HostError(f"this build has none of {', '.join(names)}; choose others by {self.transport_option}")
        if not any(each.ros for each in chosen):
            # None of them uses an RMW, so that none needs to be installed.
            return make_variants(chosen, (), settings), absent
        rmws = choose_rmws(self.rmws)
        return make_variants(chosen, rmws.names, settings), [
            *(f"{name}: not installed" for name in rmws.absent),
            *absent,
        ]


def _timeout(_: click.Context, __: click.Parameter, value: str) -> int:
    """Return the length of a time such as `500ms` in nanoseconds."""
    try:
        length = parse_duration(value.strip())
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if not 0 < length <= 24 * 60 * MINUTE:
        raise click.BadParameter(f"{value!r} is not above 0, or longer than a day")
    return length


# The options that papers on communication share, beside the one that chooses what they compare.
OPTIONS = (
    click.Option(
        ["--rmw", "rmws"],
        multiple=True,
        metavar="NAME",
        help="ROS 2 middleware (RMW) to measure over, or `all` installed ones; may be repeated "
        "[default: RMW_IMPLEMENTATION, else the first installed].",
    ),
    click.Option(
        ["--timeout"],
        callback=_timeout,
        default="500ms",
        show_default=True,
        metavar="DURATION",
        help="A response that has not come within this time counts as lost; above 0.",
    ),
)


def transport_option(name: str, what: str) -> click.Option:
    """Return the option that chooses what a paper compares, which is called `name`."""
    text = f"{what}; may be repeated [default: those that fit the scale]."
    return click.Option([name, "transports"], multiple=True, metavar="NAME[,NAME...]", help=text)


def communication_setup(
    factor: float,
    chosen: tuple[int, ...] | None,
    command: tuple[str, ...],
    *,
    transports: tuple[str, ...],
    program: str,
    **options: Any,
) -> CommunicationSetup:
    """Return the setup by the options that the user gave; `program` is the one that measures."""
    names = tuple(part.strip() for text in transports for part in text.split(",")) or None
    missing = missing_transports(program)
    return CommunicationSetup(factor, paper_cpus(chosen), command, names, missing_transports=missing, **options)


@dataclass(frozen=True)
class PartMeasurement:
    """A measurement in a folder of its own. It is complete if its run.json exists."""

    name: str
    settings: InterleavedSettings
    run: Callable[[Path, list[str], Progress], None]

    @property
    def seconds(self) -> float:
        """The estimated duration in s."""
        return (
            self.settings.seconds
            + self.settings.parts * TURN_OVERHEAD
            + (SURROUNDINGS_OVERHEAD if self.settings.conditions.any() else 0.0)
        )


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a variant. `missed`, `lost` and `skipped` are counts with the part that is due to the host."""

    variant: str
    runs: int
    transport: str
    raw: bool
    rmw: str | None
    sent: int
    missed: dict[str, int]
    lost: dict[str, int]
    skipped: dict[str, int]
    refused: list[Any]
    verdict: dict[str, Any]
    virtual: bool
    load: str
    folders: list[str]

    @property
    def doubts(self) -> list[str]:
        """The reasons why the measurement itself is inconclusive, if it is."""
        return list(self.verdict["why"]) if self.verdict["outcome"] == "inconclusive" else []


class CommunicationFigures(Figures, frozen=True, kw_only=True):
    """The figures of a part. `virtual` describes the guest in which it was measured, if it was one."""

    virtual: Any = None


class CommunicationPart(ABC):
    """A part that consists of measurements; the methods are those of `PaperPart`."""

    @abstractmethod
    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        """Return the measurements of the part, or an empty list if it cannot be measured here."""

    def items(self, setup: CommunicationSetup) -> int:
        return sum(each.settings.parts for each in self.pieces(setup))

    def seconds(self, setup: CommunicationSetup) -> float:
        return sum(each.seconds for each in self.pieces(setup))

    def measure(self, setup: CommunicationSetup, folder: Path, progress: Progress, resume: bool) -> None:
        make_measurements(self.pieces(setup), folder, setup.command, progress, resume)


def make_measurements(
    pieces: Sequence[PartMeasurement], folder: Path, command: Sequence[str], progress: Progress, resume: bool
) -> None:
    """Make those measurements that are not complete yet. The rows of an interrupted one are kept beside it.

    If one fails, the others are still made, and `part_state` reports the failure. Interrupted, UsageError and DiskFull
    end the measurements at once, since the others would fail for the same reason.
    """
    folder.mkdir(exist_ok=resume)
    todo = [each for each in pieces if not is_complete(folder / each.name)]
    progress.expect(sum(each.settings.parts for each in pieces), sum(each.seconds for each in todo),
                    sum(each.settings.parts for each in pieces if each not in todo))  # fmt: skip
    failed: dict[str, str] = {}
    (folder / "pieces.json").write_text(json.dumps([each.name for each in pieces]) + "\n", "utf-8")
    for each in todo:
        _set_aside(folder / each.name)
        (folder / each.name).mkdir()
        try:
            each.run(folder / each.name, list(command), progress)
        except (Interrupted, UsageError, DiskFull):
            raise
        except OSError as error:
            raise disk_full_error(error, folder) or error from None
        except TaktError as error:
            failed[each.name] = str(error)
    (folder / _FAILED).write_text(json.dumps(failed, indent=1) + "\n", "utf-8")


def _set_aside(folder: Path) -> None:
    """Rename the folder of an interrupted measurement, which may hold hours of rows."""
    if folder.exists():
        number = 1
        while (cut := folder.with_name(f"{folder.name}.cut-{number}")).exists():
            number += 1
        folder.rename(cut)


def is_complete(folder: Path) -> bool:
    """Return whether the measurement in the folder is complete."""
    return (folder / "run.json").exists()


class PartState(NamedTuple):
    """How far a part is: the names of the complete measurements, and what all figures have in common."""

    names: list[str]
    record: Mapping[str, Any]
    figures: dict[str, Any]
    """The fields of CommunicationFigures."""


def part_state(folder: Path) -> PartState:
    """Return how far a part is. What its measurements have in common is read from the first complete one."""
    names, failed = _read(folder / "pieces.json", list), _read(folder / _FAILED, dict)
    complete = [name for name in names if is_complete(folder / name)]
    failures = [Failure(name, error) for name, error in failed.items() if name not in complete]
    record: Mapping[str, Any] = _read(folder / complete[0] / "run.json", dict) if complete else {}
    figures = {
        "runs": len(complete),
        "failed": failures,
        "pending": len(names) - len(complete) - len(failures),
        "duration_s": record.get("duration_ns", 0) * record.get("rounds", 1) / 1e9,
        "began": record.get("began"),
        "host": msgspec.convert(record["host"], Host) if "host" in record else None,
        "absent": record.get("absent", []),
        "virtual": record.get("virtual"),
    }
    return PartState(complete, record, figures)


def name_without_settings(variant: str, record: Mapping[str, Any]) -> str:
    """Return the variant's name without its settings, as in a paper's rows. `record` is the content of run.json."""
    return variant.rpartition(",")[0] + (", virtual" if record.get("virtual") else "")


def thin_points(instants: Ints, values: Samples, max_points: int = 400) -> list[tuple[float, float]]:
    """Return pairs of seconds since the first instant and values, at most about `max_points` of them.

    The minimum and maximum of each of `max_points` / 2 intervals are kept, so that outliers stay visible. Infinite
    values are left out.
    """
    if len(instants) == 0:
        return []
    seconds = (instants - instants.min()) / 1e9
    finite_indices = np.flatnonzero(np.isfinite(values))
    kept_indices = (
        finite_indices
        if len(finite_indices) <= max_points
        else np.unique(np.fromiter(_ends(finite_indices, values, max_points // 2), np.int64))
    )
    return [(round(float(seconds[i]), 4), float(values[i])) for i in kept_indices]


def describe_traffic(conditions: Mapping[str, Any]) -> str:
    """Describe the traffic in Mbit/s: `40 asked; 38.2 client to server, 39.9 server to client`."""
    traffic = conditions.get("traffic")
    if not traffic:
        return "none"
    ways = [f"{rate:.3g} {way.replace('_', ' ')}" for way, rate in rates_by_direction(traffic).items()]
    return f"{traffic['asked']['mbit_each_way']:g} asked; {', '.join(ways)}"


def rates_by_direction(traffic: Mapping[str, Any]) -> dict[str, float]:
    """Return the rate in Mbit/s that arrived, by direction."""
    return {
        way: float(metrics["received_mbit"])
        for way, metrics in traffic.items()
        if isinstance(metrics, dict) and metrics.get("received_mbit") is not None
    }


def _ends(indices: Ints, values: Samples, stretches: int) -> Iterator[int]:
    for part in np.array_split(indices, stretches):
        yield int(part[np.argmin(values[part])])
        yield int(part[np.argmax(values[part])])


def _read(path: Path, kind: type) -> Any:
    with suppress(FileNotFoundError):
        try:
            content = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            content = None
        if not isinstance(content, kind):
            raise ResultError(f"{path}: cannot be read; measure this part again with another --out")
        return content
    return kind()
