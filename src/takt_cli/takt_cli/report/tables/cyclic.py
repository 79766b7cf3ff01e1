# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure cyclic` for the terminal: cycles of request and response."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import NONE, format_count, format_number, format_slope, format_spread
from takt_cli.report.tables.round_trip import format_faults, remarks
from takt_cli.report.tables.run import STYLES
from takt_cli.spec.units import format_size
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE

_THROUGH_NAMES = {"process": "inside the process", "middleware": "over the RMW", "link": "over a link"}
_SLOPE_STYLES = {INSIDE: "green", OUTSIDE: "red"}


def cyclic_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: a row for each delay of each variant, the conditions, the verdicts and their reasons."""
    bound = format_number(summary["bound_us_per_min"])
    title = (
        f"cycles of {format_number(summary['period_ms'])} ms, request and response of "
        f"{format_size(summary['payload_bytes'])} "
        f"{_THROUGH_NAMES[summary['through']]}, {conditions_phrase(summary['conditions'])}, "
        f"{summary['rounds']} x {format_number(summary['duration_s'])} s"
    )
    table = Table(title=title, title_justify="left")
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
    for metrics in summary["variants"].values():
        outcome = metrics["verdict"].outcome
        first = [
            f"{metrics['transport']}\n{metrics['rmw'] or 'raw'}",
            metrics["real_time"]["label"],
            format_count(metrics["sent"]),
            format_faults(metrics),
        ]
        for number_, (name, delay) in enumerate(metrics["delays"].items()):
            within_bound = delay["within_bound"]
            table.add_row(
                *(first if number_ == 0 else [""] * 4),
                name,
                format_number(delay["least_us"]),
                format_spread(delay["aligned_us"], ""),
                format_slope(delay["slope"]),
                NONE if within_bound is None else Text(within_bound, style=_SLOPE_STYLES.get(within_bound, "yellow")),
                Text(outcome, style=STYLES[outcome]) if number_ == 0 else "",
                end_section=number_ == len(metrics["delays"]) - 1,
            )
    return [
        table,
        "delays are relative to the smallest one of the run; `on grid`: measured from the ideal instant of the cycle; "
        f"slope: inside if its whole interval lies within \u00b1{bound} us a minute, outside if none of it does, the "
        "growth exceeds the spread of single delays, and the control does not grow in the same way",
        *(
            Text(f"{name}: {which} delay: {delay['why']}", style="dim")
            for name, metrics in summary["variants"].items()
            for which, delay in metrics["delays"].items()
            if delay["why"] and delay["slope"].slope is not None
        ),
        *remarks(summary, folder),
    ]
