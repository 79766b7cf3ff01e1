# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt measure data-age`: the age of a reader's data by number of other nodes."""

from __future__ import annotations

from rich.console import RenderableType

from takt_cli.analysis.data_age import AgedFigures, DataAgeSummary
from takt_cli.chart.axis import Axis, names_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Box, Limit, Mark, Ranges, boxes
from takt_cli.report.tables.rows import Row, table_of
from takt_cli.report.texts import CHARTS
from takt_cli.report.values import format_number

_HALF = 0.4


def data_age_title(summary: DataAgeSummary) -> str:
    """Return what was measured, in a phrase."""
    return f"Data age, runs of {format_number(summary.duration_s)} s"


def data_age_report(summary: DataAgeSummary) -> list[RenderableType]:
    """Return the report: a row for each run. The verdict considers only the runs with a bound."""
    rows = [
        Row(
            {
                "other\nnodes": run.nodes,
                "reader's\nphase": f"{format_number(run.phase_ms)} ms",
                "max_age": f"{format_number(run.max_age_ms)} ms" if bounded else "none",
                "n": age.n,
                "min · Q1 · median · Q3 · max, ms": " · ".join(
                    format_number(each) for each in (age.min, age.q1, age.median, age.q3, age.max)
                ),
                f"above\n{format_number(summary.limit_ms)} ms": run.above_limit,
                "max in the\nsimulator, ms": run.simulated_data_age_max_ms,
                "refreshed": run.ages.refreshed if bounded and run.ages else None,
                "extra\nreleases": run.ages.extra_releases if bounded and run.ages else None,
                "missed*": run.misses_of_those,
                "of them\nhost": run.host_misses_of_those,
            },
            style=None if bounded else "dim",
        )
        for run in summary.runs
        for age, bounded in [(run.data_age_ms, run.max_age_ms is not None)]
    ]
    return [
        table_of(data_age_title(summary), rows, texts=()),
        "* misses of the tasks that meet all deadlines in the simulator with their WCETs",
    ]


def data_age_chart(summary: DataAgeSummary) -> Chart:
    """Return the chart: a box for each run, and a tick at the greatest age in the simulator."""
    marks: list[Mark] = []
    for name, colour, bounded in (("without a bound", "baseline0", False), ("with a bound", "takt", True)):
        shown = [_box(at, run) for at, run in enumerate(summary.runs) if (run.max_age_ms is not None) == bounded]
        marks += boxes([box for box in shown if box is not None], name, colour)
    greatest = [(run.simulated_data_age_max_ms, at - _HALF, at + _HALF) for at, run in enumerate(summary.runs)]
    marks.append(Ranges(greatest, horizontal=True, name="greatest in the simulator", colour="ink"))
    marks.append(Limit(summary.limit_ms, name="bound", colour="late"))
    names = [f"{run.nodes} nodes\nphase {format_number(run.phase_ms)} ms\n{_bound(run)}" for run in summary.runs]
    ages = [each for run in summary.runs for each in (run.data_age_ms.max, run.simulated_data_age_max_ms)]
    text = CHARTS["data age"]
    y_axis = Axis("data age, ms", low=0, high=1.06 * max(summary.limit_ms, *(age or 0 for age in ages)))
    panel = Panel(marks, text.title, names_axis(names, size=7), y_axis, 3.2)
    return Chart.of(panel, description=text.description)


def _box(at: int, run: AgedFigures) -> Box | None:
    """Return the box of a run; None if it has no figures, or infinite ones because there was no message yet."""
    age = run.data_age_ms
    if age.min is None or age.q1 is None or age.median is None or age.q3 is None or age.max is None:
        return None
    text = f"{run.nodes} nodes, {_bound(run)}: median {format_number(age.median)} ms, max {format_number(age.max)} ms"
    return Box(at, age.min, age.q1, age.median, age.q3, age.max, age.max, text)


def _bound(run: AgedFigures) -> str:
    return "no bound" if run.max_age_ms is None else f"bound {format_number(run.max_age_ms)} ms"
