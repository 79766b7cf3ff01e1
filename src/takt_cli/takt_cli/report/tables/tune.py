# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt tune`: settings that were changed, restored or found."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.tuning.tune import SettingRow

_MAX_LINES = 12


def tune_report(title: str, rows: list[SettingRow], columns: dict[str, str]) -> list[RenderableType]:
    """Return a table with a row for each setting. `columns` maps fields of the rows to the titles of columns."""
    if not rows:
        return []
    table = Table(title=title, title_justify="left")
    table.add_column("knob")
    table.add_column("setting")
    for heading in columns.values():
        table.add_column(heading)
    for row in rows:
        style = "yellow" if row.differs else None
        table.add_row(row.knob, row.setting, *(str(getattr(row, key)) for key in columns), style=style)
    return [table]


def lacking_lines(lacking: list[str]) -> list[RenderableType]:
    """Return a line for each setting that the host lacks or refused; after the first 12 the rest is only counted."""
    lines: list[RenderableType] = [Text(f"not available: {line}", style="yellow") for line in lacking[:_MAX_LINES]]
    if len(lacking) > _MAX_LINES:
        lines.append(Text(f"not available: {len(lacking) - _MAX_LINES} more (--json lists them)", style="yellow"))
    return lines
