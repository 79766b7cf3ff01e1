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
    text = files(__package__).joinpath(paper, f"{name}.csv").read_text("utf-8")
    return msgspec.convert(tuple(csv.DictReader(io.StringIO(text))), tuple[kind, ...], strict=False)  # type: ignore[valid-type]
