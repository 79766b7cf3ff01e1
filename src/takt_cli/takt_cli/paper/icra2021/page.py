# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots of the delays in the ICRA 2021 paper, with a part enlarged, and the sections of its runs."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.analysis.cyclic import PRINTED
from takt_cli.chart.chart import Chart
from takt_cli.paper.icra2021.part import CycleRow
from takt_cli.paper.paper import Parts
from takt_cli.paper.time_chart import Series, paper_chart
from takt_cli.report.plotly_page import Plot, Section, Table

_CAPTIONS = {
    "drift": "Median delay in successive intervals of the run, relative to the smallest delay of the run: a delay that "
    "accumulates rises. The table below has the slopes fitted to these medians.",
    "delays": "Delay over the whole run, relative to the smallest delay of the run. The inset at the upper right shows "
    "the framed part, 250 cycles in the middle of the run.",
}


def icra_charts(parts: Parts) -> dict[str, Chart]:
    """Return the charts of all parts by name."""
    return {name: chart for part, figures in parts.items() for name, chart in _charts(part, figures.rows).items()}


def _charts(part: str, rows: Sequence[CycleRow]) -> dict[str, Chart]:
    """Return the charts of a part by name.

    The first shows the drift under all executors; then follows one for each executor, with the three delays of the
    paper.
    """
    if not rows:
        return {}
    drift = [
        (
            f"drift of the {which} delay",
            [Series(row.variant, row.executor, row.points[which].drift) for row in rows],
        )
        for which in PRINTED
    ]
    charts = {f"{part}-drift": paper_chart(f"{part}: median delay in successive intervals of the run", drift)}
    for row in rows:
        variant, executor = row.variant, row.executor
        delays = [
            (f"{variant}: {which} delay", [Series(variant, executor, points.all, zoom=points.zoom)])
            for which, points in ((which, row.points[which]) for which in PRINTED)
        ]
        rmw = "" if row.rmw is None else f"-{row.rmw.replace('_', '-')}"
        charts[f"{part}-{executor}{rmw}"] = paper_chart(f"{part}: delays of {variant}", delays)
    return charts


def icra_sections(parts: Parts, tables: dict[str, Table]) -> list[Section]:
    """Return the section on all runs, and one for each part."""
    sections = [Section("runs", "Runs", tables=[tables["runs"]])]
    for part, figures in parts.items():
        plots = [
            Plot(
                f"{name}-{which}",
                f"{part}, {panel.title}",
                _CAPTIONS["drift" if name.endswith("-drift") else "delays"],
                Chart.of(panel),
            )
            for name, chart in _charts(part, figures.rows).items()
            for which, panel in zip(PRINTED, chart.panels, strict=True)
        ]
        if plots:
            sections.append(Section(part, part, plots=plots, tables=[tables[f"delays-{part}"]]))
    return sections
