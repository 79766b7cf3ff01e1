# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure cyclic`: cycles of request and response."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.cyclic import CyclicSummary
from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import format_slope, format_spread
from takt_cli.report.kinds.round_trip import format_faults, remarks
from takt_cli.report.tables.rows import Row, table_of, verdict_text
from takt_cli.report.texts import REMARKS
from takt_cli.report.values import Value, format_number
from takt_cli.spec.units import format_size
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE

_THROUGH_NAMES = {"process": "inside the process", "middleware": "over the RMW", "link": "over a link"}
_ABOVE, _SLOPE = "above it, us\np50 · p99 · max", "slope, us/min\n(95 %)"
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
    within = f"within\n±{bound} us/min"
    rows = []
    for figures in summary.variants.values():
        first: dict[str, Value] = {
            "executor": f"{figures.transport}\n{figures.rmw or 'raw'}",
            "settings": figures.real_time.label,
            "cycles": figures.sent,
            "lost · missed · skipped\n(due to host)": format_faults(figures),
        }
        for number, (name, delay) in enumerate(figures.delays.items()):
            row: dict[str, Value] = {
                **(first if number == 0 else dict.fromkeys(first, "") | {"executor": figures.transport}),
                "delay": name,
                "smallest\nus": delay.least_us,
                _ABOVE: format_spread(delay.aligned_us, ""),
                _SLOPE: format_slope(delay.slope),
                within: delay.within_bound
                and Text(delay.within_bound, style=_SLOPE_STYLES.get(delay.within_bound, "yellow")),
                "verdict": verdict_text(figures.verdict) if number == 0 else "",
            }
            rows.append(Row(row, ends_section=number == len(figures.delays) - 1))
    return [
        table_of(
            cyclic_title(summary), rows, ("executor", "settings", "delay", within, "verdict"), no_wrap=(_ABOVE, _SLOPE)
        ),
        REMARKS["cyclic"].format(bound=bound),
        *(
            f"{name}: {which} delay: {delay.why}"
            for name, figures in summary.variants.items()
            for which, delay in figures.delays.items()
            if delay.why and delay.slope.slope is not None
        ),
        *remarks(summary, summary.variants),
    ]
