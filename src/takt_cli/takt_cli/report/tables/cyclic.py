# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure cyclic`: cycles of request and response."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.cyclic import CyclicSummary
from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import NONE, format_count, format_number, format_slope, format_spread
from takt_cli.report.tables.round_trip import format_faults, remarks
from takt_cli.report.tables.run import STYLES
from takt_cli.spec.units import format_size
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE

_THROUGH_NAMES = {"process": "inside the process", "middleware": "over the RMW", "link": "over a link"}
_SLOPE_STYLES = {INSIDE: "green", OUTSIDE: "red"}


def cyclic_title(summary: CyclicSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        f"Cycles of {format_number(summary.period_ms)} ms, request and response of "
        f"{format_size(summary.payload_bytes)} {_THROUGH_NAMES[summary.through]}, "
        f"{conditions_phrase(summary.conditions)}, {summary.rounds} x {format_number(summary.duration_s)} s"
    )


def cyclic_report(summary: CyclicSummary) -> list[RenderableType]:
    """Return the report: a row for each delay of each variant, and remarks."""
    bound = format_number(summary.bound_us_per_min)
    table = Table(title=cyclic_title(summary), title_justify="left")
    for name in ("executor", "settings"):
        table.add_column(name)
    table.add_column("cycles", justify="right")
    table.add_column("lost \u00b7 missed \u00b7 skipped\n(due to host)", justify="right")
    table.add_column("delay")
    table.add_column("smallest\nus", justify="right")
    table.add_column("above it, us\np50 \u00b7 p99 \u00b7 max", justify="right", no_wrap=True)
    table.add_column("slope, us/min\n(95 %)", justify="right", no_wrap=True)
    table.add_column(f"within\n\u00b1{bound} us/min")
    table.add_column("verdict")
    for figures in summary.variants.values():
        outcome = figures.verdict.outcome
        first = [
            f"{figures.transport}\n{figures.rmw or 'raw'}",
            figures.real_time.label,
            format_count(figures.sent),
            format_faults(figures),
        ]
        for number, (name, delay) in enumerate(figures.delays.items()):
            within = delay.within_bound
            table.add_row(
                *(first if number == 0 else [figures.transport, "", "", ""]),
                name,
                format_number(delay.least_us),
                format_spread(delay.aligned_us, ""),
                format_slope(delay.slope),
                NONE if within is None else Text(within, style=_SLOPE_STYLES.get(within, "yellow")),
                Text(outcome, style=STYLES[outcome]) if number == 0 else "",
                end_section=number == len(figures.delays) - 1,
            )
    return [
        table,
        "delays are relative to the smallest one of the run; `on grid`: measured from the ideal instant of the cycle; "
        f"slope: inside if its whole interval lies within \u00b1{bound} us a minute, outside if none of it does, the "
        "growth exceeds the spread of single delays, and the control does not grow in the same way",
        *(
            f"{name}: {which} delay: {delay.why}"
            for name, figures in summary.variants.items()
            for which, delay in figures.delays.items()
            if delay.why and delay.slope.slope is not None
        ),
        *remarks(summary, summary.variants),
    ]
