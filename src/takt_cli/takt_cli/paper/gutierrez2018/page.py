# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures 4 to 9 of Gutierrez et al. (2018), and the sections of the page, one for each of its tests."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.chart.chart import Chart
from takt_cli.paper.gutierrez2018.cases import TESTS, Test
from takt_cli.paper.gutierrez2018.rows import TripRow
from takt_cli.paper.gutierrez2018.ways import rows_of
from takt_cli.paper.paper import Parts
from takt_cli.paper.time_chart import Series, paper_chart
from takt_cli.report.plotly_page import Plot, Section, Table

LIMIT_US = 10_000.0
_TITLES = {
    "4": "an example with missed deadlines",
    "5": "real-time settings under load",
    "6": "concurrent traffic",
    "7": "larger messages",
    "8": "kernel threads tuned",
    "9": "long runs",
}


def gutierrez_charts(parts: Parts) -> dict[str, Chart]:
    """Return the charts of the tests that were run by name, in the order of the paper's figure numbers."""
    # Figure 4 of the paper shows test 2.D, which is also panel d of figure 6.
    panels: dict[str, list[Test]] = {"4": [TESTS["2.D"]]}
    for test in TESTS.values():
        if test.panel:
            panels.setdefault(test.panel[0], []).append(test)
    charts = {}
    for number, tests in sorted(panels.items()):
        drawn = [_panel(test, rows) for test in tests if (rows := rows_of(parts, test.name))]
        if drawn:
            charts[f"figure-{number}"] = paper_chart(f"Figure {number}: {_TITLES[number]}", drawn, LIMIT_US)
    return charts


def gutierrez_sections(parts: Parts, tables: dict[str, Table]) -> list[Section]:
    """Return the sections of the numbered tests that were run."""
    sections = [_section(number, parts, tables) for number in dict.fromkeys(test[0] for test in TESTS)]
    return [each for each in sections if each.plots or each.tables]


def _panel(test: Test, rows: Sequence[TripRow]) -> tuple[str, list[Series]]:
    letter = f"{test.panel[1:]}) " if test.panel[1:] else ""
    series = [Series(row.variant, row.transport, row.points.trips, row.points.lost) for row in rows]
    return f"{letter}{test.name}: {test.title}", series


def _section(number: str, parts: Parts, tables: dict[str, Table]) -> Section:
    """Return the section of a numbered test: a plot of each panel with the table of the same test below it."""
    others = [table for table in tables.values() if f"test {number}." in table.caption]
    plots = []
    for test in (each for each in TESTS.values() if each.panel and each.name.startswith(f"{number}.")):
        if rows := rows_of(parts, test.name):
            caption, series = _panel(test, rows)
            title = f"Figure {test.panel[0]}, {caption}"
            description = f"{caption}. Round-trip times: minimum and maximum of each interval; the line is at 10 ms."
            table = next((each for each in others if f"test {test.name}:" in each.caption), None)
            others = [each for each in others if each is not table]
            chart = paper_chart(title, [(caption, series)], LIMIT_US)
            plots.append(Plot(f"trips-{test.name.lower().replace('.', '-')}", title, description, chart, table))
    if number == "4" and "effect" in tables:
        others.append(tables["effect"])
    return Section(f"test-{number}", f"Test {number}", plots=plots, tables=others)
