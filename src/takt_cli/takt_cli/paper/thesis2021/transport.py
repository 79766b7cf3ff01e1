# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 2.4 and figure 2.7 of the thesis: transport times of messages inside a process and between two."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.measurements.one_way import BETWEEN, COPY, ONE_WAY, WAYS, OneWay, OneWaySettings
from takt_cli.paper.batch_part import Setup
from takt_cli.paper.scale import scale_for
from takt_cli.paper.statistics import seven_figures
from takt_cli.paper.thesis2021.cases import DURATION, KIB, MIB, RUNS
from takt_cli.paper.thesis2021.transport_figures import TransportFigures
from takt_cli.results.folder import ResultFolder
from takt_cli.results.json_file import plain
from takt_cli.results.result_file import RESULT_FILE
from takt_cli.run.progress import Progress
from takt_cli.statistics.confidence import over_rounds

SIZES = (512, 256 * KIB, MIB, 8 * MIB)
# With fewer laps in a run their scatter would be unknown.
_LAPS = 12
# The time for each size in each run, ns.
_DURATION = _LAPS * 40_000_000
_RATIOS = ((BETWEEN, "baseline0"), (BETWEEN, "takt"), ("baseline0", "takt"), (COPY, "takt"))


@dataclass(frozen=True)
class TransportPart:
    """The part that measures message transport; the methods are those of `PaperPart`."""

    name: str = "transport"
    figures: type[TransportFigures] = TransportFigures

    def items(self, setup: Setup) -> int:
        # This part has no applications that --only could select.
        return 0 if setup.only is not None else _settings(setup).parts

    def seconds(self, setup: Setup) -> float:
        return _settings(setup).seconds

    def measure(self, setup: Setup, folder: Path, progress: Progress, resume: bool) -> None:
        if resume and (folder / RESULT_FILE).exists():
            return
        with ResultFolder(folder) as place:
            ONE_WAY.make(_settings(setup), place.path, list(setup.command), progress)

    def statistics(self, folder: Path) -> dict[str, Any]:
        result = ONE_WAY.read(folder)
        origin = result.envelope.origin
        state = {"runs": result.envelope.settings.rounds, "failed": [], "pending": 0, "began": origin.began}
        return state | {"rows": _rows(result), "ratios": _ratios(result), "host": origin.host}


def _settings(setup: Setup) -> OneWaySettings:
    runs = scale_for(setup.factor, RUNS, DURATION).runs
    return OneWaySettings(SIZES, tuple(WAYS), runs, _DURATION, setup.cpus, _LAPS)


def _rows(result: OneWay) -> list[dict[str, Any]]:
    return [
        {
            "way": way,
            "bytes": size,
            "us": seven_figures(result.times(way, size) / 1e3),
            "runs": len(result.laps(way, size)),
        }
        for way in WAYS
        for size in SIZES
    ]


def _ratios(result: OneWay) -> list[dict[str, Any]]:
    """Return how many times as fast messages are inside a process, by the medians of the same laps."""
    return [
        {"of": of, "to": to, "bytes": size, **plain(over_rounds(ratios))}
        for of, to in _RATIOS
        for size in SIZES
        if (ratios := result.ratios(of, to, size))
    ]


TRANSPORT = TransportPart()
