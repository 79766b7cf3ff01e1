# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A part of the paper: ten minutes of cycles on one kernel, with or without stress, under several executors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from takt_cli.analysis.cyclic import DELAYS, PRINTED, Cycles, Delay, cyclic_summary, read_cyclic
from takt_cli.paper.communication import (
    MINUTE,
    SECOND,
    SHORTEST,
    TURN_OVERHEAD,
    CommunicationSetup,
    PartMeasurement,
    first_record,
    make_measurements,
    name_without_settings,
    part_state,
    thin_points,
)
from takt_cli.paper.icra2021.cases import HERE, PERIOD, Case, host_kernel, place_of_run
from takt_cli.results.json_file import plain
from takt_cli.run.cyclic import CyclicSettings, run_cyclic
from takt_cli.run.in_guest import GUEST, OnKernel
from takt_cli.run.progress import Progress
from takt_cli.run.real_time import PARTS, RealTime
from takt_cli.statistics.slope import stretch_medians
from takt_cli.surroundings.load import PRESETS, describe_load
from takt_cli.surroundings.setup import Conditions

LOAD = PRESETS["icra"]
EXECUTORS = ("takt", "baseline0", "baseline1", "control")
# Programs of the system that a guest needs to make the load.
TOOLS = ("stress-ng",)
LENGTH = 10 * MINUTE
# Shorter runs have no slope.
SHORTEST_RUN = 20 * SECOND
_RECORDED_KEYS = ("transport", "raw", "rmw", "sent", "missed", "lost", "skipped", "delays", "refused", "verdict")
# The length of the part that the plots show enlarged, in cycles.
_ZOOM = 250


@dataclass(frozen=True)
class RunPart:
    """A part that makes one of the paper's runs of ROS 2."""

    case: Case

    @property
    def name(self) -> str:
        return self.case.name

    @property
    def description(self) -> str:
        return self.case.title

    def items(self, setup: CommunicationSetup) -> int:
        """Return the number of runs: 0 if its kernel is not available."""
        return sum(each.settings.parts for each in self.pieces(setup))

    def seconds(self, setup: CommunicationSetup) -> float:
        return sum(each.seconds for each in self.pieces(setup))

    def measure(self, setup: CommunicationSetup, folder: Path, progress: Progress, resume: bool) -> None:
        make_measurements(self.pieces(setup), folder, setup.command, progress, resume)

    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        """Return the measurement of the part, or an empty list if its kernel is not available."""
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

    def statistics(self, folder: Path) -> dict[str, Any]:
        state = part_state(folder)
        names: list[str] = state.pop("pieces")
        record = first_record(folder, names)
        return {
            **state,
            "kernel": self.case.kernel,
            "stress": self.case.stress,
            "duration_s": record.get("duration_ns", 0) / 1e9,
            "began": record.get("began"),
            "host": record.get("host"),
            "absent": record.get("absent", []),
            "virtual": record.get("virtual"),
            "rows": [row for name in names for row in _rows(folder / name, record)],
        }


def _in_guest(kernel: str, settings: CyclicSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Make the measurement in a guest with the kernel that this host does not run."""
    place, programs = OnKernel(GUEST[kernel]), ("cyclic", "probe")
    seconds = settings.seconds + settings.parts * TURN_OVERHEAD
    place.measure(run_cyclic, settings, folder, command, progress, programs=programs, seconds=seconds, tools=TOOLS)


def _rows(folder: Path, record: Any) -> list[dict[str, Any]]:
    summary, read = cyclic_summary(folder), read_cyclic(folder)
    load = describe_load((summary["conditions"] or {}).get("load"))
    return [
        {
            "executor": metrics["transport"],
            "variant": name_without_settings(name, record),
            **{key: plain(metrics[key]) for key in _RECORDED_KEYS},
            "runs": summary["rounds"],
            "bound_us_per_min": summary["bound_us_per_min"],
            "virtual": record.get("virtual") is not None,
            "load": load,
            "points": {which: points(read, name, which) for which in PRINTED},
            "folders": [str(folder.relative_to(folder.parent.parent))],
        }
        for name, metrics in summary["variants"].items()
    ]


def points(cycles: Cycles, name: str, delay: str) -> dict[str, Any]:
    """Return the points of the plots as pairs of s and us, relative to the smallest delay.

    `all` covers the whole run, `zoom` the cycles in its middle, and `drift` has the medians that the slope is fitted
    to.
    """
    delays: list[Delay] = cycles.delays(name, delay)
    assert delay in DELAYS
    first_delays = delays[0]
    middle = len(first_delays.instants) // 2
    part = slice(max(middle - _ZOOM // 2, 0), middle + _ZOOM // 2)
    begin = (
        float(first_delays.instants[part][0] - first_delays.instants.min()) / 1e9 if len(first_delays.instants) else 0.0
    )
    zoom = thin_points(first_delays.instants[part], first_delays.aligned[part])
    minutes, medians, _ = stretch_medians(first_delays.instants, first_delays.aligned)
    return {
        "all": [[s, ns / 1000] for s, ns in thin_points(first_delays.instants, first_delays.aligned, 600)],
        "zoom": [[begin + s, ns / 1000] for s, ns in zoom],
        "drift": [[60 * at, us] for at, us in zip(minutes.tolist(), medians.tolist(), strict=True)],
    }
