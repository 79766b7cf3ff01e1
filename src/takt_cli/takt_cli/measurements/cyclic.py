# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure cyclic`: delays of request and response cycles, and whether they accumulate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from takt_cli.analysis.cyclic import PRINTED, Cycles, cyclic_summary, read_cyclic
from takt_cli.comparison.figures import Figure, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import Comparison, Measurement
from takt_cli.measurements.round_trip import MAY_DIFFER, faults, tools_of
from takt_cli.options.common import PERIOD
from takt_cli.options.communication import Common, communication_options
from takt_cli.report.kinds.cyclic import cyclic_report, cyclic_title
from takt_cli.report.kinds.trips import cyclic_charts
from takt_cli.results.communication import CYCLIC_FORMAT, INSIDE, LINK, TRANSPORTS, CyclicSettings
from takt_cli.run.cyclic import EXECUTOR_NAMES, THROUGH, run_cyclic
from takt_cli.run.in_guest import OnKernel

_DEFAULT = ("takt", "baseline0", "baseline1", "control")

_OPTIONS = (
    click.option(
        "--executor",
        "names",
        multiple=True,
        metavar="EXECUTOR",
        help=f"What to measure: {', '.join(EXECUTOR_NAMES)}. Further names may follow, separated by spaces "
        f"[default: {', '.join(_DEFAULT)}].",
    ),
    click.argument("more", nargs=-1, metavar="[EXECUTOR]..."),
    click.option(
        "--through",
        type=click.Choice(THROUGH),
        help="How the messages travel: inside one process (process); in one process but over the RMW (middleware; this "
        "differs for takt and baseline0 only); or between two processes over the link that --link makes (link) "
        "[default: process, or link with --link].",
    ),
    click.option(
        "--payload",
        type=click.IntRange(0, 64 * 2**20),
        default=64,
        show_default=True,
        metavar="BYTES",
        help="Payload of each request and response, in bytes.",
    ),
    click.option(
        "--period", type=PERIOD, default="1ms", show_default=True, help="Period of the controller's cycle, above 0."
    ),
    click.option(
        "--timeout",
        type=PERIOD,
        default="500ms",
        show_default=True,
        help="A response that has not come within this time counts as lost; above 0.",
    ),
    # Rounds shorter than 20 s get no slope.
    communication_options("20"),
)


def _settings(
    names: tuple[str, ...],
    more: tuple[str, ...],
    through: str | None,
    payload: int,
    period: int,
    timeout: int,
    common: Common,
    kernel: OnKernel,  # noqa: ARG001 - the CPUs of `common` follow from it
) -> CyclicSettings:
    way = through or (LINK if common.conditions.link else INSIDE)
    if (way == LINK) != (common.conditions.link is not None):
        raise UsageError("--through link and --link go together; give both, or neither")
    requested_names = [part.strip() for text in names + more for part in text.split(",")]
    known_names = [each for each in EXECUTOR_NAMES if way != LINK or each != "baseline0"]
    if requested_names and not set(requested_names) <= set(known_names):
        wrong_name = next(each for each in requested_names if each not in known_names)
        raise UsageError(
            f"--executor {wrong_name}: is not available with --through {way}; give some of {', '.join(known_names)}"
        )
    chosen = [
        TRANSPORTS[each]
        for each in dict.fromkeys(requested_names or known_names)
        if requested_names or each in _DEFAULT
    ]
    return CyclicSettings(
        **common.settings(chosen, "cyclic", bool(requested_names), "--executor"),
        payload=payload,
        period=period,
        timeout=timeout,
        through=way,
    )


def _figures(cycles: Cycles) -> dict[str, Sequence[Figure[Any]]]:
    return {
        name: [
            *(
                quantile
                for which in PRINTED
                for quantile in quantiles(
                    f"{which} delay", "us", [(each.instants, each.values / 1000) for each in cycles.delays(name, which)]
                )
            ),
            *faults(cycles.trips(name)),
        ]
        for name in cycles.rows
    }


CYCLIC = Measurement(
    short_help="Request-response cycles: delays, and whether they accumulate.",
    help="""
    Measure a periodic controller that sends a request in each cycle and gets a response from a second component.

    For engineers of control loops, and for researchers who repeat the ICRA 2021 comparison of ROS 2 and OROCOS.
    Reports the delays of cycle, request and response above the smallest one seen, and whether they accumulate: the
    slope over time, in us per minute, with its 95 % interval. No accumulation means that the whole interval lies
    within -1 to 1 us per minute. A verdict on the slope takes some minutes, such as --duration 120 --rounds 2;
    rounds below 20 s have no slope.

    takt, baseline0 and baseline1 run ROS 2 nodes: under takt, on one executor that works as ROS 2's
    single-threaded one, and on one such executor and process per node (so always over the RMW). fastdds,
    cyclonedds and udp are raw transports without ROS. control uses system calls alone: a delay that grows there as
    well is attributed to the host, not to an executor.

    \b
    Examples:
      takt measure cyclic --executor takt control --duration 60
      takt measure cyclic --through middleware --load icra --load-scale --duration 120
    """,
    options=_OPTIONS,
    settings=_settings,
    format=CYCLIC_FORMAT,
    programs=("probe", "cyclic"),
    tools=tools_of,
    run=run_cyclic,
    read=read_cyclic,
    summarise=cyclic_summary,
    title=cyclic_title,
    tables=cyclic_report,
    charts=cyclic_charts,
    verdicts=lambda summary: {name: figures.verdict for name, figures in summary.variants.items()},
    comparison=Comparison(
        subject=lambda settings: f"cyclic, {settings.payload} bytes", may_differ=MAY_DIFFER, figures=_figures
    ),
)
MEASUREMENTS = (CYCLIC,)
