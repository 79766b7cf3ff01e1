# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.2 of the thesis: deadline misses by message size, utilisation and number of nodes."""

from __future__ import annotations

from typing import Any

from takt_cli.analysis.result_set import ResultSet
from takt_cli.paper.batch_part import BatchPart, Items
from takt_cli.paper.paper import Setup
from takt_cli.paper.statistics import miss_row
from takt_cli.paper.thesis2021.applications import items, runs_of_application
from takt_cli.paper.thesis2021.cases import case_json, miss_cases

_EXECUTORS = ("baseline1", "takt")
# The thesis expects misses of baseline0 that depend on none of the parameters, and did not measure it.
_EXTRA = "baseline0"


def _items(setup: Setup) -> Items:
    return items(setup, miss_cases(), (*_EXECUTORS, _EXTRA) if setup.extra else _EXECUTORS)


def _statistics(results: ResultSet) -> dict[str, Any]:
    rows = []
    for case in miss_cases():
        for executor in (*_EXECUTORS, _EXTRA):
            runs = runs_of_application(results, case.name, executor)
            if runs or executor != _EXTRA:
                rows.append(case_json(case) | {"executor": executor} | miss_row(runs))
    return {"rows": rows}


MISSES = BatchPart("misses", "deadline misses, figures 5.2 to 5.7", _items, _statistics)
