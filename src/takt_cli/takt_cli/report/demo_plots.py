# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The demo's plots, from the figures of its runs."""

from __future__ import annotations

from takt_cli.analysis.freshness import data_age
from takt_cli.analysis.slices import slices_of
from takt_cli.analysis.summary import Figures
from takt_cli.report import plots
from takt_cli.report.overview import overview
from takt_cli.report.style import COLOURS
from takt_cli.report.timeline import Stretch, timeline

_MS = 1e6
_SHOWN = 80 * 10**6
_BEFORE = 400 * 10**6


def demo_plots(runs: dict[str, Figures]) -> dict[str, str]:
    """SVG documents by name, in the order in which they are shown."""
    totals = {name: figures.totals() for name, figures in runs.items()}
    drawn = {
        "misses": plots.misses(totals),
        "stale": plots.stale(totals),
        "data-age": plots.data_age({name: data_age(figures.reads) / _MS for name, figures in runs.items()}),
        "dispatch": plots.dispatch(totals),
    }
    stretches = {name: stretch(figures) for name, figures in runs.items()}
    for name, each in stretches.items():
        drawn[f"timeline-{name}"] = timeline(each, COLOURS[name], name)
    drawn["overview"] = overview(totals, stretches)
    return drawn


def stretch(figures: Figures) -> Stretch:
    """80 ms from the first hyperperiod inside the window, the same for every executor; from the window's start
    where no hyperperiod begins in time."""
    window, application = figures.result.window, figures.result.application
    whole = -(-(window.start - window.t0) // application.hyperperiod)
    begin = window.t0 + whole * application.hyperperiod
    if begin + _SHOWN > window.end:
        begin = window.start
    end = begin + _SHOWN
    # Only what is near: jobs that began before the stretch matter, those of seconds ago do not.
    near = figures.outcomes.select((figures.outcomes.release > begin - _BEFORE) & (figures.outcomes.release < end))
    stale = figures.executions
    marked = set(zip(stale.task[stale.stale].tolist(), stale.index[stale.stale].tolist(), strict=True))
    return Stretch(application, near, slices_of(near), begin, end, marked)
