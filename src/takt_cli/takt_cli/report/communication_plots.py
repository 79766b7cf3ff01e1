# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plots of a measurement of round trips or cycles, by file name."""

from __future__ import annotations

from typing import Any

from takt_cli.analysis.cyclic import PRINTED, Cycles
from takt_cli.analysis.round_trip import RoundTrips
from takt_cli.report.trip_plots import Series, tail_plot, time_plot


def round_trip_series(round_trips: RoundTrips) -> list[Series]:
    """Return the round-trip times of each variant."""
    return [
        Series(v["name"], v["transport"], [(each.instants, each.times / 1000) for each in round_trips.trips[v["name"]]])
        for v in round_trips.measurement.variants
    ]


def cyclic_series(cycles: Cycles, summary: dict[str, Any], delay: str) -> list[Series]:
    """Return each variant's delays of the kind `delay`, relative to the smallest, with the fitted slopes."""
    return [
        Series(
            v["name"],
            v["transport"],
            [(each.instants, each.aligned / 1000) for each in cycles.delays(v["name"], delay)],
            summary["variants"][v["name"]]["delays"][delay]["slope"]["slope"],
        )
        for v in cycles.measurement.variants
    ]


def round_trip_plots(round_trips: RoundTrips, summary: dict[str, Any]) -> dict[str, str]:
    """Return the plots of round trips as SVG documents by name."""
    series, limit = round_trip_series(round_trips), summary["deadline_ms"] * 1000
    title = _with_title("Full round trips", summary)
    return {"over-time": time_plot(series, limit, f"{title} over time"), "tail": tail_plot(series, limit, title)}


def cyclic_plots(cycles: Cycles, summary: dict[str, Any]) -> dict[str, str]:
    """Return the plots of cycles as SVG documents by name."""
    plots = {}
    for delay_name in PRINTED:
        series = cyclic_series(cycles, summary, delay_name)
        title = _with_title(f"{delay_name.capitalize()} delay above the smallest", summary)
        plots[f"{delay_name}-over-time"] = time_plot(series, None, f"{title}, over time")
        plots[f"{delay_name}-tail"] = tail_plot(series, None, title)
    return plots


def _with_title(title: str, summary: dict[str, Any]) -> str:
    return f"{title} (virtual time)" if summary["virtual"] else title
