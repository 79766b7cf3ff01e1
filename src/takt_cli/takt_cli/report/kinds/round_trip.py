# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure round-trip`, and remarks that measurements of communication share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.round_trip import RoundTripSummary
from takt_cli.analysis.trips import Outcomes
from takt_cli.analysis.variants import InterleavedSummary, Stalls
from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import format_range, format_spread
from takt_cli.report.tables.rows import not_granted, table_of, verdict_text, warnings
from takt_cli.report.texts import REMARKS
from takt_cli.report.values import format_count, format_number
from takt_cli.spec.units import format_size

_FAULTS, _RATIO = "lost · missed · skipped\n(due to host)", "to raw Fast DDS\n(95 %)"
_ROUND_TRIP, _INTENDED = "full round trip, us\np50 · p99 · max", "from intended, us\np50 · p99 · max"
_TEXTS, _NO_WRAP = ("transport", "RMW", "settings", "verdict"), (_FAULTS, _ROUND_TRIP, _INTENDED, _RATIO)


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
    rows = [
        {
            "transport": figures.transport,
            "RMW": figures.rmw or "raw",
            "settings": figures.real_time.label,
            "sent": figures.sent,
            _FAULTS: format_faults(figures),
            _ROUND_TRIP: format_spread(figures.round_trip_us, ""),
            _INTENDED: format_spread(figures.from_intended_us, ""),
            _RATIO: format_range(ratio.median, ratio.low, ratio.high, ".2f") if ratio else None,
            "verdict": verdict_text(figures.verdict),
        }
        for figures in summary.variants.values()
        for ratio in [figures.ratio]
    ]
    return [
        table_of(round_trip_title(summary), rows, _TEXTS, no_wrap=_NO_WRAP),
        REMARKS["round trip"].format(
            deadline=format_number(summary.deadline_ms), timeout=format_number(summary.timeout_ms)
        ),
        *remarks(summary, summary.variants),
    ]


class Observed(Protocol):
    """What the remarks need to know of a variant."""

    @property
    def stalls(self) -> Stalls: ...
    @property
    def refused(self) -> list[str]: ...


def format_faults(outcomes: Outcomes) -> str:
    """Format the numbers of lost, missed and skipped cycles, with those due to the host: `0 · 2 · 5 (3)`."""
    kinds = [outcomes.lost, outcomes.missed, outcomes.skipped]
    host = format_count(sum(each.host for each in kinds))
    return " \u00b7 ".join(format_count(each.n) for each in kinds) + f" ({host})"


def remarks(summary: InterleavedSummary, variants: Mapping[str, Observed]) -> Iterable[RenderableType]:
    """Yield the lines below the tables of round trips and cycles: labels, stalls, rights that were not granted."""
    yield from (Text(f"label: {line}") for line in summary.labels)
    if summary.absent:
        yield Text(f"not available: {'; '.join(summary.absent)}", style="dim")
    stalls = [figures.stalls for figures in variants.values()]
    if not all(each.seen for each in stalls):
        yield from warnings(["stalls of the host could not be observed: the probe got no real-time priority"])
    else:
        longest_stall = max((each.length_us.max or 0 for each in stalls), default=0)
        n = sum(each.length_us.n for each in stalls)
        yield f"stalls of the host: {format_count(n)}, the longest {format_number(longest_stall)} us"
    refused: dict[str, list[str]] = {}
    for name, figures in variants.items():
        for line in figures.refused:
            refused.setdefault(line, []).append(name)
    yield from not_granted(
        line if len(names) == len(variants) else f"{'; '.join(names)}: {line}" for line, names in refused.items()
    )
