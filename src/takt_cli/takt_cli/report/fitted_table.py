# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A table for a screen of any size: columns that do not fit are left out, whole, never names or figures cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

_GAP = 2
# Of a table with lines: two blanks and a line for each column.
_LINED_GAP = 3


class Column(NamedTuple):
    """`leave`: those with the greatest go first where there is no room."""

    title: str
    leave: int
    words: bool = False


class Row(NamedTuple):
    """A cell for every column."""

    cells: tuple[str, ...]
    style: str = ""


def fitting(columns: Sequence[Column], rows: Sequence[Row], width: int) -> dict[int, int]:
    """The width of each column that there is room for, by its number; the first is always there."""
    widths = {i: _width(i, columns, rows) for i in range(len(columns))}
    while len(widths) > 1 and sum(widths.values()) + _GAP * (len(widths) - 1) > width:
        del widths[max(list(widths)[1:], key=lambda i: (columns[i].leave, i))]
    return widths


def _width(i: int, columns: Sequence[Column], rows: Sequence[Row]) -> int:
    return max(map(cell_len, (*columns[i].title.splitlines(), *(row.cells[i] for row in rows))))


def fitted_table(columns: Sequence[Column], rows: Sequence[Row], shown: slice, width: int, emphasis: str = "") -> Table:
    """Some of the rows, which look the same whichever are shown. `emphasis`: the title of a column to stand out."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    widths = fitting(columns, rows, width)
    for i, needed in widths.items():
        table.add_column(
            columns[i].title,
            justify="left" if columns[i].words else "right",
            style="bold" if columns[i].title == emphasis else "",
            no_wrap=True,
            min_width=min(needed, width),
        )
    for row in rows[shown]:
        table.add_row(*(row.cells[i] for i in widths), style=row.style)
    return table


@dataclass(frozen=True)
class FittedTable:
    """With lines where all of it fits; else without them, and shorter. `short`: what then stands in the rows."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    short: Sequence[Row]
    short_title: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        needed = sum(_width(i, self.columns, self.rows) + _LINED_GAP for i in range(len(self.columns))) + 1
        # Into a file or a pipe nothing is left out.
        if needed <= options.max_width or not console.is_terminal:
            yield self._lined()
            return
        columns = [_stacked(column) for column in self.columns]
        kept = fitting(columns, self.short, options.max_width)
        yield f"[italic]{self.short_title}[/italic]"
        yield fitted_table(columns, self.short, slice(None), options.max_width)
        if left := [each.title for i, each in enumerate(self.columns) if i not in kept]:
            yield f"[dim]no room for {', '.join(left)}[/dim]"

    def _lined(self) -> Table:
        table = Table(title=self.title, title_justify="left")
        for column in self.columns:
            table.add_column(column.title, justify="left" if column.words else "right", overflow="fold")
        for row in self.rows:
            table.add_row(*row.cells)
        return table


def _stacked(column: Column) -> Column:
    """Its title in several lines."""
    return column._replace(title=column.title.replace(" ", "\n"))
