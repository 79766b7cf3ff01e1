# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What `takt tune` changed, put back, or found, for a person."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

_FEW = 12


def tune_report(title: str, rows: list[dict[str, Any]], columns: dict[str, str]) -> list[RenderableType]:
    """A row for each setting: under `columns` what the key in the row says."""
    if not rows:
        return []
    table = Table(title=title, title_justify="left")
    table.add_column("knob")
    table.add_column("setting")
    for heading in columns.values():
        table.add_column(heading)
    for row in rows:
        style = "yellow" if row.get("differs") else None
        table.add_row(row["knob"], row["setting"], *(str(row[key]) for key in columns), style=style)
    return [table]


def lacking_lines(lacking: list[str]) -> list[RenderableType]:
    """One line for each that the host has not got, or refused; the last of many are counted."""
    lines: list[RenderableType] = [Text(f"not here: {line}", style="yellow") for line in lacking[:_FEW]]
    if len(lacking) > _FEW:
        lines.append(Text(f"not here: {len(lacking) - _FEW} more (--json lists them)", style="yellow"))
    return lines
