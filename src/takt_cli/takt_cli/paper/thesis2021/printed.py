# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed tables of the thesis: overhead in us, and data age in ms."""

from __future__ import annotations

from functools import cache

import msgspec

from takt_cli.paper.printed import printed_rows
from takt_cli.paper.statistics import SEVEN, Seven


class PrintedRow(msgspec.Struct, frozen=True):
    """A row of a table: that of an executor, of which the thesis's prototype is `proposed`, in a case or an application
    with so many nodes. The figures are as printed."""

    table: str
    row: str
    executor: str
    min: str
    q1: str
    median: str
    q3: str
    max: str
    mean: str
    sd: str

    @property
    def cells(self) -> list[str]:
        """The figures exactly as printed."""
        return [getattr(self, name) for name in SEVEN]

    @property
    def figures(self) -> Seven:
        """The figures as numbers."""
        low, q1, median, q3, high, mean, sd = map(float, self.cells)
        return Seven(min=low, q1=q1, median=median, q3=q3, max=high, mean=mean, sd=sd)


def printed(part: str, row: str | int, executor: str) -> PrintedRow:
    """Return a printed row of the part `overhead` or `data-age`."""
    return _rows(part)[str(row), executor]


@cache
def _rows(part: str) -> dict[tuple[str, str], PrintedRow]:
    return {(each.row, each.executor): each for each in printed_rows("thesis2021", part, PrintedRow)}
