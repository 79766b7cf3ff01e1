# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure interference`: how much other activity delays the most urgent task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from takt_cli.analysis.interference import (
    CaseMeasurement,
    InterferenceResult,
    interference_summary,
    read_interference,
)
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.host.cpus import another_cpu, choose_cpu
from takt_cli.measurements.measurement import Comparison, Measurement
from takt_cli.options.common import Positive, cpu_option
from takt_cli.report.kinds.interference import interference_charts, interference_report, interference_title
from takt_cli.results.interference import INTERFERENCE_FORMAT, InterferenceSettings, Variant
from takt_cli.run.interference import run_interference
from takt_cli.run.transports import missing_transports, require_built
from takt_cli.spec.executors import TAKT_RCLCPP
from takt_cli.spec.interference import FRONT_ENDS, MAX_SECTION, MUTEXES, Case, choose_cases, read_cases
from takt_cli.spec.units import format_duration

_OPTIONS = (
    click.argument("names", nargs=-1, metavar="[CASE]..."),
    click.option(
        "--cases",
        "file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="YAML file with cases of your own [default: the cases that come with takt].",
    ),
    click.option(
        "--front-end",
        "front_ends",
        type=click.Choice(FRONT_ENDS),
        multiple=True,
        help="Kind of nodes: takt's, or rclcpp's under takt's executor; may be repeated [default: those of each case, "
        "as far as this build has them].",
    ),
    click.option(
        "--rmw",
        "rmws",
        multiple=True,
        metavar="RMW",
        help="ROS 2 middleware (RMW) to measure over, by its full name; may be repeated [default: those of each case, "
        "else the one that the environment selects].",
    ),
    click.option(
        "--mutexes",
        type=click.Choice(MUTEXES),
        multiple=True,
        default=MUTEXES[:1],
        show_default=True,
        help="Mutexes of the middleware: ordinary ones (plain), or with priority inheritance, by "
        "libtakt_inheritance.so (inherit); may be repeated.",
    ),
    click.option(
        "--max-section",
        "sections",
        type=Positive(),
        multiple=True,
        default=(format_duration(MAX_SECTION),),
        show_default=True,
        help="Longest time that a callback inside the middleware keeps other callbacks from starting (max_section of "
        "the executor's options), above 0; 100s: in effect until it has left the middleware. May be repeated.",
    ),
    click.option(
        "--kept-heap",
        "heaps",
        type=click.IntRange(0, 2**31 - 1),
        multiple=True,
        default=(0,),
        show_default=True,
        metavar="BYTES",
        help="Freed memory that each arena of malloc keeps instead of returning it to the kernel (the executor's "
        "option kept_heap), in bytes; 0: malloc's own rule. May be repeated.",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1, 1000),
        default=5,
        show_default=True,
        metavar="N",
        help="Number of rounds; each has one turn with the other activity and one without.",
    ),
    click.option("--turn", type=Positive(), default="1s", show_default=True, help="Length of a turn, above 0."),
    cpu_option,
)


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


def _figures(result: InterferenceResult) -> dict[str, Sequence[Figure[Any]]]:
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
    short_help="How much other activity delays the most urgent task.",
    help="""
    Measure how much a less urgent task, or a change of the application, delays the most urgent task.

    For engineers who add heavy traffic, or nodes that come and go, to an application with a fast control loop. The most
    urgent task is a timer of 1 kHz with priority 98 under `fp`, on one CPU. In each CASE [default: all] it takes turns,
    in one process, with and without the other activity: messages of megabytes to and from another process, a reader
    that is stopped, nodes that are added and removed, discovery, simulated time. All callbacks are in reentrant groups,
    so that none has to wait for another by the application's own rules.

    Reports, for turns with and without the activity: missed and skipped releases; the delay from the instant at which
    each job was due to its start, and the ratio of the delays with and without the activity; waits for objects of the
    middleware and for mutexes that the executor counted; and the stalls of the host that a probe saw.

    \b
    Examples:
      takt measure interference publish-large stopped-reader --rounds 8
      takt measure interference --cases mine.yaml --front-end takt --json
    """,
    options=_OPTIONS,
    settings=_settings,
    format=INTERFERENCE_FORMAT,
    programs=("probe", "interference"),
    run=run_interference,
    read=read_interference,
    summarise=interference_summary,
    title=interference_title,
    tables=interference_report,
    charts=interference_charts,
    comparison=Comparison(
        subject=lambda _: "interference",
        may_differ=frozenset({"rounds", "variants", "cpu", "other_cpu", "absent"}),
        figures=_figures,
    ),
)
MEASUREMENTS = (INTERFERENCE,)
