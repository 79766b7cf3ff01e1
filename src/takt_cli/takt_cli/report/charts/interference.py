# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt measure interference`: the start delays of each case, with and without the interfering activity."""

from __future__ import annotations

from typing import Any

from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Mark, Points, Ranges, Spot
from takt_cli.report.formatting import format_number
from takt_cli.report.tables.interference import case_name

_WIDTH, _ROW, _MARGIN = 7.6, 0.42, 1.3
_APART = 0.16
# The smallest value on the logarithmic axis, us; smaller delays are drawn there.
_SMALLEST_DELAY = 0.5
_LEVELS = ("p50", "p99.9", "max")


def interference_chart(summary: dict[str, Any]) -> Chart:
    """Return the chart: for each case a line from p50 to the maximum, with a mark at p99.9."""
    marks: list[Mark] = []
    tails: list[Mark] = []
    for turn_kind, colour, offset in (("without", "host", -_APART), ("with", "takt", _APART)):
        spots, ranges, tail = [], [], []
        for row, case in enumerate(summary["cases"]):
            delay, at = case[turn_kind]["start_delay_us"], row + offset
            if delay.n:
                figures = ", ".join(f"{level} {format_number(delay.figure(level))}" for level in _LEVELS)
                low, high = (max(value, _SMALLEST_DELAY) for value in (delay.p50, delay.max))
                spots.append(Spot(high, at, f"<b>{case_name(case)}</b>, {turn_kind}<br>{figures} us"))
                ranges.append((at, low, high))
                if (level := delay.p99_9) is not None:
                    tail.append(Spot(max(level, _SMALLEST_DELAY), at))
        look: dict[str, Any] = {"name": turn_kind, "colour": colour}
        marks += [Points.of(spots, **look), Ranges(ranges, 3, horizontal=True, **look)]
        tails.append(Points.of(tail, "tick", 8, name="p99.9", colour="ink"))
    x = Axis("start delay of the most urgent task, us: line from p50 to max, mark at p99.9", log=True)
    y = rows_axis([f"{case['case']}, {case['front_end']}" for case in summary["cases"]])
    title = "Interference: start delays of the most urgent task with and without each activity"
    height = _MARGIN + _ROW * len(summary["cases"])
    return Chart.of(Panel([*marks, *tails], title, x, y, height, key="within"), _WIDTH)
