# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The printed figures and claims of the thesis, read from data that is packaged with takt."""

from __future__ import annotations

import csv
import io
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from takt_cli.paper.statistics import SEVEN
from takt_cli.paper.verdict import Claim


class Printed(NamedTuple):
    """A printed row: the number of its table, the seven figures by name, and the cells exactly as printed."""

    table: str
    values: dict[str, float]
    cells: list[str]


def claims() -> list[Claim]:
    """Return the printed claims in the order of the thesis."""
    return [Claim(row["section"], row["claim"], row["value"]) for row in _rows("claims")]


def overhead(case: str, executor: str) -> Printed:
    """Return the printed row of an executor's overhead in us. The thesis's prototype is `proposed`."""
    row = next(row for row in _rows("executor_overhead") if (row["case"], row["executor"]) == (case, executor))
    return _printed(row, "us")


def data_age(nodes: int, executor: str) -> Printed:
    """Return the printed row of an executor's data age in ms. `nodes` includes the two nodes that were added."""
    rows = _rows("data_age")
    row = next(row for row in rows if (int(row["application_nodes"]), row["executor"]) == (nodes, executor))
    return _printed(row, "ms")


def _printed(row: dict[str, str], unit: str) -> Printed:
    cells = [row[f"{name}_{unit}"] for name in SEVEN]
    return Printed(row["table"], dict(zip(SEVEN, map(float, cells), strict=True)), cells)


@cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    text = files("takt_cli").joinpath(f"paper/thesis2021/{name}.csv").read_text("utf-8")
    return tuple(csv.DictReader(io.StringIO(text)))
