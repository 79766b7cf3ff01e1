# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper's claims on its eight runs, read from data that is packaged with takt."""

from __future__ import annotations

import csv
import io
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class PrintedClaim(NamedTuple):
    """A claim as one sentence, with the run that it is about: kernel, stress or not, framework."""

    kernel: str
    stress: bool
    framework: str
    claim: str


@cache
def claims() -> tuple[PrintedClaim, ...]:
    """Return the claims in the paper's order of runs."""
    text = files("takt_cli").joinpath("paper/icra2021/claims.csv").read_text("utf-8")
    rows = csv.DictReader(io.StringIO(text))
    return tuple(PrintedClaim(row["kernel"], row["stress"] == "yes", row["framework"], row["claim"]) for row in rows)
