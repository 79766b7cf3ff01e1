# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of a measurement, of any kind."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.report.conditions import condition_lines, conditions_phrase
from takt_cli.report.html import origin_facts
from takt_cli.report.page_table import page_table, page_text
from takt_cli.report.plotly_page import Card, Plot, Section, study_page


def measurement_page(measurement: AnyMeasurement, folder: Path) -> str:
    """Return the page as HTML. Raises ResultError if `folder` does not hold a result of this kind."""
    result = measurement.read(folder)
    summary, origin = measurement.summarise(result), result.origin
    title, parts = measurement.title(summary), measurement.tables(summary)
    remarks = [page_text(part) for part in parts if isinstance(part, str)]
    notes = [page_text(part) for part in parts if isinstance(part, Text)]
    if (virtual := virtual_time_label(origin.virtual)) is not None:
        notes.insert(0, virtual)
    cards = [
        Card(name or title, "; ".join(verdict.why), verdict.outcome, verdict.why, [])
        for name, verdict in measurement.verdicts(summary).items()
    ]
    tables = [page_table(part) for part in parts if isinstance(part, Table)]
    plots = [
        Plot(name, chart.title, chart.description, chart, wide=True)
        for name, chart in measurement.charts(result, summary).items()
    ]
    sections = [
        Section("overview", "Overview", remarks, points=condition_lines(origin.conditions), cards=cards, tables=tables),
        Section("plots", "Plots", plots=plots),
    ]
    subtitle = [measurement.command, conditions_phrase(origin.conditions)]
    return study_page(title, subtitle, sections, origin_facts(origin), notes)
