# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.1 of the thesis: decision times, and the whole dispatch overhead per job.

The thesis timed `get_next_executable`. Here the executors are compared by dispatch overhead, the CPU time per job,
which includes all costs; decision times are given beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
import numpy as np

from takt_cli.analysis.dispatch import decision_time_known, dispatch_time_known
from takt_cli.analysis.grid import outcomes
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchFigures, BatchPart
from takt_cli.paper.claims import Way
from takt_cli.paper.statistics import Seven, find_row, reasons_host_unobserved, relative_folder, seven_figures
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, SMALL, Case, cases, items, runs_of_application
from takt_cli.paper.verdict import Finding, Outcome, count, holds, missing_data, number
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import Samples

# baseline1 has an executor for each node, which has no callbacks to choose between, so it is not measured.
_EXECUTORS = ("baseline0", "takt")
_US = 1e3


class Dispatch(msgspec.Struct, frozen=True, kw_only=True):
    """The dispatch overhead per job in us over all runs, by threads, and that of each run."""

    per_job: float | None
    executor: float | None
    middleware: float | None
    other: float | None
    jobs: int
    per_job_runs: list[float]


class OverheadRow(msgspec.Struct, frozen=True, kw_only=True):
    """The overhead of an executor in the applications of a case."""

    case: str
    executor: str
    runs: int
    decision_us: Seven | None
    thread_us: Seven | None
    dispatch_us: Dispatch
    blind: list[str]
    folders: list[str]


class OverheadApplication(msgspec.Struct, frozen=True, kw_only=True):
    """The dispatch overhead per job in one application, by executor."""

    application: str
    case: str
    per_job_us: dict[str, float | None]
    cheaper: bool | None


class OverheadFigures(BatchFigures, frozen=True, kw_only=True):
    rows: list[OverheadRow]
    applications: list[OverheadApplication]

    def compare(self, case: str) -> tuple[float, str]:
        """Return the increase of takt's overhead per job over baseline0's in per cent, and its description.

        Raises NotJudged unless both have jobs in every application of the case.
        """
        takt, baseline = (find_row(self.rows, case=case, executor=executor) for executor in ("takt", "baseline0"))
        is_partial = any(each.case == case and each.cheaper is None for each in self.applications)
        if is_partial or not takt or not baseline:
            raise missing_data(f"baseline0 and takt in every application, {case}")
        cost, other = takt.dispatch_us.per_job, baseline.dispatch_us.per_job
        if not cost or not other:
            raise missing_data(f"baseline0 and takt with jobs, {case}")
        jobs = f"n = {takt.dispatch_us.jobs} and {baseline.dispatch_us.jobs} jobs in {count(takt.runs, 'run')}"
        means = [number(row.decision_us.mean) for row in (takt, baseline) if row.decision_us is not None]
        decision = f"; mean decision time {means[0]} against {means[1]} us" if len(means) == 2 else ""
        change = 100 * (cost / other - 1)
        why = f"{change:+.0f} %: {number(cost)} against {number(other)} us of CPU per job ({jobs}){decision}"
        return change, why


def _figures(results: ResultSet, common: BatchFigures) -> OverheadFigures:
    rows = []
    for case in (SMALL, LARGE, LARGE_EXCHANGE):
        names = [each.name for each in cases("overhead") if each.group == case]
        for executor in _EXECUTORS:
            runs = [run for name in names for run in runs_of_application(results, name, executor)]
            rows.append(_row(case, executor, runs))
    applications = [_application(results, case) for case in cases("overhead")]
    return extended(common, OverheadFigures, rows=rows, applications=applications)


def _row(case: str, executor: str, runs: Sequence[SetRun]) -> OverheadRow:
    pairs = [_samples(run) for run in runs]
    chosen, between_callbacks = ([pair[i] for pair in pairs] or [np.empty(0)] for i in (0, 1))
    return OverheadRow(
        case=case,
        executor=executor,
        runs=len(runs),
        decision_us=seven_figures(np.concatenate(chosen)),
        thread_us=seven_figures(np.concatenate(between_callbacks)),
        dispatch_us=_dispatch(runs),
        blind=list(dict.fromkeys(why for run in runs for why in reasons_host_unobserved(run))),
        folders=[relative_folder(run) for run in runs],
    )


def _samples(run: SetRun) -> tuple[Samples, Samples]:
    """Return for each job, in us, its decision time and the CPU time of its thread since the previous callback."""
    result = read_result(run.folder)
    out = outcomes(result.application, result.window, result.jobs, result.task_cpus)
    return decision_time_known(out).decision / _US, dispatch_time_known(out).dispatch_cpu / _US


def _dispatch(runs: Sequence[SetRun]) -> Dispatch:
    """Return the dispatch overhead per job over all runs as a ratio of totals."""
    costs = [run.summary.totals.dispatch_us for run in runs]
    known_costs = [each for each in costs if each.per_job is not None]
    jobs = sum(each.jobs for each in known_costs)
    means = {
        name: sum(getattr(each, name) * each.jobs for each in known_costs) / jobs if jobs else None
        for name in ("per_job", "executor", "middleware", "other")
    }
    return Dispatch(**means, jobs=jobs, per_job_runs=[each.per_job for each in known_costs if each.per_job is not None])


def _application(results: ResultSet, case: Case) -> OverheadApplication:
    costs = {name: _dispatch(runs_of_application(results, case.name, name)).per_job for name in _EXECUTORS}
    baseline, takt = costs.values()
    cheaper = None if takt is None or baseline is None else takt < baseline
    return OverheadApplication(application=case.name, case=case.group, per_job_us=costs, cheaper=cheaper)


PART = BatchPart("overhead", OverheadFigures, partial(items, "overhead", _EXECUTORS), _figures)


class Increase(Way, frozen=True):
    """takt's overhead exceeds baseline0's by about what is printed of the thesis's prototype, or by less."""

    case: str
    low: float
    high: float

    def judge(self, figures: OverheadFigures) -> Finding:
        change, why = figures.compare(self.case)
        return Finding(Outcome.better, why) if change < self.low else holds(change <= self.high, why)


class Cheaper(Way, frozen=True):
    """takt's overhead is below baseline0's."""

    case: str

    def judge(self, figures: OverheadFigures) -> Finding:
        change, why = figures.compare(self.case)
        each = [row.cheaper for row in figures.applications if row.case == self.case]
        remark = f"; in {sum(map(bool, each))} of {len(each)} applications" if len(each) > 1 else ""
        return holds(change < 0, why + remark)


WAYS = (Increase, Cheaper)
