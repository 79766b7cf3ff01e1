# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.1: what it costs to choose the next callback, and all that a job costs beside its callback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.dispatch import decided, dispatched
from takt_cli.analysis.grid import outcomes
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchPart, Items
from takt_cli.paper.figures import Floats, blind, place, seven
from takt_cli.paper.paper import Setup
from takt_cli.paper.thesis2021.applications import items, runs_of
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, SMALL, case_json, overhead_cases

# With one executor per node there is nothing to choose, so baseline1 is not among them.
_EXECUTORS = ("baseline0", "takt")
_CLASSES = ("per_job", "executor", "middleware", "other")
_US = 1e3


def _items(setup: Setup) -> Items:
    return items(setup, overhead_cases(), _EXECUTORS)


def _figures(found: ResultSet) -> dict[str, Any]:
    cases = overhead_cases()
    rows = []
    for case in (SMALL, LARGE, LARGE_EXCHANGE):
        names = [each.name for each in cases if each.group == case]
        for executor in _EXECUTORS:
            runs = [run for name in names for run in runs_of(found, name, executor)]
            rows.append({"case": case, "executor": executor} | _row(runs))
    return {"rows": rows, "applications": [_application(found, case) for case in cases]}


def _row(runs: Sequence[SetRun]) -> dict[str, Any]:
    pairs = [_samples(run) for run in runs]
    chosen, between = ([pair[i] for pair in pairs] or [np.empty(0)] for i in (0, 1))
    return {
        "runs": len(runs),
        "decision_us": seven(np.concatenate(chosen)),
        "thread_us": seven(np.concatenate(between)),
        "dispatch_us": _dispatch(runs),
        "blind": list(dict.fromkeys(why for run in runs for why in blind(run))),
        "folders": [place(run) for run in runs],
    }


def _samples(run: SetRun) -> tuple[Floats, Floats]:
    """Of each job: how long it took to choose it, and what its thread did since the callback before; us."""
    result = read_result(run.folder)
    out = outcomes(result.application, result.window, result.jobs, result.on)
    return decided(out).decision / _US, dispatched(out).dispatch_cpu / _US


def _dispatch(runs: Sequence[SetRun]) -> dict[str, Any]:
    """A ratio of totals over all runs, by whose threads; and of each run."""
    every = [run.summary["totals"]["dispatch_us"] for run in runs]
    known = [each for each in every if each["per_job"] is not None]
    jobs = sum(int(each["jobs"]) for each in known)
    ratios = {name: sum(each[name] * each["jobs"] for each in known) / jobs if jobs else None for name in _CLASSES}
    return ratios | {"jobs": jobs, "per_job_runs": [each["per_job"] for each in known]}


def _application(found: ResultSet, case: Any) -> dict[str, Any]:
    costs = {name: _dispatch(runs_of(found, case.name, name))["per_job"] for name in _EXECUTORS}
    known = None not in costs.values()
    return (
        case_json(case)
        | {"case": case.group, "per_job_us": costs}
        | {"cheaper": costs["takt"] < costs["baseline0"] if known else None}
    )


OVERHEAD = BatchPart("overhead", "overhead of the executor, tables 5.6 to 5.8 and figure 5.1", _items, _figures)
