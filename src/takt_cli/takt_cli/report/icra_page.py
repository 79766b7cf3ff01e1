# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots of the delays in the ICRA 2021 paper, with a part enlarged, and the page of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from takt_cli.analysis.cyclic import PRINTED
from takt_cli.report.charts import Chart, Line, Panel, chart_svg, panel_figure
from takt_cli.report.icra_tables import icra_tables
from takt_cli.report.paper_page import paper_page
from takt_cli.report.plotly_page import Plot, Section

Metrics = dict[str, Any]
_CAPTIONS = {
    "drift": "Median delay in successive intervals of the run, relative to the smallest delay of the run: a delay that "
    "accumulates rises. The table below has the slopes fitted to these medians.",
    "delays": "Delay over the whole run, relative to the smallest delay of the run. The inset at the upper right shows "
    "the framed part, 250 cycles in the middle of the run.",
}


def charts(parts: dict[str, Metrics]) -> dict[str, list[Chart]]:
    """Return the charts of each part that has rows.

    The first shows the drift under all executors; then follows one for each executor, with the three delays of the
    paper.
    """
    return {
        name: [_drift(name, part["rows"]), *(_chart(name, row) for row in part["rows"])]
        for name, part in parts.items()
        if part["rows"]
    }


def icra_plots(parts: dict[str, Metrics]) -> dict[str, str]:
    """Return the charts as SVG documents by name."""
    return {chart.name: chart_svg(chart) for every in charts(parts).values() for chart in every}


def icra_page(summary: Metrics) -> str:
    """Return the page as HTML. `summary` is the content of paper.json."""
    parts = summary["parts"]
    tables = icra_tables(parts)
    sections = []
    for name, charts_of_part in charts(parts).items():
        plots = [
            Plot(
                f"{chart.name}-{which}",
                f"{name}, {panel.caption}",
                _CAPTIONS["drift" if chart.name.endswith("-drift") else "delays"],
                panel_figure(chart, panel),
            )
            for chart in charts_of_part
            for which, panel in zip(PRINTED, chart.panels, strict=True)
        ]
        sections.append(Section(name, name, plots=plots, tables=[tables[f"delays-{name}"]]))
    return paper_page(
        summary,
        "ICRA 2021: reproduction of the cycles",
        "the paper",
        [Section("runs", "Runs", tables=[tables["runs"]]), *sections],
    )


def _drift(name: str, rows: Sequence[Metrics]) -> Chart:
    panels = [
        Panel(
            f"drift of the {which} delay",
            [Line(row["variant"], row["executor"], row["points"][which]["drift"]) for row in rows],
        )
        for which in PRINTED
    ]
    return Chart(f"{name}-drift", f"{name}: median delay in successive intervals of the run", panels)


def _chart(name: str, row: Metrics) -> Chart:
    points = row["points"]
    panels = [
        Panel(
            f"{row['variant']}: {which} delay",
            [Line(row["variant"], row["executor"], points[which]["all"], zoom=points[which]["zoom"])],
        )
        for which in PRINTED
    ]
    rmw = "" if row["rmw"] is None else f"-{row['rmw'].replace('_', '-')}"
    return Chart(f"{name}-{row['executor']}{rmw}", f"{name}: delays of {row['variant']}", panels)
