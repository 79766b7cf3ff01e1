# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure timers`: empty timers under several executors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from takt_cli.analysis.timers import Timers, read_timers, timers_summary
from takt_cli.comparison.figures import Figure, PerRound, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import Comparison, Measurement
from takt_cli.options.common import PERIOD, SECONDS_ABOVE_0, cpu_option
from takt_cli.options.kernel import cpu_on, kernel_option
from takt_cli.report.kinds.timers import timers_charts, timers_report, timers_title
from takt_cli.results.timers import TIMERS_FORMAT, TimersSettings
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.timers import parse_variant, run_timers
from takt_cli.run.transports import require_built
from takt_cli.spec.application import POLICIES

_DEFAULT = ("takt", "takt:np-rm", "baseline0")
_MOST_NODES, _SHORT_DURATION = 50, 60 * 10**9

_OPTIONS = (
    click.option(
        "--callbacks",
        type=click.IntRange(1, 100_000),
        required=True,
        metavar="N",
        help="Number of timers, each with an empty callback.",
    ),
    click.option(
        "--nodes",
        type=click.IntRange(1, 2000),
        metavar="M",
        help="Number of nodes that the timers are spread over, at most N [default: N, at most 50].",
    ),
    click.option("--period", type=PERIOD, required=True, help="Period of every timer, above 0, such as 10ms."),
    click.option(
        "--phases",
        type=click.Choice(["equal", "spread"]),
        default="equal",
        show_default=True,
        help="Phases of the timers: all due at the same instants (equal), or evenly spread over the period (spread).",
    ),
    click.option(
        "--duration",
        type=SECONDS_ABOVE_0,
        default="10",
        show_default=True,
        help="Measuring time per executor and round, above 0.",
    ),
    click.option(
        "--executor",
        "executors",
        multiple=True,
        metavar="EXECUTOR",
        help="Executors to measure: takt, takt:POLICY, baseline0; where takt was built with rclcpp also takt-rclcpp, "
        "takt-rclcpp:POLICY, rclcpp-single, rclcpp-multi and rclcpp-events. Further names may follow, separated by "
        f"spaces [default: {', '.join(_DEFAULT)}].",
    ),
    click.argument("more", nargs=-1, metavar="[EXECUTOR]..."),
    click.option(
        "--policy",
        type=click.Choice(POLICIES),
        help="Scheduling policy of takt and takt-rclcpp where their name gives none [default: rm].",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1, 1000),
        metavar="N",
        help="Number of rounds; each measures every executor once, in varying order [default: 3, or 1 if --duration "
        "is above a minute].",
    ),
    cpu_option,
    kernel_option,
)


def _settings(
    callbacks: int,
    nodes: int | None,
    period: int,
    phases: str,
    duration: int,
    executors: tuple[str, ...],
    more: tuple[str, ...],
    policy: str | None,
    rounds: int | None,
    cpu: int | None,
    kernel: OnKernel,
) -> TimersSettings:
    chosen = tuple(dict.fromkeys(parse_variant(text, policy) for text in (executors + more) or _DEFAULT))
    count = min(callbacks, _MOST_NODES) if nodes is None else nodes
    if count > callbacks:
        raise UsageError(f"--nodes {count}: more than the {callbacks} callbacks; give at most {callbacks}")
    repeat = rounds or (3 if duration <= _SHORT_DURATION else 1)
    settings = TimersSettings(callbacks, count, period, phases, duration, repeat, cpu_on(kernel, cpu), chosen)
    require_built(each.executor for each in chosen)
    return settings


def _figures(timers: Timers) -> dict[str, Sequence[Figure[Any]]]:
    return {
        each.name: [
            PerRound("own CPU per callback", "us", timers.own(each.name)),
            PerRound("CPU of the process per callback", "us", timers.process(each.name)),
            *quantiles("release jitter", "us", [(at, delay / 1000) for at, delay in timers.delays(each)]),
        ]
        for each in timers.envelope.settings.everything
    }


TIMERS = Measurement(
    short_help="Empty timers: CPU time per callback, release jitter, drift.",
    help="""
    Measure what a timer callback costs under several executors: CPU time per callback, release jitter and drift.

    For engineers who choose an executor, and for researchers who compare them. The callbacks are empty, so what is
    measured is the executor. Floors, minimal programs without an executor, run in the same rounds: floor-loop, one
    thread with a heap of timers that sleeps until the next one; floor-wakeup, a timer thread that wakes a worker
    thread; and, if nodes of rclcpp are measured, floor-rclcpp, one thread that sleeps and calls their timers. CPU time
    per callback is given for the executor's own threads and for the whole process, and as a ratio to a floor:
    floor-rclcpp for nodes of rclcpp, floor-wakeup for preemptive policies, floor-loop for the others.

    \b
    Examples:
      takt measure timers --callbacks 50 --period 10ms --executor takt takt:np-rm baseline0
      takt measure timers --callbacks 1 --period 1ms --duration 600 --executor takt --json
      takt measure timers --callbacks 4 --period 10ms --duration 2 --kernel rt
      takt measure timers --callbacks 50 --period 10ms --executor takt-rclcpp rclcpp-events
    """,
    options=_OPTIONS,
    settings=_settings,
    format=TIMERS_FORMAT,
    programs=("probe", "timers"),
    run=run_timers,
    read=read_timers,
    summarise=timers_summary,
    title=timers_title,
    tables=timers_report,
    charts=timers_charts,
    comparison=Comparison(
        subject=lambda settings: f"timers, {settings.callbacks} callbacks",
        may_differ=frozenset({"rounds", "variants", "cpu"}),
        figures=_figures,
    ),
)
MEASUREMENTS = (TIMERS,)
