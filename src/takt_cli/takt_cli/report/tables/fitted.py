# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables that fit any terminal width: columns without room are left out, but no name or figure is truncated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

from takt_cli.report.tables.rows import Row, table_of
from takt_cli.report.values import format_value

# The blanks between two columns of a table without lines.
_COLUMN_GAP = 2
# The extra width of each column of a table with lines: two blanks and a line.
_LINED_GAP = 3


def fitting(rows: Sequence[Row], leave: Sequence[str], width: int) -> dict[str, int]:
    """Return the widths of the columns that fit into `width`, by title. The first column is always among them. `leave`
    are the titles of columns in the order in which they are left out if there is not enough room."""
    widths = _widths(rows)
    first = next(iter(widths), "")
    for title in leave:
        if sum(widths.values()) + _COLUMN_GAP * (len(widths) - 1) <= width:
            break
        if title != first:
            widths.pop(title, None)
    return widths


def _widths(rows: Sequence[Row]) -> dict[str, int]:
    return {
        title: max(map(cell_len, (*title.splitlines(), *(str(format_value(row.cells[title])) for row in rows))))
        for title in (rows[0].cells if rows else ())
    }


def fitted_table(
    rows: Sequence[Row], leave: Sequence[str], texts: Collection[str], shown_rows: slice, width: int, emphasis: str = ""
) -> Table:
    """Return a table of the rows `shown_rows`. Its columns depend on all rows, so that scrolling does not change them.
    `texts` are the titles of the columns that are set flush left; `emphasis` is that of a column to be shown in
    bold."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    widths = fitting(rows, leave, width)
    for title, needed_width in widths.items():
        table.add_column(
            title,
            justify="left" if title in texts else "right",
            style="bold" if title == emphasis else "",
            no_wrap=True,
            min_width=min(needed_width, width),
        )
    for row in rows[shown_rows]:
        table.add_row(*(format_value(row.cells[title]) for title in widths), style=row.style)
    return table


@dataclass(frozen=True)
class FittedTable:
    """A table with lines if all of it fits into the terminal, else one without lines and with the cells of
    `rows_if_narrow`. If the output is a file or a pipe, nothing is left out."""

    title: str
    rows: Sequence[Row]
    rows_if_narrow: Sequence[Row]
    short_title: str
    leave: Sequence[str]
    """The titles of columns in the order in which they are left out."""
    texts: Collection[str]
    """The titles of the columns that are set flush left."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        needed_width = sum(width + _LINED_GAP for width in _widths(self.rows).values()) + 1
        if needed_width <= options.max_width or not console.is_terminal:
            table = table_of(self.title, self.rows, self.texts)
            for column in table.columns:
                column.overflow = "fold"
            yield table
            return
        narrow = [
            row._replace(cells={_stacked(title): cell for title, cell in row.cells.items()})
            for row in self.rows_if_narrow
        ]
        leave, texts = [*map(_stacked, self.leave)], [*map(_stacked, self.texts)]
        kept = fitting(narrow, leave, options.max_width)
        yield f"[italic]{self.short_title}[/italic]"
        yield fitted_table(narrow, leave, texts, slice(None), options.max_width)
        if left_out := [title for title in self.rows[0].cells if _stacked(title) not in kept]:
            yield f"[dim]no room for {', '.join(left_out)}[/dim]"


def _stacked(title: str) -> str:
    """Return the title with each word on a line of its own."""
    return title.replace(" ", "\n")
