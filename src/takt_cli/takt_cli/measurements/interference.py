# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure interference`: how much other activity delays the most urgent task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.interference import (
    CaseMeasurement,
    InterferenceResult,
    InterferenceSummary,
    interference_summary,
    read_interference,
)
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.host.cpus import another_cpu, choose_cpu
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.interference import interference_charts, interference_report, interference_title
from takt_cli.results.interference import INTERFERENCE_FORMAT, InterferenceSettings, Variant
from takt_cli.run.interference import run_interference
from takt_cli.run.transports import missing_transports, require_built
from takt_cli.spec.executors import TAKT_RCLCPP
from takt_cli.spec.interference import FRONT_ENDS, MAX_SECTION, MUTEXES, Case, choose_cases, read_cases
from takt_cli.spec.units import format_duration


def _settings(
    names: tuple[str, ...],
    file: Path | None,
    front_ends: tuple[str, ...],
    rmws: tuple[str, ...],
    mutexes: tuple[str, ...],
    sections: tuple[int, ...],
    heaps: tuple[int, ...],
    rounds: int,
    turn: int,
    cpu: int | None,
) -> InterferenceSettings:
    cases = choose_cases(read_cases(file), names)
    measured_cpu = choose_cpu(cpu)
    other_cpu = another_cpu(measured_cpu)
    variants, absent = _variants(cases, front_ends, rmws, mutexes, sections, heaps, one_cpu=other_cpu is None)
    return InterferenceSettings(variants, rounds, turn, measured_cpu, other_cpu, absent)


def _variants(
    cases: Sequence[Case],
    front_ends: Sequence[str],
    rmws: Sequence[str],
    mutexes: Sequence[str],
    sections: Sequence[int],
    heaps: Sequence[int],
    *,
    one_cpu: bool = False,
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Return the variants to measure, and a line for each front end that this build lacks and each case that needs
    another CPU where there is only one.

    Raises a HostError if a lacking front end was asked for by --front-end, a UsageError if no variant is left.
    """
    require_built(front_ends, "--front-end")
    wanted_front_ends = [front for case in cases for front in case.front_ends]
    needing = [case for case in cases if one_cpu and case.cpu == "other"]
    missing_programs = missing_transports("round_trip") if TAKT_RCLCPP in wanted_front_ends and not front_ends else {}
    variants = tuple(
        Variant(case, front, rmw, each, section, heap)
        for case in cases
        if case not in needing
        for front in case.front_ends
        if front not in missing_programs and (not front_ends or front in front_ends)
        for rmw in (rmws or case.rmws or (None,))
        for each in mutexes
        for section in sections
        for heap in heaps
    )
    if not variants:
        raise UsageError(
            "no case is left: none has a front end that this build has and --front-end allows, and a CPU for each of "
            "its tasks"
        )
    absent = [f"{TAKT_RCLCPP}: {missing_programs[TAKT_RCLCPP]}"] if TAKT_RCLCPP in missing_programs else []
    absent += [f"{case.name}: needs a second CPU, and this process may use one only" for case in needing]
    return variants, tuple(absent)


def _figures(result: InterferenceResult, _: InterferenceSummary) -> dict[str, Sequence[Figure[Any]]]:
    return {each.variant.name: _figures_of(each) for each in result.measurements}


def _figures_of(measurement: CaseMeasurement) -> list[Figure[Any]]:
    figures: list[Figure[Any]] = []
    for name, active in (("with the activity", True), ("without it", False)):
        turns = measurement.turns(active)
        rounds = [turns.round == number for number in np.unique(turns.round)]
        delays = [(turns.release[each], turns.delay[each] / 1000) for each in rounds]
        figures += quantiles(f"start delay {name}", "us", delays)
        figures.append(Share(f"missed {name}", "%", [turns.missed[each] for each in rounds]))
    return figures


INTERFERENCE = Measurement(
    usage=read_usage(
        __name__,
        front_ends=FRONT_ENDS,
        mutexes=MUTEXES,
        section=[format_duration(MAX_SECTION)],
    ),
    settings=_settings,
    format=INTERFERENCE_FORMAT,
    programs=("probe", "interference"),
    run=run_interference,
    read=read_interference,
    summarise=interference_summary,
    title=interference_title,
    tables=interference_report,
    charts=interference_charts,
    comparison=ComparisonRules(
        subject=lambda _: "interference",
        may_differ=frozenset({"rounds", "variants", "cpu", "other_cpu", "absent"}),
        figures=_figures,
    ),
)
MEASUREMENTS = (INTERFERENCE,)
