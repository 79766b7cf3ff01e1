# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt tune`: settings that were changed, restored or found."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from takt_cli.report.tables.rows import Row, table_of, warnings
from takt_cli.tuning.tune import SettingRow

_MAX_LINES = 12


def tune_report(title: str, rows: list[SettingRow], columns: dict[str, str]) -> list[RenderableType]:
    """Return a table with a row for each setting. `columns` maps fields of the rows to the titles of columns."""
    cells = [
        Row(
            {
                "knob": row.knob,
                "setting": row.setting,
                **{name: str(getattr(row, key)) for key, name in columns.items()},
            },
            style="yellow" if row.differs else None,
        )
        for row in rows
    ]
    return [table_of(title, cells, ("knob", "setting", *columns.values()))] if rows else []


def lacking_lines(lacking: list[str]) -> list[Text]:
    """Return a line for each setting that the host lacks or refused; after the first 12 the rest is only counted."""
    more = [f"{len(lacking) - _MAX_LINES} more (--json lists them)"] if len(lacking) > _MAX_LINES else []
    return warnings([*lacking[:_MAX_LINES], *more], "not available: ")
