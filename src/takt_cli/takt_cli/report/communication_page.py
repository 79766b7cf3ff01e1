# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of `takt measure round-trip` or `takt measure cyclic`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from takt_cli.analysis.cyclic import PRINTED, read_cyclic
from takt_cli.analysis.cyclic import summarise_cycles as cyclic_figures
from takt_cli.analysis.round_trip import read_round_trip
from takt_cli.analysis.round_trip import summarise_round_trips as round_trip_figures
from takt_cli.analysis.variants import ROUND_TRIP
from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.chart.chart import Chart
from takt_cli.report.charts.trips import cyclic_charts, round_trip_charts
from takt_cli.report.conditions import condition_lines, conditions_phrase
from takt_cli.report.formatting import (
    NONE,
    format_count,
    format_number,
    format_percentile,
    format_slope,
    format_spread_with_intervals,
)
from takt_cli.report.html import record_facts
from takt_cli.report.plotly_page import Card, Plot, Section, Table, study_page
from takt_cli.report.tables.round_trip import format_faults, format_ratio
from takt_cli.spec.units import format_size


def measured_page(folder: Path, kind: str) -> str:
    """Return the page as HTML. ResultError if `folder` does not hold a measurement of that kind."""
    if kind == ROUND_TRIP:
        trips = read_round_trip(folder)
        summary, record = round_trip_figures(trips), trips.measurement.record
        charts = round_trip_charts(trips, summary)
        table, subject = _trips_table(summary), f"Round trips of {format_size(summary['payload_bytes'])}"
    else:
        cycles = read_cyclic(folder)
        summary, record = cyclic_figures(cycles), cycles.measurement.record
        charts = cyclic_charts(cycles, summary)
        table, subject = _cycles_table(summary), f"Cycles of {format_number(summary['period_ms'])} ms"
    conditions = condition_lines(summary["conditions"])
    sections = [
        Section("overview", "Overview", conditions, tables=[table], cards=_cards(summary)),
        Section("plots", "Time series and distributions", plots=_plots(charts)),
    ]
    return study_page(
        f"{subject}, {conditions_phrase(summary['conditions'])}",
        _subtitle(summary),
        sections,
        record_facts(record),
        _notes(summary),
    )


def _subtitle(summary: dict[str, Any]) -> list[str]:
    qos = summary["qos"]
    return [
        f"every {format_number(summary['period_ms'])} ms",
        f"server: {summary['server']}" if "server" in summary else f"through the {summary['through']}",
        f"{summary['rounds']} x {format_number(summary['duration_s'])} s each, in turns",
        f"{qos['reliability']}, depth {qos['depth']}",
    ]


def _notes(summary: dict[str, Any]) -> list[str]:
    refused = dict.fromkeys(line for each in summary["variants"].values() for line in each["refused"])
    absent = [f"Not available: {'; '.join(summary['absent'])}."] if summary["absent"] else []
    virtual = [text] if (text := virtual_time_label(summary)) else []
    granted = (f"Not granted: {line}" for line in refused)
    return [*virtual, *summary["labels"], *absent, *granted]


def _cards(summary: dict[str, Any]) -> list[Card]:
    cards = []
    for name, each in summary["variants"].items():
        if "round_trip_us" in each:
            times = each["round_trip_us"]
            metrics = [
                ("round trip, p50", format_percentile(times, "p50", "us"), f"n {format_count(times.n)}"),
                ("p99", format_percentile(times, "p99", "us"), f"largest {format_percentile(times, 'max', 'us')}"),
            ]
        else:
            metrics = [
                (f"{which} delay, slope", f"{format_slope(delay['slope'])} us/min", delay["within_bound"] or "")
                for which, delay in each["delays"].items()
                if which in PRINTED
            ]
        metrics.append(("lost \u00b7 missed \u00b7 skipped", format_faults(each), "in brackets: due to host"))
        cards.append(Card(name, "", each["verdict"].outcome, each["verdict"].why, metrics))
    return cards


def _trips_table(summary: dict[str, Any]) -> Table:
    fate = "lost \u00b7 missed \u00b7 skipped (due to host)"
    spread = "round trip, us: p50 \u00b7 p99 \u00b7 max (95 %)"
    intended = "from the intended instant, us: p50 \u00b7 p99 \u00b7 max (95 %)"
    columns = ["variant", "sent", fate, spread, intended, "ratio to raw Fast DDS (95 %)", "verdict"]
    rows = [
        (
            name, format_count(each["sent"]), format_faults(each),
            format_spread_with_intervals(each["round_trip_us"], ""),
            format_spread_with_intervals(each["from_intended_us"], ""), format_ratio(each["ratio"]),
            each["verdict"].outcome,
        )
        for name, each in summary["variants"].items()
    ]  # fmt: skip
    return Table("All variants", columns, rows, verdict="verdict", never_folded=True)


def _cycles_table(summary: dict[str, Any]) -> Table:
    bound = f"within \u00b1{format_number(summary['bound_us_per_min'])} us/min"
    spread = "above the smallest, us: p50 \u00b7 p99 \u00b7 max (95 %)"
    columns = ["variant and delay", "smallest, us", spread, "slope, us/min (95 %)", bound]
    rows = [
        (
            f"{name}: {which}", format_number(delay["least_us"]), format_spread_with_intervals(delay["aligned_us"], ""),
            format_slope(delay["slope"]), delay["within_bound"] or NONE,
        )
        for name, each in summary["variants"].items()
        for which, delay in each["delays"].items()
    ]  # fmt: skip
    return Table("All delays of all variants", columns, rows, never_folded=True)


def _plots(charts: dict[str, Chart]) -> list[Plot]:
    over_time = (
        "A panel for each variant, its rounds one after another. Of many messages only the minimum and maximum of each "
        "interval are shown."
    )
    share = (
        "The share of messages that took longer than the time on the x axis, on logarithmic scales. Lost messages "
        "count as infinitely long."
    )
    return [
        Plot(name, chart.title, over_time if name.endswith("over-time") else share, chart, wide=True)
        for name, chart in charts.items()
    ]
