# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of `takt measure round-trip` or `takt measure cyclic`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.cyclic import PRINTED, read_cyclic
from takt_cli.analysis.cyclic import summarise_cycles as cyclic_figures
from takt_cli.analysis.round_trip import read_round_trip
from takt_cli.analysis.round_trip import summarise_round_trips as round_trip_figures
from takt_cli.analysis.variants import ROUND_TRIP
from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.report.communication_plots import cyclic_series, round_trip_series
from takt_cli.report.conditions import condition_lines, conditions_phrase
from takt_cli.report.cyclic_table import format_slope
from takt_cli.report.formatting import (
    NONE,
    format_count,
    format_number,
    format_percentile,
    format_spread_with_intervals,
)
from takt_cli.report.html import host_facts
from takt_cli.report.plotly_page import Card, Plot, Section, Table, study_page
from takt_cli.report.round_trip_table import format_faults, format_ratio
from takt_cli.report.style import COLOURS
from takt_cli.report.trip_plots import Series, colour_of, keep_extremes
from takt_cli.spec.units import format_size

_DASHES = ("solid", "dash", "dot", "dashdot")
_TAIL = 600


def measured_page(folder: Path, kind: str) -> str:
    """Return the page as HTML. ResultError if `folder` does not hold a measurement of that kind."""
    if kind == ROUND_TRIP:
        trips = read_round_trip(folder)
        summary, record = round_trip_figures(trips), trips.measurement.record
        limit = summary["deadline_ms"] * 1000
        plots = _plots("trips", "Full round trips", round_trip_series(trips), limit)
        table, subject = _trips_table(summary), f"Round trips of {format_size(summary['payload_bytes'])}"
    else:
        cycles = read_cyclic(folder)
        summary, record = cyclic_figures(cycles), cycles.measurement.record
        plots = [
            plot
            for which in PRINTED
            for plot in _plots(which, f"{which.capitalize()} delay", cyclic_series(cycles, summary, which), None)
        ]
        table, subject = _cycles_table(summary), f"Cycles of {format_number(summary['period_ms'])} ms"
    conditions = condition_lines(summary["conditions"])
    sections = [
        Section("overview", "Overview", conditions, tables=[table], cards=_cards(summary)),
        Section("plots", "Time series and distributions", plots=plots),
    ]
    return study_page(
        f"{subject}, {conditions_phrase(summary['conditions'])}",
        _subtitle(summary),
        sections,
        _facts(record),
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
                ("round trip, p50", format_percentile(times, "p50", "us"), f"n {format_count(times['n'])}"),
                ("p99", format_percentile(times, "p99", "us"), f"largest {format_percentile(times, 'max', 'us')}"),
            ]
        else:
            metrics = [
                (f"{which} delay, slope", f"{format_slope(delay['slope'])} us/min", delay["within_bound"] or "")
                for which, delay in each["delays"].items()
                if which in PRINTED
            ]
        metrics.append(("lost \u00b7 missed \u00b7 skipped", format_faults(each), "in brackets: due to host"))
        cards.append(Card(name, "", each["verdict"]["outcome"], each["verdict"]["why"], metrics))
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
            each["verdict"]["outcome"],
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


def _plots(name: str, title: str, series: Sequence[Series], limit: float | None) -> list[Plot]:
    description = (
        "A point for each message, the rounds one after another. Of many messages only the minimum and maximum of "
        "each interval are shown."
    )
    share = (
        "The share of messages that took longer than the time on the x axis, on logarithmic scales. Lost messages "
        "count as infinitely long."
    )
    return [
        Plot(f"{name}-over-time", f"{title} over time", description, _over_time(series, limit), wide=True),
        Plot(f"{name}-tail", f"{title}: share that took longer", share, _tail(series, limit), wide=True),
    ]


def _over_time(series: Sequence[Series], limit: float | None) -> dict[str, Any]:
    traces = []
    for each in series:
        begin, xs, ys = 0.0, [], []
        for instants, values in each.rounds:
            is_finite = np.isfinite(values)
            if not is_finite.any():
                continue
            x, y = keep_extremes(begin + (instants[is_finite] - instants.min()) / 1e9, values[is_finite])
            xs += [*x.tolist(), None]
            ys += [*y.tolist(), None]
            begin = float(x[-1])
        marker = {"color": colour_of(each), "size": 3}
        traces.append({"type": "scattergl", "mode": "markers", "name": each.name, "x": xs, "y": ys, "marker": marker})
    lines = [] if limit is None else [_line({"y0": limit, "y1": limit, "x0": 0, "x1": 1, "xref": "paper"})]
    layout = {"xaxis": {"title": "s"}, "yaxis": {"title": "us", "rangemode": "tozero"}, "shapes": lines}
    return {"data": traces, "layout": layout}


def _tail(series: Sequence[Series], limit: float | None) -> dict[str, Any]:
    traces = []
    uses_of_colour: dict[str, int] = {}
    for each in series:
        times = np.sort(np.concatenate([values for _, values in each.rounds]))
        finite = times[np.isfinite(times) & (times > 0)]
        n = len(finite)
        # Points are drawn more densely towards the tail.
        kept_indices = np.unique(np.round(n - np.geomspace(1, max(n, 1), min(_TAIL, max(n, 1)))).astype(np.int64))
        place = uses_of_colour[each.transport] = uses_of_colour.get(each.transport, -1) + 1
        line = {"color": colour_of(each), "shape": "hv", "dash": _DASHES[place % len(_DASHES)]}
        share = (1 - kept_indices / max(len(times), 1)).tolist() if n else []
        x = finite[kept_indices].tolist() if n else []
        traces.append({"type": "scatter", "mode": "lines", "name": each.name, "x": x, "y": share, "line": line})
    lines = [] if limit is None else [_line({"x0": limit, "x1": limit, "y0": 0, "y1": 1, "yref": "paper"})]
    layout = {"xaxis": {"title": "us", "type": "log"}, "yaxis": {"type": "log"}, "shapes": lines}
    return {"data": traces, "layout": layout}


def _line(ends: dict[str, Any]) -> dict[str, Any]:
    return {"type": "line", **ends, "line": {"color": COLOURS["late"], "width": 1.5, "dash": "dash"}}


def _facts(record: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("command", " ".join(map(str, record["command"]))), ("began", str(record.get("began") or "unknown"))]
    rows += host_facts(record["host"])
    rows += [(name, str(value or "unknown")) for name, value in record["versions"].items()]
    return [*rows, ("commit", str(record["commit"] or "unknown"))]
