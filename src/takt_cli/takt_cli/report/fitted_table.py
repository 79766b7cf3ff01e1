# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A table for a screen of any size: columns that do not fit are left out, whole, never figures cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.table import Table

_GAP = 2


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
    widths = {i: max(map(cell_len, (each.title, *(row.cells[i] for row in rows)))) for i, each in enumerate(columns)}
    while len(widths) > 1 and sum(widths.values()) + _GAP * (len(widths) - 1) > width:
        del widths[max(list(widths)[1:], key=lambda i: (columns[i].leave, i))]
    return widths


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
