# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How old the data of readers was; and the figures of the experiment of section 5.5 of the thesis, which repeats it
with and without a bound."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from takt_cli.analysis.counters import AgeCounters
from takt_cli.analysis.freshness import data_age, reads_within, simulated_reads
from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.result import Result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.analysis.verdict import judged, unobserved_in_run
from takt_cli.results.sample_files import Rows
from takt_cli.results.verdict import Verdict
from takt_cli.statistics.percentiles import Samples, five_numbers
from takt_cli.synthetic.data_age_application import DataAgeCase

_MS = 1e6


@dataclass(frozen=True)
class AgedRun:
    """A run, and a simulation of the same application with its WCETs over `simulated` ns."""

    aged: DataAgeCase
    run_analysis: RunAnalysis
    model: Rows
    simulated: int


class FiveFigures(msgspec.Struct, frozen=True):
    """The number of ages, and the five figures that the thesis prints, in ms; None if there is none or it is
    infinite."""

    n: int
    min: float | None
    q1: float | None
    median: float | None
    q3: float | None
    max: float | None


class AgedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one run, in `folder`. `ages` are the executor's counters of what it did about data that would have
    been too old; `tasks_on_time_in_model` counts the tasks that meet all deadlines in the simulator, and the misses are
    theirs. `blind`: why the host's part in the run is not known."""

    nodes: int
    phase_ms: float
    max_age_ms: float | None
    folder: str
    jobs: int
    data_age_ms: FiveFigures
    above_limit: int
    above_limit_host: int
    ages: AgeCounters | None
    simulated_data_age_max_ms: float
    tasks: int
    tasks_on_time_in_model: int
    misses_of_those: int
    host_misses_of_those: int
    blind: list[str]


class DataAgeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a measurement."""

    limit_ms: float
    duration_s: float
    runs: list[AgedFigures]
    verdict: Verdict


@dataclass(frozen=True)
class DataAges:
    """How old the data was that the jobs of a run read. `ages` are in ns, infinite if there was no message yet;
    `above_limit` is how many exceed a limit, `above_limit_host` how many of those a stall of the host overlaps."""

    ages: Samples
    above_limit: int
    above_limit_host: int


def data_ages(result: Result, limit: int) -> DataAges:
    """Return the data ages of a run, with a limit in ns."""
    reads = reads_within(result.application, result.window, result.reads)
    ages = data_age(reads)
    reads_above = reads[ages > limit]
    stalls = result.stalls if result.record.saw_stalls else result.stalls[:0]
    stalled = overlaps(np.maximum(reads_above["start"] - limit, 0), reads_above["start"], stalls)
    return DataAges(ages, len(reads_above), int(stalled.sum()))


def aged_figures(run: AgedRun, limit: int) -> AgedFigures:
    """Return the figures of one run. `limit`: the data age in ns that a run with a bound must not exceed."""
    analysis, result = run.run_analysis, run.run_analysis.result
    totals, ages = analysis.totals, data_ages(analysis.result, limit)
    met = _tasks_on_time(run)
    is_of_met_task = np.isin(analysis.outcomes.task, met)
    return AgedFigures(
        nodes=run.aged.nodes,
        phase_ms=run.aged.phase / _MS,
        max_age_ms=run.aged.max_age / _MS if run.aged.max_age else None,
        folder=run.aged.folder,
        jobs=totals.jobs,
        data_age_ms=_five(ages.ages / _MS),
        above_limit=ages.above_limit,
        above_limit_host=ages.above_limit_host,
        ages=totals.ages,
        simulated_data_age_max_ms=float(np.max(_model_ages(run), initial=0.0)) / _MS,
        tasks=len(analysis.result.application.tasks),
        tasks_on_time_in_model=len(met),
        misses_of_those=int((analysis.outcomes.missed & is_of_met_task).sum()),
        host_misses_of_those=int((analysis.host & is_of_met_task).sum()),
        blind=unobserved_in_run(result),
    )


def data_age_summary(runs: list[AgedFigures], limit: int, seconds: float) -> DataAgeSummary:
    """Return all runs with a verdict on those with a bound: no data age above the limit, and no miss of a task that is
    on time in the model."""
    faults, reasons_not_judged = [], []
    for run in runs:
        if run.max_age_ms is None:
            continue
        name = f"{run.nodes} nodes, reader {run.phase_ms:g} ms apart"
        reasons_not_judged += [f"{name}: {why}" for why in run.blind]
        if ages_above := run.above_limit - run.above_limit_host:
            faults.append(f"{name}: {ages_above} of {run.data_age_ms.n} data ages above {limit / _MS:g} ms")
        if late := run.misses_of_those - run.host_misses_of_those:
            faults.append(f"{name}: {late} misses of tasks that are on time in the simulator")
    good = f"no data age above {limit / _MS:g} ms, no miss of a task that is on time in the simulator"
    verdict = judged(faults, reasons_not_judged, good)
    return DataAgeSummary(limit_ms=limit / _MS, duration_s=seconds, runs=runs, verdict=verdict)


def _five(ages: Samples) -> FiveFigures:
    return FiveFigures(len(ages), *(value if np.isfinite(value) else None for value in five_numbers(ages)))


def _tasks_on_time(run: AgedRun) -> list[int]:
    application = run.run_analysis.result.application
    out = outcomes(application, Window(0, 0, run.simulated), run.model)
    return [task.index for task in application.tasks if not out.missed[out.task == task.index].any()]


def _model_ages(run: AgedRun) -> Samples:
    # Without the first jobs, which without a bound find no message at all.
    application = run.run_analysis.result.application
    window = Window(0, application.hyperperiod, run.simulated)
    return data_age(reads_within(application, window, simulated_reads(application, run.model)))
