# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt measure interference`: the start delays of each case, with and without the interfering activity."""

from __future__ import annotations

from typing import Any

from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Mark, Points, Ranges
from takt_cli.report.formatting import format_number
from takt_cli.report.interference_table import case_name

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
        rows = [
            (row + offset, case[turn_kind]["start_delay_us"], f"<b>{case_name(case)}</b>, {turn_kind}")
            for row, case in enumerate(summary["cases"])
            if case[turn_kind]["start_delay_us"]["n"]
        ]
        at = [y for y, *_ in rows]
        low, high = ([max(delay[name], _SMALLEST_DELAY) for _, delay, _ in rows] for name in ("p50", "max"))
        texts = [
            f"{name}<br>{', '.join(f'{p} {format_number(delay.get(p))}' for p in _LEVELS)} us"
            for _, delay, name in rows
        ]
        marks.append(Points(high, at, size=3, name=turn_kind, colour=colour, texts=texts))
        marks.append(Ranges(at, low, high, 3, horizontal=True, name=turn_kind, colour=colour))
        known = [(max(delay["p99.9"], _SMALLEST_DELAY), y) for y, delay, _ in rows if delay.get("p99.9") is not None]
        tails.append(Points([x for x, _ in known], [y for _, y in known], "tick", 8, name="p99.9", colour="ink"))
    x = Axis("start delay of the most urgent task, us: line from p50 to max, mark at p99.9", log=True)
    y = rows_axis([f"{case['case']}, {case['front_end']}" for case in summary["cases"]])
    title = "Interference: start delays of the most urgent task with and without each activity"
    height = _MARGIN + _ROW * len(summary["cases"])
    return Chart.of(Panel([*marks, *tails], title, x, y, height, key="within"), _WIDTH)
