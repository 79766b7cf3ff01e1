# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A part of the paper: ten minutes of cycles on one kernel, with or without stress, under several executors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from takt_cli.analysis.cyclic import PRINTED, Cycles, DelayFigures, cyclic_summary, read_cyclic
from takt_cli.paper.communication import (
    MINUTE,
    SECOND,
    SHORTEST,
    TURN_OVERHEAD,
    CommunicationFigures,
    CommunicationPart,
    CommunicationSetup,
    PartMeasurement,
    Row,
    name_without_settings,
    part_state,
    row_of,
    thin_points,
)
from takt_cli.paper.icra2021.cases import HERE, PERIOD, Case, host_kernel, place_of_run
from takt_cli.results.communication import CYCLIC_FORMAT, CyclicSettings
from takt_cli.results.conditions import Conditions
from takt_cli.run.cyclic import run_cyclic
from takt_cli.run.in_guest import GUEST, OnKernel
from takt_cli.run.progress import Progress
from takt_cli.spec.real_time import PARTS, RealTime
from takt_cli.statistics.slope import stretch_medians
from takt_cli.surroundings.load import PRESETS, describe_load

LOAD = PRESETS["icra"]
EXECUTORS = ("takt", "baseline0", "baseline1", "control")
# Programs of the system that a guest needs to make the load.
TOOLS = ("stress-ng",)
LENGTH = 10 * MINUTE
# Shorter runs have no slope.
SHORTEST_RUN = 20 * SECOND
# The length of the part that the plots show enlarged, in cycles.
_ZOOM = 250


class Points(msgspec.Struct, frozen=True):
    """The points of the plots of a delay as pairs of s and us, relative to the smallest delay.

    `all` covers the whole run, `zoom` the cycles in its middle, and `drift` has the medians that the slope is fitted
    to.
    """

    all: list[tuple[float, float]]
    zoom: list[tuple[float, float]]
    drift: list[tuple[float, float]]


class CycleRow(Row, frozen=True, kw_only=True):
    """The delays of an executor, by name, with their slopes, and the points of those that the paper prints."""

    executor: str
    delays: dict[str, DelayFigures]
    points: dict[str, Points]


class CycleFigures(CommunicationFigures, frozen=True, kw_only=True):
    """The figures of a run."""

    kernel: str
    stress: bool
    rows: list[CycleRow]


@dataclass(frozen=True)
class RunPart(CommunicationPart):
    """A part that makes one of the paper's runs of ROS 2."""

    case: Case
    figures: type[CycleFigures] = CycleFigures

    @property
    def name(self) -> str:
        return self.case.name

    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        place = place_of_run(self.case.kernel, setup.kernel, host_kernel())
        if place is None:
            return []
        variants, absent = setup.variants(EXECUTORS, [RealTime(frozenset(PARTS))])
        settings = CyclicSettings(
            variants=variants,
            absent=tuple(absent),
            period=PERIOD,
            timeout=setup.timeout,
            duration=max(round(LENGTH * setup.factor), SHORTEST_RUN if place == HERE else SHORTEST),
            warmup=SECOND,
            cpus=setup.cpus if place == HERE else (0,),
            conditions=Conditions(LOAD) if self.case.stress else Conditions(),
        )
        run_on_host = partial(run_cyclic, settings)
        return [
            PartMeasurement(
                "run", settings, run_on_host if place == HERE else partial(_in_guest, str(setup.kernel), settings)
            )
        ]

    def statistics(self, folder: Path) -> CycleFigures:
        state = part_state(folder, CYCLIC_FORMAT)
        rows = [row for name in state.names for row in _rows(folder / name)]
        return CycleFigures(**state.figures, kernel=self.case.kernel, stress=self.case.stress, rows=rows)


def _in_guest(kernel: str, settings: CyclicSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Make the measurement in a guest with the kernel that this host does not run."""
    place, programs = OnKernel(GUEST[kernel]), ("cyclic", "probe")
    seconds = settings.seconds + settings.parts * TURN_OVERHEAD
    place.measure(run_cyclic, settings, folder, command, progress, programs=programs, seconds=seconds, tools=TOOLS)


def _rows(folder: Path) -> list[CycleRow]:
    read = read_cyclic(folder)
    summary, virtual = cyclic_summary(read), read.measurement.virtual
    further = {
        "runs": summary.rounds,
        "virtual": virtual,
        "load": describe_load(read.measurement.conditions.load),
        "folders": [str(folder.relative_to(folder.parent.parent))],
    }
    return [
        row_of(
            CycleRow,
            figures,
            further
            | {"executor": figures.transport, "variant": name_without_settings(name, virtual)}
            | {"points": {which: points(read, name, which) for which in PRINTED}},
        )
        for name, figures in summary.variants.items()
    ]


def points(cycles: Cycles, name: str, delay: str) -> Points:
    """Return the points of the plots of one delay of a variant."""
    first = cycles.delays(name, delay)[0]
    middle = len(first.instants) // 2
    part = slice(max(middle - _ZOOM // 2, 0), middle + _ZOOM // 2)
    begin = float(first.instants[part][0] - first.instants.min()) / 1e9 if len(first.instants) else 0.0
    minutes, medians, _ = stretch_medians(first.instants, first.aligned)
    return Points(
        all=[(s, ns / 1000) for s, ns in thin_points(first.instants, first.aligned, 600)],
        zoom=[(begin + s, ns / 1000) for s, ns in thin_points(first.instants[part], first.aligned[part])],
        drift=[(60 * at, us) for at, us in zip(minutes.tolist(), medians.tolist(), strict=True)],
    )
