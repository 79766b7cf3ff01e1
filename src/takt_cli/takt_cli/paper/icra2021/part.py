# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A part of the paper: ten minutes of cycles on one kernel, with or without stress, under several executors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec

from takt_cli.analysis.cyclic import PRINTED, Cycles, DelayFigures, cyclic_summary, read_cyclic
from takt_cli.measurements.cyclic import CYCLIC
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
    part_state,
    rows_of,
    thin_points,
)
from takt_cli.paper.icra2021.cases import HERE, PERIOD, Case, host_kernel, place_of_run
from takt_cli.results.communication import CYCLIC_FORMAT, CyclicSettings
from takt_cli.results.conditions import Conditions
from takt_cli.results.structures import extended
from takt_cli.run.in_guest import GUEST, THIS_KERNEL, OnKernel
from takt_cli.spec.real_time import PARTS, RealTime
from takt_cli.statistics.slope import stretch_medians
from takt_cli.surroundings.load import PRESETS

LOAD = PRESETS["icra"]
EXECUTORS = ("takt", "baseline0", "baseline1", "control")
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
    kernel: str
    stress: bool
    rows: list[CycleRow]


@dataclass(frozen=True)
class RunPart(CommunicationPart):
    """A part that makes one of the paper's runs of ROS 2."""

    transport_option: ClassVar[str] = "--executor"
    case: Case
    figures: type[CycleFigures] = CycleFigures

    @property
    def name(self) -> str:
        return self.case.name

    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        asked = setup.settings
        place = place_of_run(self.case.kernel, asked.kernel, host_kernel())
        if place is None:
            return []
        variants, absent = self.variants(setup, EXECUTORS, [RealTime(frozenset(PARTS))])
        settings = CyclicSettings(
            variants=variants,
            absent=absent,
            period=PERIOD,
            timeout=asked.timeout,
            duration=max(round(LENGTH * asked.scale), SHORTEST_RUN if place == HERE else SHORTEST),
            warmup=SECOND,
            cpus=asked.cpus if place == HERE else (0,),
            conditions=Conditions(LOAD) if self.case.stress else Conditions(),
        )
        kernel = THIS_KERNEL if place == HERE else OnKernel(GUEST[str(asked.kernel)])
        seconds = settings.seconds + settings.parts * TURN_OVERHEAD
        return [PartMeasurement("run", settings, partial(CYCLIC.make, settings, kernel=kernel, seconds=seconds))]

    def statistics(self, folder: Path) -> CycleFigures:
        state = part_state(folder, CYCLIC_FORMAT)
        rows = [row for name in state.names for row in _rows(folder / name)]
        return extended(state.figures, CycleFigures, kernel=self.case.kernel, stress=self.case.stress, rows=rows)


def _rows(folder: Path) -> list[CycleRow]:
    read = read_cyclic(folder)
    variants = cyclic_summary(read).variants
    further = {
        name: {"executor": figures.transport, "points": {which: points(read, name, which) for which in PRINTED}}
        for name, figures in variants.items()
    }
    return rows_of(CycleRow, [read.measurement], variants, further.__getitem__)


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
