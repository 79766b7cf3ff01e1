# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed tables of the thesis: overhead in us, and data age in ms."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import msgspec

from takt_cli.paper.paper_file import cells_of
from takt_cli.paper.statistics import SEVEN, Seven


class PrintedRow(NamedTuple):
    """A row of a table, with its figures exactly as printed and as numbers."""

    table: str
    cells: list[str]
    figures: Seven


def printed(part: str, row: str | int, executor: str) -> PrintedRow:
    """Return a printed row of the part `overhead` or `data-age`: that of an executor, of which the thesis's prototype
    is `proposed`, in a case or an application with so many nodes."""
    return _rows(part)[str(row), executor]


@cache
def _rows(part: str) -> dict[tuple[str, str], PrintedRow]:
    rows = {}
    for table, row, executor, *cells in cells_of("thesis2021", part)[1:]:
        figures = msgspec.convert(dict(zip(SEVEN, cells, strict=True)), Seven, strict=False)
        rows[row, executor] = PrintedRow(table, cells, figures)
    return rows
