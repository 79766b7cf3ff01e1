# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of a simulation by the model, and of a run that was replayed in it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from takt_cli.analysis.freshness import data_age, reads_within, simulated_reads
from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.misses import JudgedCounts, MissCounts, miss_counts
from takt_cli.analysis.result import Result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.results.sample_files import Rows
from takt_cli.results.structures import extended
from takt_cli.spec.application import Application
from takt_cli.statistics.percentiles import Percentiles, percentiles

_MS = 1e6


class SimulatedReads(msgspec.Struct, frozen=True):
    """The age of the newest message on a topic when a job starts, and the number of jobs that start before there is
    any."""

    topic: str
    data_age_ms: Percentiles
    without_message: int


class SimulatedProcessor(MissCounts, frozen=True, kw_only=True):
    """The figures of one processor."""

    processor: int
    utilisation: float


class SimulatedTask(MissCounts, frozen=True, kw_only=True):
    """The figures of one task; `run` are those of the run that was replayed, if one was."""

    task: str
    index: int
    processor: int
    period_ms: float
    deadline_ms: float
    wcet_ms: float
    response_ms: Percentiles
    reads: list[SimulatedReads]
    run: JudgedCounts | None = None


class ReplayedRun(JudgedCounts, frozen=True, kw_only=True):
    """The figures of the run that was replayed."""

    executor: str
    policy: str


class SimulationSummary(MissCounts, frozen=True, kw_only=True):
    """The figures of a simulation: misses and response times, in total, per processor and per task."""

    schema_version: int = 1
    application: str
    policy: str
    duration_s: float
    utilisation: float
    hyperperiod_ms: float
    processors: list[SimulatedProcessor]
    tasks: list[SimulatedTask]
    replay_of: ReplayedRun | None = None


def simulation_summary(
    application: Application, window: Window, jobs: Rows, processors: Sequence[int], task_cpus: Sequence[int]
) -> SimulationSummary:
    """Return the figures of a simulation. `processors`: their numbers; `task_cpus`: the processor of each task."""
    out = outcomes(application, window, jobs, task_cpus)
    reads = reads_within(application, window, simulated_reads(application, jobs))
    tasks = []
    for task in application.tasks:
        of_task, callback = out.select(out.task == task.index), task.callback
        finished = of_task.select(of_task.finish >= 0)
        tasks.append(
            extended(
                miss_counts(of_task),
                SimulatedTask,
                task=task.id,
                index=task.index,
                processor=task_cpus[task.index],
                period_ms=callback.period / _MS,
                deadline_ms=callback.deadline / _MS,
                wcet_ms=callback.wcet / _MS,
                response_ms=percentiles((finished.finish - finished.release) / _MS),
                reads=_reads(application, reads[reads["task"] == task.index]),
            )
        )
    return extended(
        miss_counts(out),
        SimulationSummary,
        application=application.name,
        policy=application.policy,
        duration_s=(window.end - window.start) / 1e9,
        utilisation=application.utilisation,
        hyperperiod_ms=application.hyperperiod / _MS,
        processors=[
            extended(
                miss_counts(out.select(out.task_cpu == processor)),
                SimulatedProcessor,
                processor=processor,
                utilisation=sum(
                    task.callback.utilisation
                    for task, place in zip(application.tasks, task_cpus, strict=True)
                    if place == processor
                ),
            )
            for processor in processors
        ],
        tasks=tasks,
    )


def replay_summary(result: Result, application: Application) -> SimulationSummary:
    """Return the figures of a run replayed under `application`'s policy (`result.replay`), with the run's own beside
    them."""
    assert result.replay is not None
    analysis = RunAnalysis(result)
    summary = simulation_summary(application, result.window, result.replay, result.cpus, result.task_cpus)
    return msgspec.structs.replace(
        summary,
        replay_of=extended(
            analysis.counts(np.ones(len(analysis.outcomes), np.bool_)),
            ReplayedRun,
            executor=result.executor,
            policy=result.settings.policy,
        ),
        tasks=[
            msgspec.structs.replace(task, run=analysis.counts(analysis.outcomes.task == task.index))
            for task in summary.tasks
        ],
    )


def _reads(application: Application, reads: Rows) -> list[SimulatedReads]:
    """Return the figures of each topic that a task reads."""
    figures = []
    for topic in np.unique(reads["topic"]).tolist():
        ages = data_age(reads[reads["topic"] == topic])
        finite = percentiles(ages[np.isfinite(ages)] / _MS)
        figures.append(SimulatedReads(application.topics[topic].name, finite, int(np.isinf(ages).sum())))
    return figures
