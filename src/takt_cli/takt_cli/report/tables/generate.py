# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt generate` for the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import RenderableType

from takt_cli.report.tables.fitted import FittedTable
from takt_cli.report.tables.rows import Row
from takt_cli.report.values import format_count, format_number
from takt_cli.synthetic.record import DrawnApplication, GeneratedRecord

_MAX_ROWS = 20
# The columns in the order in which they are left out on a narrow terminal.
_LEAVE = ("requested", "callbacks", "message size", "readers", "topics", "nodes", "utilisation")


def generate_report(record: GeneratedRecord, folder: Path) -> list[RenderableType]:
    """Return the report: a table of the first applications, the number of the others, and notes."""
    applications = record.applications
    title = f"synthetic applications, seed {record.seed}"
    rows = [_row(each) for each in applications[:_MAX_ROWS]]
    parts: list[RenderableType] = [FittedTable(title, rows, rows, title, _LEAVE, ("application",))]
    if len(applications) > _MAX_ROWS:
        parts.append(f"and {format_count(len(applications) - _MAX_ROWS)} more")
    parts.append(combinations_line(record))
    notes = [each for each in applications if each.notes]
    if notes:
        parts.append(f"{notes[0].name}: {notes[0].notes[0]}" + (f" ({len(notes)} such)" if notes[1:] else ""))
    if packages := sum(len(each.packages or ()) for each in applications):
        parts.append(f"{format_count(packages)} ROS 2 packages: {folder / 'packages'}")
    parts.append(f"result: {folder}")
    return parts


def _row(application: DrawnApplication) -> Row:
    parameters = application.parameters
    return Row(
        {
            "application": application.name,
            "nodes": format_count(parameters["nodes"]),
            "callbacks": format_count(len(application.tasks)),
            "utilisation": f"{application.utilisation:.4f}",
            "requested": format_number(application.utilisation_wanted),
            "topics": format_count(application.topics),
            "readers": format_count(application.readers),
            "message size": parameters["message_size"] or "",
        }
    )


def combinations_line(record: GeneratedRecord) -> str:
    """Return how many combinations of parameters there are, how many of them are distinct, and how many were made."""
    combinations = record.combinations
    line = f"{format_count(combinations.all)} combination{'s' * (combinations.all != 1)}"
    if combinations.distinct != combinations.all:
        line += f", {format_count(combinations.distinct)} of them distinct: the others describe the same applications"
    application_count = len(record.applications)
    return f"{line}; {format_count(application_count)} application{'s' * (application_count != 1)}"
