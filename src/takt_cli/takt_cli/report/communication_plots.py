# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plots of a measurement of round trips or cycles, by file name."""

from __future__ import annotations

from typing import Any

from takt_cli.analysis.cyclic import PRINTED, Cycles
from takt_cli.analysis.round_trip import RoundTrips
from takt_cli.report.trip_plots import Series, tail_plot, time_plot


def round_trip_series(read: RoundTrips) -> list[Series]:
    """Return the round-trip times of each variant."""
    return [
        Series(v["name"], v["transport"], [(each.instants, each.times / 1000) for each in read.trips[v["name"]]])
        for v in read.measurement.variants
    ]


def cyclic_series(read: Cycles, summary: dict[str, Any], which: str) -> list[Series]:
    """Return each variant's delays of the kind `which`, relative to the smallest, with the fitted slopes."""
    return [
        Series(
            v["name"],
            v["transport"],
            [(each.instants, each.aligned / 1000) for each in read.delays(v["name"], which)],
            summary["variants"][v["name"]]["delays"][which]["slope"]["slope"],
        )
        for v in read.measurement.variants
    ]


def round_trip_plots(read: RoundTrips, summary: dict[str, Any]) -> dict[str, str]:
    """Return the plots of round trips as SVG documents by name."""
    series, limit = round_trip_series(read), summary["deadline_ms"] * 1000
    title = _titled("Full round trips", summary)
    return {"over-time": time_plot(series, limit, f"{title} over time"), "tail": tail_plot(series, limit, title)}


def cyclic_plots(read: Cycles, summary: dict[str, Any]) -> dict[str, str]:
    """Return the plots of cycles as SVG documents by name."""
    plots = {}
    for which in PRINTED:
        series = cyclic_series(read, summary, which)
        title = _titled(f"{which.capitalize()} delay above the smallest", summary)
        plots[f"{which}-over-time"] = time_plot(series, None, f"{title}, over time")
        plots[f"{which}-tail"] = tail_plot(series, None, title)
    return plots


def _titled(title: str, summary: dict[str, Any]) -> str:
    return f"{title} (virtual time)" if summary["virtual"] else title
