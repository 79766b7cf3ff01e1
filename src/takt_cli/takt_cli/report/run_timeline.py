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
        (
            f"{names[job.task]} {job.index}",
            format_number((job.release - stretch.begin) / _MS),
            after(job, job.begin),
            after(job, job.finish),
            FATES.get(job.fate, "unfinished at the end"),
            "yes" if job.key in stretch.stale else "no",
        )
        for job in stretch.jobs
    ]
    columns = ("job", "released at, ms", "started after, ms", "response, ms", "outcome", "on old data")
    return Table(f"Jobs: {title}", columns, rows)
