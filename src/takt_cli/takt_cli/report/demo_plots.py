# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plots of the demo, drawn from the figures of its runs."""

from __future__ import annotations

from takt_cli.analysis.freshness import data_age
from takt_cli.analysis.slices import slices_of_outcomes
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.report import plots
from takt_cli.report.overview import overview
from takt_cli.report.style import COLOURS
from takt_cli.report.timeline import Stretch, timeline

_MS = 1e6
# How much of each run a timeline shows, and how long before it a job may have been released that is drawn; ns.
_TIMELINE_LENGTH = 80 * 10**6
_RELEASED_BEFORE = 400 * 10**6


def demo_plots(runs: dict[str, RunAnalysis]) -> dict[str, str]:
    """Return the SVG documents by name, in the order in which they are shown. `runs` are the runs by executor."""
    totals = {name: analysis.totals() for name, analysis in runs.items()}
    plots_by_name = {
        "misses": plots.misses(totals),
        "stale": plots.stale(totals),
        "data-age": plots.data_age({name: data_age(analysis.reads) / _MS for name, analysis in runs.items()}),
        "dispatch": plots.dispatch(totals),
    }
    stretches = {name: timeline_stretch(analysis) for name, analysis in runs.items()}
    for name, each in stretches.items():
        plots_by_name[f"timeline-{name}"] = timeline(each, COLOURS[name], name)
    plots_by_name["overview"] = overview(totals, stretches)
    return plots_by_name


def timeline_stretch(analysis: RunAnalysis) -> Stretch:
    """Return the 80 ms of a run that its timeline shows, from a hyperperiod shortly after the measurement began.

    It is the same part of the schedule for every executor. Jobs from before the window are not known, so it begins
    late enough for jobs that have waited since then. If the window is too short for that, it begins with the window.
    """
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
