# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed tables I to XV of the paper, read from data that is packaged with takt."""

from __future__ import annotations

import csv
import io
from functools import cache
from importlib.resources import files
from typing import NamedTuple

TABLES = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
TEN_MINUTES = 600.0


class Printed(NamedTuple):
    """A row of a printed table, with times in us."""

    table: str
    test: str
    title: str
    middleware: str
    minimum: int
    mean: int
    maximum: int
    missed: int
    lost: int
    sent: int

    @property
    def period_ms(self) -> float:
        """The mean period of the messages, from the number sent in ten minutes (test 5: twelve hours)."""
        return 1000 * (72 if self.test.startswith("5") else 1) * TEN_MINUTES / self.sent


def rows_of_test(test: str) -> list[Printed]:
    """Return the printed rows of a test; none if the paper has no table for it."""
    return [row for row in all_rows() if row.test == test]


@cache
def all_rows() -> tuple[Printed, ...]:
    """Return all printed rows."""
    text = files("takt_cli").joinpath("paper/gutierrez2018/round_trip.csv").read_text("utf-8")
    return tuple(
        Printed(row["table"], row["test"], row["title"], row["middleware"], *map(int, list(row.values())[4:]))
        for row in csv.DictReader(io.StringIO(text))
    )
