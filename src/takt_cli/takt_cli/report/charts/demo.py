# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The charts of the demo, drawn from the figures of its runs."""

from __future__ import annotations

from dataclasses import replace

from takt_cli.analysis.freshness import data_age
from takt_cli.analysis.slices import slices_of_outcomes
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.chart.chart import Chart
from takt_cli.chart.marks import Bars
from takt_cli.report.charts.executors import Executors, data_age_panel, dispatch_panel, misses_panel, stale_panel
from takt_cli.report.charts.timeline import Stretch, timeline_chart, timeline_panel

_MS = 1e6
_WIDTH, _OVERVIEW_WIDTH = 4.7, 9.0
# How much of each run a timeline shows, and how long before it a job may have been released that is drawn; ns.
_TIMELINE_LENGTH = 80 * 10**6
_RELEASED_BEFORE = 400 * 10**6


def demo_charts(runs: dict[str, RunAnalysis]) -> dict[str, Chart]:
    """Return the charts by name, in the order in which they are shown. `runs` are the runs by executor."""
    totals = {name: analysis.totals for name, analysis in runs.items()}
    ages = {name: data_age(analysis.reads) / _MS for name, analysis in runs.items()}
    stretches = {name: timeline_stretch(analysis) for name, analysis in runs.items()}
    panels = {
        "misses": misses_panel(totals),
        "stale": stale_panel(totals),
        "data-age": data_age_panel(ages),
        "dispatch": dispatch_panel(totals),
    }
    return (
        {name: Chart.of(panel, _WIDTH) for name, panel in panels.items()}
        | {f"timeline-{name}": timeline_chart(each, name, name) for name, each in stretches.items()}
        | {"overview": overview(totals, stretches)}
    )


def overview(totals: Executors, stretches: dict[str, Stretch]) -> Chart:
    """Return bars of misses and stale executions, and a timeline of each executor that shows why."""
    misses, stale = misses_panel(totals), stale_panel(totals)
    unnamed = replace(stale.y, ticks=[tick._replace(text="") for tick in stale.y.ticks])
    timelines = []
    for name, stretch in stretches.items():
        panel = timeline_panel(stretch, name, name, running="", size=5.5)
        is_last = name == list(stretches)[-1]
        height = 0.32 + 0.105 * len(stretch.tasks) + 0.35 / len(stretches)
        marks = [Bars([], [], name="running (in the executor's colour)", colour="muted"), *panel.marks]
        x = panel.x if is_last else replace(panel.x, title="")
        timelines.append(replace(panel, marks=marks, x=x, height=height, key="chart", colour=name))
    title = "Missed deadlines and stale executions by executor, and a timeline of each run"
    rows = [[misses, replace(stale, y=unnamed)], *([panel] for panel in timelines)]
    return Chart(title, rows, _OVERVIEW_WIDTH, key_columns=5)


def timeline_stretch(analysis: RunAnalysis) -> Stretch:
    """Return the 80 ms of a run that its timeline shows, from a hyperperiod shortly after the measurement began. It is
    the same part of the schedule for every executor. Jobs from before the window are not known, so it begins late
    enough for jobs that have waited since then. If the window is too short for that, it begins with the window."""
    window, application = analysis.result.window, analysis.result.application
    hyperperiod_number = -(-(window.start + _RELEASED_BEFORE - window.t0) // application.hyperperiod)
    begin = window.t0 + hyperperiod_number * application.hyperperiod
    if begin + _TIMELINE_LENGTH > window.end:
        begin = window.start
    end = begin + _TIMELINE_LENGTH
    # Jobs that began shortly before the stretch may still run in it; earlier ones are left out for speed.
    outcomes_near = analysis.outcomes.select(
        (analysis.outcomes.release > begin - _RELEASED_BEFORE) & (analysis.outcomes.release < end)
    )
    stale = analysis.executions
    marked = set(zip(stale.task[stale.stale].tolist(), stale.index[stale.stale].tolist(), strict=True))
    return Stretch(application, outcomes_near, slices_of_outcomes(outcomes_near), begin, end, marked)
