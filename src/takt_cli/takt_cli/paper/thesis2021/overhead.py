# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.1 of the thesis: decision times, and the whole dispatch overhead per job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.dispatch import decision_time_known, dispatch_time_known
from takt_cli.analysis.grid import outcomes
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchPart, Items
from takt_cli.paper.paper import Setup
from takt_cli.paper.statistics import Floats, reasons_host_unobserved, relative_folder, seven_figures
from takt_cli.paper.thesis2021.applications import items, runs_of_application
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, SMALL, case_json, overhead_cases

# baseline1 has an executor for each node, which has no callbacks to choose between, so it is not measured.
_EXECUTORS = ("baseline0", "takt")
_CLASSES = ("per_job", "executor", "middleware", "other")
_US = 1e3


def _items(setup: Setup) -> Items:
    return items(setup, overhead_cases(), _EXECUTORS)


def _statistics(results: ResultSet) -> dict[str, Any]:
    cases = overhead_cases()
    rows = []
    for case in (SMALL, LARGE, LARGE_EXCHANGE):
        names = [each.name for each in cases if each.group == case]
        for executor in _EXECUTORS:
            runs = [run for name in names for run in runs_of_application(results, name, executor)]
            rows.append({"case": case, "executor": executor} | _row(runs))
    return {"rows": rows, "applications": [_application(results, case) for case in cases]}


def _row(runs: Sequence[SetRun]) -> dict[str, Any]:
    pairs = [_samples(run) for run in runs]
    chosen, between_callbacks = ([pair[i] for pair in pairs] or [np.empty(0)] for i in (0, 1))
    return {
        "runs": len(runs),
        "decision_us": seven_figures(np.concatenate(chosen)),
        "thread_us": seven_figures(np.concatenate(between_callbacks)),
        "dispatch_us": _dispatch(runs),
        "blind": list(dict.fromkeys(why for run in runs for why in reasons_host_unobserved(run))),
        "folders": [relative_folder(run) for run in runs],
    }


def _samples(run: SetRun) -> tuple[Floats, Floats]:
    """Return for each job, in us, its decision time and the CPU time of its thread since the previous callback."""
    result = read_result(run.folder)
    out = outcomes(result.application, result.window, result.jobs, result.task_cpus)
    return decision_time_known(out).decision / _US, dispatch_time_known(out).dispatch_cpu / _US


def _dispatch(runs: Sequence[SetRun]) -> dict[str, Any]:
    """Return the dispatch overhead per job over all runs as a ratio of totals, by threads, and that of each run."""
    costs = [run.summary["totals"]["dispatch_us"] for run in runs]
    known_costs = [each for each in costs if each.per_job is not None]
    jobs = sum(each.jobs for each in known_costs)
    ratios = {
        name: sum(getattr(each, name) * each.jobs for each in known_costs) / jobs if jobs else None for name in _CLASSES
    }
    return ratios | {"jobs": jobs, "per_job_runs": [each.per_job for each in known_costs]}


def _application(results: ResultSet, case: Any) -> dict[str, Any]:
    costs = {name: _dispatch(runs_of_application(results, case.name, name))["per_job"] for name in _EXECUTORS}
    all_known = None not in costs.values()
    return (
        case_json(case)
        | {"case": case.group, "per_job_us": costs}
        | {"cheaper": costs["takt"] < costs["baseline0"] if all_known else None}
    )


OVERHEAD = BatchPart("overhead", "executor overhead, tables 5.6 to 5.8, figure 5.1", _items, _statistics)
