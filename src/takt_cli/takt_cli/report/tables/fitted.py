# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables that fit any terminal width: columns without room are left out, but no name or figure is truncated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

# The blanks between two columns of a table without lines.
_COLUMN_GAP = 2
# The extra width of each column of a table with lines: two blanks and a line.
_LINED_GAP = 3


class Column(NamedTuple):
    """A column of a fitted table."""

    title: str
    leave: int
    """The rank for leaving out columns if there is not enough room: those with the greatest value go first."""
    breaks_at_words: bool = False
    """True if the cells are texts, set flush left, rather than figures."""


class Row(NamedTuple):
    """A row of a fitted table, with a cell for every column."""

    cells: tuple[str, ...]
    style: str = ""


def fitting(columns: Sequence[Column], rows: Sequence[Row], width: int) -> dict[int, int]:
    """Return the widths of the columns that fit into `width`, by index. The first column is always among them."""
    widths = {i: _width(i, columns, rows) for i in range(len(columns))}
    while len(widths) > 1 and sum(widths.values()) + _COLUMN_GAP * (len(widths) - 1) > width:
        del widths[max(list(widths)[1:], key=lambda i: (columns[i].leave, i))]
    return widths


def _width(i: int, columns: Sequence[Column], rows: Sequence[Row]) -> int:
    return max(map(cell_len, (*columns[i].title.splitlines(), *(row.cells[i] for row in rows))))


def fitted_table(
    columns: Sequence[Column], rows: Sequence[Row], shown_rows: slice, width: int, emphasis: str = ""
) -> Table:
    """Return a table of the rows `shown_rows`. Its columns depend on all rows, so that scrolling does not change them.

    `emphasis` is the title of a column to be shown in bold.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    widths = fitting(columns, rows, width)
    for i, needed_width in widths.items():
        table.add_column(
            columns[i].title,
            justify="left" if columns[i].breaks_at_words else "right",
            style="bold" if columns[i].title == emphasis else "",
            no_wrap=True,
            min_width=min(needed_width, width),
        )
    for row in rows[shown_rows]:
        table.add_row(*(row.cells[i] for i in widths), style=row.style)
    return table


@dataclass(frozen=True)
class FittedTable:
    """A table with lines if all of it fits into the terminal, else one without lines and with the cells of
    `rows_if_narrow`.

    If the output is a file or a pipe, nothing is left out.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    rows_if_narrow: Sequence[Row]
    short_title: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        needed_width = sum(_width(i, self.columns, self.rows) + _LINED_GAP for i in range(len(self.columns))) + 1
        if needed_width <= options.max_width or not console.is_terminal:
            yield self._lined()
            return
        columns = [_stacked(column) for column in self.columns]
        kept_columns = fitting(columns, self.rows_if_narrow, options.max_width)
        yield f"[italic]{self.short_title}[/italic]"
        yield fitted_table(columns, self.rows_if_narrow, slice(None), options.max_width)
        if left_out := [each.title for i, each in enumerate(self.columns) if i not in kept_columns]:
            yield f"[dim]no room for {', '.join(left_out)}[/dim]"

    def _lined(self) -> Table:
        table = Table(title=self.title, title_justify="left")
        for column in self.columns:
            table.add_column(column.title, justify="left" if column.breaks_at_words else "right", overflow="fold")
        for row in self.rows:
            table.add_row(*row.cells)
        return table


def _stacked(column: Column) -> Column:
    """Return the column with each word of its title on a line of its own."""
    return column._replace(title=column.title.replace(" ", "\n"))
