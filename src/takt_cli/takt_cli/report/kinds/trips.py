# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts of message times: over time, and their distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from takt_cli.analysis.cyclic import PRINTED, Cycles, CyclicSummary
from takt_cli.analysis.round_trip import RoundTrips, RoundTripSummary
from takt_cli.analysis.variants import InterleavedSummary
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import exceeding, keep_extremes, told_apart
from takt_cli.chart.marks import Limit, Line, Mark, Points
from takt_cli.report.texts import CHARTS
from takt_cli.results.sample_files import Ints
from takt_cli.statistics.percentiles import Samples

# The height of a panel in inches, and of what is below the last one.
_HEIGHT, _BELOW = 1.25, 0.7
TRANSPORT_COLOURS = {
    "takt": "takt", "baseline0": "baseline0", "baseline1": "baseline1", "fastdds": "ink", "cyclonedds": "stale",
    "udp": "muted", "control": "skipped", "takt-rclcpp": "takt-rclcpp", "rclcpp-single": "rclcpp-single",
    "rclcpp-multi": "rclcpp-multi", "rclcpp-events": "rclcpp-events",
}  # fmt: skip


class Series(NamedTuple):
    """The times of a variant: by round the instants in ns and the times in us, which are infinite for lost messages.
    `slope` is in us per minute."""

    name: str
    transport: str
    rounds: Sequence[tuple[Ints, Samples]]
    slope: float | None = None


def colour_of(transport: str) -> str:
    """Return the colour of a transport."""
    return TRANSPORT_COLOURS.get(transport, "host")


def round_trip_charts(round_trips: RoundTrips, summary: RoundTripSummary) -> dict[str, Chart]:
    """Return the charts of round trips by name."""
    series = [
        Series(name, figures.transport, [(each.instants, each.times / 1000) for each in round_trips.trips[name]])
        for name, figures in summary.variants.items()
    ]
    limit, title = summary.deadline_ms * 1000, with_time("Full round trips", summary)
    return {"over-time": _over_time(series, limit, f"{title} over time"), "tail": _tail(series, limit, title)}


def cyclic_charts(cycles: Cycles, summary: CyclicSummary) -> dict[str, Chart]:
    """Return the charts of each variant's delays, relative to the smallest, with the fitted slopes, by name."""
    charts = {}
    for delay in PRINTED:
        series = [
            Series(
                name,
                figures.transport,
                [(each.instants, each.aligned / 1000) for each in cycles.delays(name, delay)],
                figures.delays[delay].slope.slope,
            )
            for name, figures in summary.variants.items()
        ]
        title = with_time(f"{delay.capitalize()} delay above the smallest", summary)
        charts[f"{delay}-over-time"] = _over_time(series, None, f"{title}, over time")
        charts[f"{delay}-tail"] = _tail(series, None, title)
    return charts


def with_time(title: str, summary: InterleavedSummary) -> str:
    """Return the title of a chart, which says if its time is virtual."""
    return f"{title} (virtual time)" if summary.virtual else title


def _over_time(series: Sequence[Series], limit: float | None, title: str) -> Chart:
    """Return a chart with a panel for each series over a common time axis, the rounds one after another. `limit` is the
    deadline in us: times above it are marked. Lost messages are marked at the top."""
    height = _HEIGHT + _BELOW / max(len(series), 1)
    panels = [_panel(each, limit, Axis("time, s" if each is series[-1] else ""), height) for each in series]
    return Chart(title, [[panel] for panel in panels], share="xy", description=CHARTS["messages over time"].description)


def _panel(series: Series, limit: float | None, x: Axis, height: float) -> Panel:
    begin = 0.0
    times, late, slopes = [], [], []
    lost: list[float] = []
    for instants, values in series.rounds:
        if len(instants) == 0:
            continue
        seconds = begin + (instants - instants.min()) / 1e9
        begin = float(seconds.max())
        is_finite = np.isfinite(values)
        lost += seconds[~is_finite].tolist()
        times.append(keep_extremes(seconds[is_finite], values[is_finite]))
        if limit is not None:
            is_late = is_finite & (values > limit)
            late.append(keep_extremes(seconds[is_late], values[is_late]))
        if series.slope is not None and is_finite.any():
            ends = seconds[is_finite][[0, -1]]
            slopes.append((ends, np.median(values[is_finite]) + series.slope * (ends - ends.mean()) / 60))
    marks: list[Mark] = [Line(*_joined(times), name=series.name, colour=colour_of(series.transport), width=0.6)]
    if slopes:
        marks.append(Line(*_joined(slopes), name="fitted slope", colour="late", width=1))
    if limit is not None:
        marks.append(Points(*_joined(late), name="after the deadline", colour="late"))
        marks.append(Limit(limit, name="deadline", colour="late", width=0.8))
    if lost:
        marks.append(Points(lost, None, "cross", 4, name="lost", colour="late"))
    title = f"{series.name}, us" + (f", {len(lost)} lost" if lost else "")
    return Panel(marks, title, x, Axis(low=0), height, key=None)


def _joined(parts: Sequence[tuple[Samples, Samples]]) -> tuple[Samples, Samples]:
    """Return the pieces of a line as one, with gaps between them."""
    gap = np.full(1, np.nan)
    x, y = (np.concatenate([gap, *(piece for part in parts for piece in (part[i], gap))]) for i in (0, 1))
    return x, y


def _tail(series: Sequence[Series], limit: float | None, title: str) -> Chart:
    """Return a chart of the share of messages that exceed each time, on logarithmic scales. Lost messages count as
    infinitely long."""
    dashes = told_apart({each.name: colour_of(each.transport) for each in series})
    marks: list[Mark] = []
    for each in series:
        times = np.concatenate([values for _, values in each.rounds])
        marks.append(exceeding(times, name=each.name, colour=colour_of(each.transport), dash=dashes[each.name]))
    if limit is not None:
        marks.append(Limit(limit, "x", name="deadline", colour="late", width=1))
    heading = f"{title}: share that took longer"
    return Chart(
        heading,
        [[Panel(marks, heading, Axis("us", log=True), Axis(log=True), height=3.6, key="right")]],
        description=CHARTS["tail of messages"].description,
    )
