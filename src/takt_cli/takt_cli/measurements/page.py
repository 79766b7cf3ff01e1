# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of a measurement of any kind, and that of all benchmarks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rich.table import Table
from rich.text import Text

from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.measurements.registry import all_measurements
from takt_cli.report.conditions import condition_lines, conditions_phrase
from takt_cli.report.html import origin_facts
from takt_cli.report.page_table import page_table, page_text
from takt_cli.report.plotly_page import Card, Plot, Section, study_page
from takt_cli.results.benchmark import ALL_FORMAT
from takt_cli.results.origin import Origin


@dataclass(frozen=True)
class _Shown:
    """What a page shows of one measurement."""

    origin: Origin
    section: Section
    notes: list[str]


def measurement_page(measurement: AnyMeasurement, folder: Path) -> str:
    """Return the page as HTML. Raises ResultError if `folder` does not hold a result of this kind."""
    shown = _shown(measurement, folder, "overview")
    sections = [
        replace(shown.section, title="Overview", plots=[]),
        Section("plots", "Plots", plots=shown.section.plots),
    ]
    subtitle = [measurement.command, conditions_phrase(shown.origin.conditions)]
    return study_page(shown.section.title, subtitle, sections, origin_facts(shown.origin), shown.notes)


def benchmarks_page(folder: Path) -> str:
    """Return the page of `takt measure all`. Raises ResultError if `folder` does not hold its result."""
    made = [all_measurements()[name] for name in ALL_FORMAT.read(folder).record.made]
    parts = [_shown(each, folder / each.name, f"of-{each.name}") for each in made]
    origin = parts[0].origin
    subtitle = ["takt measure all", conditions_phrase(origin.conditions)]
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    # What ran beside one ran beside all of them.
    sections = [
        replace(part.section, title=each.name, points=part.section.points if part is parts[0] else [])
        for each, part in zip(made, parts, strict=True)
    ]
    return study_page("All benchmarks", subtitle, sections, origin_facts(origin), notes)


def _shown(measurement: AnyMeasurement, folder: Path, section_id: str) -> _Shown:
    result = measurement.read(folder)
    summary, origin = measurement.summarise(result), result.origin
    title, parts = measurement.title(summary), measurement.tables(summary)
    notes = [page_text(part) for part in parts if isinstance(part, Text)]
    if (virtual := virtual_time_label(origin.virtual)) is not None:
        notes.insert(0, virtual)
    section = Section(
        section_id,
        title,
        [page_text(part) for part in parts if isinstance(part, str)],
        plots=[
            Plot(name, chart.title, chart.description, chart, wide=True)
            for name, chart in measurement.charts(result, summary).items()
        ],
        tables=[page_table(part) for part in parts if isinstance(part, Table)],
        cards=[
            Card(name or title, "; ".join(verdict.why), verdict.outcome, verdict.why, [])
            for name, verdict in measurement.verdicts(summary).items()
        ],
        points=condition_lines(origin.conditions),
    )
    return _Shown(origin, section, notes)
