# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the terminal shows, as parts of a page: its tables, and everything else as text."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType
from rich.table import Table as TerminalTable

from takt_cli.report.plotly_page import Table

# Wide enough that no text is wrapped.
_WIDTH = 10_000
_VERDICT = "verdict"


def page_table(table: TerminalTable) -> Table:
    """Return the table with the texts of the one for the terminal. A column `verdict` is highlighted."""
    columns = [page_text(column.header) for column in table.columns]
    rows = list(zip(*([page_text(cell) for cell in column.cells] for column in table.columns), strict=True))
    caption = page_text(table.title) if table.title else "Figures"
    return Table(caption, columns, rows, verdict=_VERDICT if _VERDICT in columns else "", never_folded=True)


def page_text(part: RenderableType) -> str:
    """Return the text of anything that the terminal shows, in one line and without colours."""
    console = Console(file=io.StringIO(), width=_WIDTH, highlight=False)
    with console.capture() as captured:
        console.print(part)
    return " ".join(captured.get().split())
