# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt check`: the bound of every task beside its longest simulated and measured response times."""

from __future__ import annotations

from collections.abc import Callable

from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Limit, Mark, Points, Shape, Spot
from takt_cli.schedulability.check_summary import CheckedTask, CheckSummary

# The end of the x axis in deadlines, at most: longer bars are cut off there.
_RIGHT = 1.6
_WIDTH, _ROW, _MARGIN = 7.0, 0.3, 1.35
_MARKS: tuple[tuple[str, Callable[[CheckedTask], int | None], Shape, str], ...] = (
    ("longest simulated", lambda task: task.simulated_ns, "tick", "ink"),
    ("longest measured", lambda task: task.measured_ns, "cross", "baseline0"),
)


def check_chart(summary: CheckSummary) -> Chart:
    """Return the chart, with a row for each task, in per cent of its deadline. The bound is a bar; the longest
    simulated and measured response times are marks."""
    tasks = summary.tasks
    bounded = [(y, task, _percent(task, task.bound_ns)) for y, task in enumerate(tasks) if task.bound_ns is not None]
    marks: list[Mark] = [Bars([], [], name="bound", opacity=0.35)]
    for colour, is_late in (("takt", False), ("late", True)):
        bounds = [Spot(y, bound) for y, task, bound in bounded if ((task.margin_ns or 0) < 0) == is_late]
        marks.append(Bars.of(bounds, thickness=0.5, horizontal=True, colour=colour, opacity=0.35))
    marks.append(Limit(100, "x", "solid", 1, name="deadline", colour="ink"))
    for name, of, shape, colour in _MARKS:
        points = [Spot(_percent(task, ns), y) for y, task in enumerate(tasks) if (ns := of(task)) is not None]
        if points:
            marks.append(Points.of(points, shape, 5, name=name, colour=colour))
    largest = max((bound for _, _, bound in bounded), default=0)
    x = Axis("response time, % of the deadline", low=0, high=min(max(1.08 * largest, 108), 100 * _RIGHT))
    title = f"{summary.application} under {summary.policy}: bound, simulated and measured"
    panel = Panel(marks, title, x, rows_axis([task.task for task in tasks]), _MARGIN + _ROW * len(tasks))
    return Chart("Bound, simulated and measured response times against deadlines", [[panel]], _WIDTH)


def _percent(task: CheckedTask, nanoseconds: int) -> float:
    return 100 * nanoseconds / task.deadline_ns
