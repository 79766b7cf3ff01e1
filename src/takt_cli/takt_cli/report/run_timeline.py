# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interactive timeline of a part of a run, with a table of the times of each job."""

from __future__ import annotations

from takt_cli.chart.chart import Chart
from takt_cli.chart.style import known_colour
from takt_cli.report.charts.timeline import FATES, Job, Stretch, timeline_panel
from takt_cli.report.formatting import NONE, format_number
from takt_cli.report.plotly_page import Plot, Table

_MS = 1e6


def run_timeline(stretch: Stretch, executor: str, link: str, id_: str) -> Plot:
    """Return the timeline as a plot. `link` is the link that its points open."""
    title = f"Timeline of {executor}, {(stretch.end - stretch.begin) / _MS:g} ms"
    return Plot(
        id_,
        title,
        "A row for each task, the shortest period on top. Filled: running; pale: released and waiting.",
        Chart.of(timeline_panel(stretch, known_colour(executor), title, link)),
        _table(title, stretch),
        wide=True,
    )


def _table(title: str, stretch: Stretch) -> Table:
    def after(job: Job, instant: int) -> str:
        return format_number((instant - job.release) / _MS) if instant >= 0 else NONE

    names = {task.index: task.id for task in stretch.application.tasks}
    rows = [
        {
            "job": f"{names[job.task]} {job.index}",
            "released at, ms": format_number((job.release - stretch.begin) / _MS),
            "started after, ms": after(job, job.begin),
            "response, ms": after(job, job.finish),
            "outcome": FATES.get(job.fate, "unfinished at the end"),
            "on old data": "yes" if job.key in stretch.stale else "no",
        }
        for job in stretch.jobs
    ]
    return Table.of(f"Jobs: {title}", rows)
