# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.3 of the thesis: stale executions, which ran on old data."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.result_set import ResultSet
from takt_cli.paper.batch_part import BatchPart, Items
from takt_cli.paper.paper import Setup
from takt_cli.paper.statistics import miss_row
from takt_cli.paper.thesis2021.applications import items, runs_of_application
from takt_cli.paper.thesis2021.cases import case_json, freshness_cases

# The thesis left baseline0 out.
_EXECUTORS = ("baseline1", "takt")


def _items(setup: Setup) -> Items:
    return items(setup, freshness_cases(), _EXECUTORS)


def _statistics(results: ResultSet) -> dict[str, Any]:
    rows = []
    for case in freshness_cases():
        for executor in _EXECUTORS:
            runs = runs_of_application(results, case.name, executor)
            # The share of each node's executions that were stale, averaged over the nodes that ran, including those
            # that read nothing.
            shares = [run.summary["totals"]["stale_share_by_node"] for run in runs]
            known_shares = [share for share in shares if share is not None]
            rows.append(
                case_json(case)
                | {"executor": executor}
                | miss_row(runs)
                | {
                    "stale_share": float(np.mean(known_shares)) if known_shares else None,
                    "stale_share_runs": known_shares,
                }
            )
    return {"rows": rows}


FRESHNESS = BatchPart("freshness", "stale executions, figures 5.8 to 5.10", _items, _statistics)
