# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure round-trip`, and remarks that measurements of communication share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.round_trip import RoundTripSummary
from takt_cli.analysis.trips import Outcomes
from takt_cli.analysis.variants import InterleavedSummary, VariantFigures
from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import NONE, format_count, format_interval, format_number, format_spread
from takt_cli.report.tables.run import STYLES
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import MedianOfRounds


def round_trip_title(summary: RoundTripSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        f"Round trips of {format_size(summary.payload_bytes)} every {format_number(summary.period_ms)} ms, "
        f"server: {summary.server}, {conditions_phrase(summary.conditions)}, "
        f"{summary.rounds} x {format_number(summary.duration_s)} s, {summary.qos.reliability}, "
        f"depth {summary.qos.depth}"
    )


def round_trip_report(summary: RoundTripSummary) -> list[RenderableType]:
    """Return the report: a row for each variant, and remarks."""
    table = Table(title=round_trip_title(summary), title_justify="left")
    for name in ("transport", "RMW", "settings"):
        table.add_column(name)
    table.add_column("sent", justify="right")
    table.add_column("lost \u00b7 missed \u00b7 skipped\n(due to host)", justify="right", no_wrap=True)
    table.add_column("full round trip, us\np50 \u00b7 p99 \u00b7 max", justify="right", no_wrap=True)
    table.add_column("from intended, us\np50 \u00b7 p99 \u00b7 max", justify="right", no_wrap=True)
    table.add_column("to raw Fast DDS\n(95 %)", justify="right", no_wrap=True)
    table.add_column("verdict")
    for figures in summary.variants.values():
        table.add_row(
            figures.transport,
            figures.rmw or "raw",
            figures.real_time.label,
            format_count(figures.sent),
            format_faults(figures),
            format_spread(figures.round_trip_us, ""),
            format_spread(figures.from_intended_us, ""),
            format_ratio(figures.ratio),
            Text(figures.verdict.outcome, style=STYLES[figures.verdict.outcome]),
        )
    return [
        table,
        f"missed: a reply after more than {format_number(summary.deadline_ms)} ms; lost: no reply within "
        f"{format_number(summary.timeout_ms)} ms; skipped: cycles in which no message was sent; "
        "due to host: all of these that overlap a stall of the host; "
        "from intended: measured from the instant at which the message was to be sent",
        *remarks(summary, summary.variants),
    ]


def format_faults(outcomes: Outcomes) -> str:
    """Format the numbers of lost, missed and skipped cycles, with those due to the host: `0 · 2 · 5 (3)`."""
    kinds = [outcomes.lost, outcomes.missed, outcomes.skipped]
    host = format_count(sum(each.host for each in kinds))
    return " \u00b7 ".join(format_count(each.n) for each in kinds) + f" ({host})"


def format_ratio(ratio: MedianOfRounds | None) -> str:
    """Format a ratio with its 95 % interval: `1.19 (1.13 to 1.24)`."""
    return NONE if ratio is None else f"{ratio.median:.2f} ({format_interval(ratio.low, ratio.high, '.2f')})"


def remarks(summary: InterleavedSummary, variants: Mapping[str, VariantFigures]) -> Iterable[RenderableType]:
    """Yield the lines below the tables of round trips and cycles: labels, stalls, rights that were not granted."""
    yield from (Text(f"label: {line}") for line in summary.labels)
    if summary.absent:
        yield Text(f"not available: {'; '.join(summary.absent)}", style="dim")
    stalls = [figures.stalls for figures in variants.values()]
    if not all(each.seen for each in stalls):
        yield Text("stalls of the host could not be observed: the probe got no real-time priority", style="yellow")
    else:
        longest_stall = max((each.length_us.max or 0 for each in stalls), default=0)
        n = sum(each.length_us.n for each in stalls)
        yield f"stalls of the host: {format_count(n)}, the longest {format_number(longest_stall)} us"
    refused: dict[str, list[str]] = {}
    for name, figures in variants.items():
        for line in figures.refused:
            refused.setdefault(line, []).append(name)
    for line, names in refused.items():
        variants_text = "" if len(names) == len(variants) else f"{'; '.join(names)}: "
        yield Text(f"not granted: {variants_text}{line}", style="yellow")
