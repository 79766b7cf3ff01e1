# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure cyclic`: delays of request and response cycles, and whether they accumulate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.cyclic import read_cyclic
from takt_cli.analysis.cyclic import summarise_cycles as cyclic_figures
from takt_cli.chart.chart import Chart
from takt_cli.cli.communication import Common, communication_options, run_measurement
from takt_cli.errors import UsageError
from takt_cli.options.common import PERIOD
from takt_cli.report.charts.trips import cyclic_charts
from takt_cli.report.tables.cyclic import cyclic_report
from takt_cli.run.cyclic import EXECUTOR_NAMES, INSIDE, THROUGH, CyclicSettings, run_cyclic
from takt_cli.run.sides import LINK
from takt_cli.run.transports import TRANSPORTS

_DEFAULT = ("takt", "baseline0", "baseline1", "control")


# Rounds shorter than 20 s get no slope.
@click.command(
    "cyclic",
    short_help="Request-response cycles: delays, and whether they accumulate.",
    context_settings={"default_map": {"duration": "20"}},
)
@click.option(
    "--executor",
    "names",
    multiple=True,
    metavar="EXECUTOR",
    help=f"What to measure: {', '.join(EXECUTOR_NAMES)}. Further names may follow, separated by spaces "
    f"[default: {', '.join(_DEFAULT)}].",
)
@click.argument("more", nargs=-1, metavar="[EXECUTOR]...")
@click.option(
    "--through",
    type=click.Choice(THROUGH),
    help="How the messages travel: inside one process (process); in one process but over the RMW (middleware; this "
    "differs for takt and baseline0 only); or between two processes over the link that --link makes (link) "
    "[default: process, or link with --link].",
)
@click.option(
    "--payload",
    type=click.IntRange(0, 64 * 2**20),
    default=64,
    show_default=True,
    metavar="BYTES",
    help="Payload of each request and response, in bytes.",
)
@click.option(
    "--period", type=PERIOD, default="1ms", show_default=True, help="Period of the controller's cycle, above 0."
)
@click.option(
    "--timeout",
    type=PERIOD,
    default="500ms",
    show_default=True,
    help="A response that has not come within this time counts as lost; above 0.",
)
@communication_options
def cyclic(
    names: tuple[str, ...],
    more: tuple[str, ...],
    through: str | None,
    payload: int,
    period: int,
    timeout: int,
    common: Common,
) -> None:
    """Measure a periodic controller that sends a request in each cycle and gets a response from a second component.

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
    """
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
    settings = CyclicSettings(
        **common.variants(chosen, "cyclic", bool(requested_names), "--executor"),
        **common.options_given,
        payload=payload,
        period=period,
        timeout=timeout,
        through=way,
    )

    def finish(folder: Path) -> tuple[dict[str, Any], dict[str, Chart]]:
        read = read_cyclic(folder)
        summary = cyclic_figures(read)
        return summary, cyclic_charts(read, summary)

    run_measurement(
        "cyclic",
        "cyclic",
        common,
        settings,
        run_cyclic,
        finish,
        cyclic_report,
    )
