# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 2.4 and figure 2.7 of the thesis: transport times of messages inside a process and between two, from before
publishing to the callback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from takt_cli.paper.batch_part import BatchSettings, BatchSetup, scale_for
from takt_cli.paper.claims import Way
from takt_cli.paper.paper import Figures
from takt_cli.paper.statistics import Seven, seven_figures
from takt_cli.paper.thesis2021 import message_ways
from takt_cli.paper.thesis2021.cases import DURATION, KIB, MIB, RUNS
from takt_cli.paper.thesis2021.message_ways import (
    BETWEEN,
    COPY,
    MessageWays,
    MessageWaysSettings,
    read_message_ways,
    run_message_ways,
)
from takt_cli.paper.verdict import Finding, by_interval, count, interval, missing_data, number
from takt_cli.results.folder import ResultFolder
from takt_cli.results.result_file import is_complete
from takt_cli.results.structures import extended
from takt_cli.run.progress import Progress
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds

SIZES = (512, 256 * KIB, MIB, 8 * MIB)
# With fewer laps in a run their scatter would be unknown.
_LAPS = 12
# The time for each size in each run, ns.
_DURATION = _LAPS * 40_000_000
_RATIOS = ((BETWEEN, "baseline0"), (BETWEEN, "takt"), ("baseline0", "takt"), (COPY, "takt"))


class TransportRow(msgspec.Struct, frozen=True, kw_only=True):
    """The times of the messages of one size by one way; `runs` are rounds."""

    way: str
    bytes: int
    us: Seven | None
    runs: int


class WayRatio(MedianOfRounds, frozen=True, kw_only=True):
    """How many times as fast messages of one size are by the way `to` as by the way `of`."""

    of: str
    to: str
    bytes: int


class TransportFigures(Figures, frozen=True, kw_only=True):
    """The figures of the part. `ratios` are of the medians of the same rounds, with their intervals."""

    rows: list[TransportRow]
    ratios: list[WayRatio]


@dataclass(frozen=True)
class TransportPart:
    """The part that measures message transport; the methods are those of `PaperPart`."""

    name: str = "transport"
    figures: type[TransportFigures] = TransportFigures

    def items(self, setup: BatchSetup) -> int:
        # This part has no applications that --only could select.
        return 0 if setup.settings.only is not None else _settings(setup.settings).parts

    def seconds(self, setup: BatchSetup) -> float:
        return _settings(setup.settings).seconds

    def measure(self, setup: BatchSetup, folder: Path, progress: Progress, resume: bool) -> None:
        if resume and is_complete(folder):
            return
        with ResultFolder(folder) as place:
            run_message_ways(_settings(setup.settings), place.path, list(setup.command), progress)

    def statistics(self, folder: Path) -> TransportFigures:
        result = read_message_ways(folder)
        return TransportFigures(
            runs=result.envelope.settings.rounds,
            failed=[],
            pending=0,
            rows=_rows(result),
            ratios=_ratios(result),
        )


def _settings(settings: BatchSettings) -> MessageWaysSettings:
    runs = scale_for(settings.scale, RUNS, DURATION).runs
    return MessageWaysSettings(SIZES, tuple(message_ways.WAYS), runs, _DURATION, settings.cpus, _LAPS)


def _rows(result: MessageWays) -> list[TransportRow]:
    return [
        TransportRow(
            way=way, bytes=size, us=seven_figures(result.times(way, size) / 1e3), runs=len(result.laps(way, size))
        )
        for way in message_ways.WAYS
        for size in SIZES
    ]


def _ratios(result: MessageWays) -> list[WayRatio]:
    """Return how many times as fast messages are inside a process, by the medians of the same laps."""
    return [
        extended(over_rounds(ratios), WayRatio, of=of, to=to, bytes=size)
        for of, to in _RATIOS
        for size in SIZES
        if (ratios := result.ratios(of, to, size))
    ]


class Faster(Way, frozen=True):
    """Messages of this size are more than so many times as fast inside a process under an executor as between two."""

    to: str
    size: int
    above: float

    def judge(self, figures: TransportFigures) -> Finding:
        ratio = next((each for each in figures.ratios if (each.to, each.bytes) == (self.to, self.size)), None)
        if ratio is None:
            raise missing_data(f"messages of {self.size} bytes both ways")
        text = f"{number(ratio.median)} times as fast{interval(ratio)}, {count(ratio.rounds, 'round')}"
        return by_interval(ratio, "above", self.above, text)


PART, WAYS = TransportPart(), (Faster,)
