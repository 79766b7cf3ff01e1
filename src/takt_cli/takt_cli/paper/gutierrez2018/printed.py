# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed tables I to XV of the paper."""

from __future__ import annotations

from functools import cache

import msgspec

from takt_cli.paper.paper_file import printed_rows

_TEN_MINUTES = 600.0


class Printed(msgspec.Struct, frozen=True):
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
        return 1000 * (72 if self.test.startswith("5") else 1) * _TEN_MINUTES / self.sent


def rows_of_test(test: str) -> list[Printed]:
    """Return the printed rows of a test; none if the paper has no table for it."""
    return [row for row in all_rows() if row.test == test]


@cache
def all_rows() -> tuple[Printed, ...]:
    """Return all printed rows, in the order of the tables."""
    return printed_rows("gutierrez2018", "round_trip", Printed)
