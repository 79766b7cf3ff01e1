# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The setup of the reproductions of papers on communication, and their measurements, each in a folder of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np

from takt_cli.analysis.trips import Count, SkippedCount
from takt_cli.analysis.variants import Measurement, VariantFigures
from takt_cli.chart.curves import keep_extremes
from takt_cli.errors import DiskFull, HostError, Interrupted, ResultError, TaktError, UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.paper.paper import Failure, Figures, Settings, Setup
from takt_cli.results.achieved import AchievedTraffic
from takt_cli.results.communication import TRANSPORTS, InterleavedRecord, InterleavedSettings, Variant
from takt_cli.results.full_disk import disk_full_error
from takt_cli.results.json_file import Content, plain, read_json, write_json
from takt_cli.results.origin import Guest
from takt_cli.results.result_file import ResultFormat, is_complete
from takt_cli.results.sample_files import Ints
from takt_cli.results.verdict import INCONCLUSIVE, Verdict
from takt_cli.run.progress import Progress
from takt_cli.run.transports import available_transports, make_variants
from takt_cli.spec.real_time import RealTime
from takt_cli.statistics.percentiles import Samples
from takt_cli.surroundings.load import describe_load

SECOND = 10**9
MINUTE = 60 * SECOND
# The shortest duration of a measurement, ns: in a shorter one the effects of the start would dominate.
SHORTEST = SECOND
_PIECES, _FAILED = "pieces.json", "failed.json"
VIRTUAL = "measured in virtual time, which is not used for verdicts"
# Estimated time to start, match and end the programs of each turn, and to start and stop load and traffic, in s.
TURN_OVERHEAD, SURROUNDINGS_OVERHEAD = 3.0, 4.0


class CommunicationSettings(Settings, frozen=True, kw_only=True, tag="communication"):
    """The settings of a paper on communication. `transports` are names, none for those that the scale allows, and
    `rmws` likewise, none for the default. `timeout` is in ns. `kernel` is that of a guest, or None to measure on this
    host."""

    transports: tuple[str, ...] = ()
    rmws: tuple[str, ...] = ()
    link_mbit: int = 1000
    timeout: int = 500 * 10**6
    kernel: str | None = None


CommunicationSetup: TypeAlias = Setup[CommunicationSettings]


@dataclass(frozen=True)
class PartMeasurement:
    """A measurement in a folder of its own. It is complete if it has a result."""

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
    """The figures of a variant."""

    variant: str
    runs: int
    transport: str
    raw: bool
    rmw: str | None
    sent: int
    missed: Count
    lost: Count
    skipped: SkippedCount
    refused: list[str]
    verdict: Verdict
    virtual: bool
    load: str
    folders: list[str]

    @property
    def doubts(self) -> list[str]:
        """The reasons why the measurement itself is inconclusive, if it is."""
        return self.verdict.why if self.verdict.outcome == INCONCLUSIVE else []


AnyRow = TypeVar("AnyRow", bound=Row)


class CommunicationFigures(Figures, frozen=True, kw_only=True):
    """The figures of a part. `virtual` describes the guest in which it was measured, if it was one."""

    virtual: Guest | None = None


class CommunicationPart(ABC):
    """A part that consists of measurements; the methods are those of `PaperPart`. `transport_option` is the option by
    which the user chooses transports."""

    transport_option: ClassVar[str]

    @abstractmethod
    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        """Return the measurements of the part, or an empty list if it cannot be measured here."""

    def items(self, setup: CommunicationSetup) -> int:
        return sum(each.settings.parts for each in self.pieces(setup))

    def seconds(self, setup: CommunicationSetup) -> float:
        return sum(each.seconds for each in self.pieces(setup))

    def measure(self, setup: CommunicationSetup, folder: Path, progress: Progress, resume: bool) -> None:
        make_measurements(self.pieces(setup), folder, setup.command, progress, resume)

    def variants(
        self, setup: CommunicationSetup, default: Sequence[str], real_time: Sequence[RealTime]
    ) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
        """Return the variants to measure, and descriptions of those that are not available.

        `default` are the transports used if the user named none; without named RMWs that of the environment is used.
        HostError if the user named a transport that is not available, UsageError if there is none of that name.
        """
        named, option = setup.settings.transports, self.transport_option
        names = named or default
        for name in names:
            if name not in TRANSPORTS:
                raise UsageError(f"{option} {name}: not known; choose from {', '.join(TRANSPORTS)}")
        chosen, absent = available_transports(
            [TRANSPORTS[name] for name in names], setup.missing_transports, bool(named), option
        )
        if not chosen:
            raise HostError(f"this build has none of {', '.join(names)}; choose others by {option}")
        if not any(each.ros for each in chosen):
            # None of them uses an RMW, so that none needs to be installed.
            return make_variants(chosen, (), real_time), tuple(absent)
        rmws = choose_rmws(setup.settings.rmws)
        absent_rmws = [f"{name}: not installed" for name in rmws.absent]
        return make_variants(chosen, rmws.names, real_time), (*absent_rmws, *absent)


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
    write_json(folder / _PIECES, [each.name for each in pieces])
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
    write_json(folder / _FAILED, failed)


def _set_aside(folder: Path) -> None:
    """Rename the folder of an interrupted measurement, which may hold hours of rows."""
    if folder.exists():
        number = 1
        while (cut := folder.with_name(f"{folder.name}.cut-{number}")).exists():
            number += 1
        folder.rename(cut)


class PartState(NamedTuple):
    """How far a part is: the names of the complete measurements, and what all figures have in common."""

    names: list[str]
    figures: CommunicationFigures


def part_state(folder: Path, kind: ResultFormat[Any, InterleavedRecord]) -> PartState:
    """Return how far a part is. What its measurements have in common is read from the first complete one."""
    names = _read(folder / _PIECES, list[str], [])
    failed = _read(folder / _FAILED, dict[str, str], {})
    complete = [name for name in names if is_complete(folder / name)]
    failures = [Failure(name, error) for name, error in failed.items() if name not in complete]
    pending = len(names) - len(complete) - len(failures)
    figures = CommunicationFigures(runs=len(complete), failed=failures, pending=pending, duration_s=0.0)
    if complete:
        first = kind.read(folder / complete[0])
        figures = msgspec.structs.replace(
            figures,
            duration_s=first.settings.duration * first.settings.rounds / 1e9,
            absent=list(first.settings.absent),
            virtual=first.origin.virtual,
        )
    return PartState(complete, figures)


def name_without_settings(variant: str, virtual: bool) -> str:
    """Return the variant's name without its settings, as in a paper's rows; `virtual`: measured in a guest."""
    return variant.rpartition(",")[0] + (", virtual" if virtual else "")


def rows_of(
    kind: type[AnyRow],
    measurements: Sequence[Measurement[Any]],
    variants: Mapping[str, VariantFigures],
    further: Callable[[str], dict[str, Any]],
) -> list[AnyRow]:
    """Return a row for each variant from its figures over all rounds of the measurements, and `further` fields."""
    virtual = measurements[0].virtual
    common = {
        "runs": sum(each.settings.rounds for each in measurements),
        "virtual": virtual,
        "load": describe_load(measurements[-1].conditions.load),
        "folders": ["/".join(each.folder.parts[-2:]) for each in measurements],
    }
    return [
        msgspec.convert(
            plain(figures) | common | {"variant": name_without_settings(name, virtual)} | plain(further(name)), kind
        )
        for name, figures in variants.items()
    ]


def thin_points(instants: Ints, values: Samples, max_points: int = 400) -> list[tuple[float, float]]:
    """Return pairs of seconds since the first instant and values, at most about `max_points` of them.

    Outliers stay visible; infinite values are left out.
    """
    if len(instants) == 0:
        return []
    is_finite = np.isfinite(values)
    seconds = (instants - instants.min()) / 1e9
    x, y = keep_extremes(seconds[is_finite], values[is_finite], max_points)
    return [(round(each, 4), value) for each, value in zip(x.tolist(), y.tolist(), strict=True)]


def describe_traffic(traffic: AchievedTraffic | None) -> str:
    """Describe the traffic in Mbit/s: `40 asked; 38.2 client to server, 39.9 server to client`."""
    if traffic is None:
        return "none"
    rates = {way: flow.received_mbit for way, flow in traffic.flows.items()}
    ways = [f"{rate:.3g} {way.replace('_', ' ')}" for way, rate in rates.items() if rate is not None]
    return f"{traffic.asked.mbit_each_way:g} asked; {', '.join(ways)}"


def _read(path: Path, kind: type[Content], if_missing: Content) -> Content:
    if not path.exists():
        return if_missing
    try:
        return read_json(path, kind)
    except ResultError:
        raise ResultError(f"{path}: cannot be read; measure this part again with another --out") from None
