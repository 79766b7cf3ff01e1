# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt generate` for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType

from takt_cli.report.formatting import format_count, format_number
from takt_cli.report.tables.fitted import Column, FittedTable, Row

_MAX_ROWS = 20
_COLUMNS = (
    Column("application", 0, breaks_at_words=True),
    Column("nodes", 2),
    Column("callbacks", 6),
    Column("utilisation", 1),
    Column("requested", 7),
    Column("topics", 3),
    Column("readers", 4),
    Column("message size", 5),
)


def generate_report(record: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: a table of the first applications, the number of the others, and notes."""
    applications = record["applications"]
    title = f"synthetic applications, seed {record['seed']}"
    rows = [_row(each) for each in applications[:_MAX_ROWS]]
    parts: list[RenderableType] = [FittedTable(title, _COLUMNS, rows, rows, title)]
    if len(applications) > _MAX_ROWS:
        parts.append(f"and {format_count(len(applications) - _MAX_ROWS)} more")
    parts.append(combinations_line(record))
    notes = [each for each in applications if each["notes"]]
    if notes:
        parts.append(f"{notes[0]['name']}: {notes[0]['notes'][0]}" + (f" ({len(notes)} such)" if notes[1:] else ""))
    if packages := sum(len(each.get("packages", ())) for each in applications):
        parts.append(f"{format_count(packages)} ROS 2 packages: {folder / 'packages'}")
    parts.append(f"result: {folder}")
    return parts


def _row(application: dict[str, Any]) -> Row:
    parameters = application["parameters"]
    return Row(
        (
            application["name"],
            format_count(parameters["nodes"]),
            format_count(len(application["tasks"])),
            f"{application['utilisation']:.4f}",
            format_number(application["utilisation_wanted"]),
            format_count(application["topics"]),
            format_count(application["readers"]),
            parameters["message_size"] or "",
        )
    )


def combinations_line(record: dict[str, Any]) -> str:
    """Return how many combinations of parameters there are, how many of them are distinct, and how many were made."""
    combinations = record["combinations"]
    line = f"{format_count(combinations['all'])} combination{'s' * (combinations['all'] != 1)}"
    if combinations["distinct"] != combinations["all"]:
        line += (
            f", {format_count(combinations['distinct'])} of them distinct: the others describe the same applications"
        )
    application_count = len(record["applications"])
    return f"{line}; {format_count(application_count)} application{'s' * (application_count != 1)}"
