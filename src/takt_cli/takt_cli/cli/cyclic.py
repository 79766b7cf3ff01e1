# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure cyclic`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.cyclic import read_cyclic
from takt_cli.analysis.cyclic import summary_of as cyclic_figures
from takt_cli.cli.communication import Common, communication_options, measured
from takt_cli.cli.options import PERIOD
from takt_cli.errors import UsageError
from takt_cli.report.cyclic_table import cyclic_report
from takt_cli.report.trips_drawn import cyclic_plots
from takt_cli.run.cyclic import EXECUTOR_NAMES, INSIDE, THROUGH, CyclicSettings, run_cyclic
from takt_cli.run.sides import LINK
from takt_cli.run.transports import TRANSPORTS

_DEFAULT = ("takt", "baseline0", "baseline1", "control")


# Less has no slope.
@click.command(
    "cyclic",
    short_help="Cycles of request and response, and whether their delays accumulate.",
    context_settings={"default_map": {"duration": "20"}},
)
@click.option(
    "--executor",
    "names",
    multiple=True,
    metavar="E",
    help=f"{', '.join(EXECUTOR_NAMES)}; more may follow [default: {', '.join(_DEFAULT)}].",
)
@click.argument("more", nargs=-1, metavar="[E]...")
@click.option(
    "--through",
    type=click.Choice(THROUGH),
    help="Inside the process, over the RMW in one (takt and baseline0; to the others that is the same), or over the "
    "link of --link between two  [default: process, or link with --link].",
)
@click.option(
    "--payload", type=click.IntRange(0, 64 * 2**20), default=64, show_default=True, metavar="BYTES", help="A message."
)
@click.option("--period", type=PERIOD, default="1ms", show_default=True, help="Of the controller.")
@click.option("--timeout", type=PERIOD, default="500ms", show_default=True, help="No response within it is a loss.")
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
    """The ICRA test: a controller cycles, sends a request and gets a response from a second component. The
    delays of cycle, request and response, above the smallest one seen, and their accumulation: a slope
    over time with its interval, which must lie inside 1 us a minute either way to count as none.

    baseline1 is two processes, and over the RMW wherever it runs; control is written with system calls
    alone. A verdict on the slope takes some minutes: --duration 120 --rounds 2, say.

    \b
    Examples:
      takt measure cyclic --executor takt control --duration 60
      takt measure cyclic --through middleware --load icra --load-scale --duration 120
    """
    way = through or (LINK if common.conditions.link else INSIDE)
    if (way == LINK) != (common.conditions.link is not None):
        raise UsageError("--through link and --link go together; give both, or neither")
    asked = [part.strip() for text in names + more for part in text.split(",")]
    known = [each for each in EXECUTOR_NAMES if way != LINK or each != "baseline0"]
    if asked and not set(asked) <= set(known):
        wrong = next(each for each in asked if each not in known)
        raise UsageError(f"--executor {wrong}: is not to be had through the {way}; give some of {', '.join(known)}")
    chosen = [TRANSPORTS[each] for each in dict.fromkeys(asked or known) if asked or each in _DEFAULT]
    settings = CyclicSettings(
        **common.variants(chosen, "cyclic", bool(asked)),
        **common.given,
        payload=payload,
        period=period,
        timeout=timeout,
        through=way,
    )

    def finish(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
        read = read_cyclic(folder)
        summary = cyclic_figures(read)
        return summary, cyclic_plots(read, summary)

    measured(
        "cyclic",
        "cyclic",
        common,
        settings,
        run_cyclic,
        finish,
        cyclic_report,
    )
