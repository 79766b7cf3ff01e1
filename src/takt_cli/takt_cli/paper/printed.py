# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed tables of papers, as CSV in the folder of each paper."""

from __future__ import annotations

import csv
import io
from importlib.resources import files
from typing import TypeVar

import msgspec

Row = TypeVar("Row")


def printed_rows(paper: str, name: str, kind: type[Row]) -> tuple[Row, ...]:
    """Return the rows of a printed table, its columns as the fields of `kind`."""
    columns, *rows = cells_of(paper, name)
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    return msgspec.convert(named, tuple[kind, ...], strict=False)  # type: ignore[valid-type]


def cells_of(paper: str, name: str) -> list[list[str]]:
    """Return the cells of a file, the titles of its columns first."""
    text = files(__package__).joinpath(paper, f"{name}.csv").read_text("utf-8")
    return list(csv.reader(io.StringIO(text)))
