# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt measure interference`: the start delays of each case, with and without the interfering activity."""

from __future__ import annotations

from takt_cli.analysis.interference import LEVELS, InterferenceResult, InterferenceSummary
from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Mark, Points, Ranges, Spot
from takt_cli.report.formatting import format_number
from takt_cli.report.tables.interference import case_name

_WIDTH, _ROW, _MARGIN = 7.6, 0.42, 1.3
_APART = 0.16
# The smallest value on the logarithmic axis, us; smaller delays are drawn there.
_SMALLEST_DELAY = 0.5


def interference_charts(_: InterferenceResult, summary: InterferenceSummary) -> dict[str, Chart]:
    """Return the chart by its name: for each case a line from p50 to the maximum, with a mark at p99.9."""
    marks: list[Mark] = []
    tails: list[Mark] = []
    for turns, colour, offset in (("without", "host", -_APART), ("with", "takt", _APART)):
        spots, ranges, tail = [], [], []
        for row, case in enumerate(summary.cases):
            delay, at = dict(case.each())[turns].start_delay_us, row + offset
            if delay.p50 is not None and delay.max is not None:
                figures = ", ".join(f"{level} {format_number(delay.figure(level))}" for level in LEVELS)
                low, high = (max(value, _SMALLEST_DELAY) for value in (delay.p50, delay.max))
                spots.append(Spot(high, at, f"<b>{case_name(case)}</b>, {turns}<br>{figures} us"))
                ranges.append((at, low, high))
                if (level := delay.p99_9) is not None:
                    tail.append(Spot(max(level, _SMALLEST_DELAY), at))
        marks.append(Points.of(spots, name=turns, colour=colour))
        marks.append(Ranges(ranges, 3, horizontal=True, name=turns, colour=colour))
        tails.append(Points.of(tail, "tick", 8, name="p99.9", colour="ink"))
    x = Axis("start delay of the most urgent task, us: line from p50 to max, mark at p99.9", log=True)
    y = rows_axis([f"{case.case}, {case.front_end}" for case in summary.cases])
    title = "Interference: start delays of the most urgent task with and without each activity"
    description = (
        "Time from each release on the ideal grid to the start of the task's next job, in turns with the case's "
        "activity and in turns without it: a line from p50 to the maximum, with a mark at p99.9."
    )
    panel = Panel([*marks, *tails], title, x, y, _MARGIN + _ROW * len(summary.cases), key="within")
    return {"interference": Chart.of(panel, _WIDTH, description=description)}
