# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of a simulation by the model, and of a run that was replayed in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.freshness import data_age, reads_within, simulated_reads
from takt_cli.analysis.grid import Fate, Outcomes, Window, outcomes
from takt_cli.analysis.result import Result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.results.sample_files import Rows
from takt_cli.spec.application import Application, Task
from takt_cli.statistics.percentiles import percentiles

SCHEMA_VERSION = 1
_MS = 1e6


def simulation_summary(
    application: Application, window: Window, jobs: Rows, processors: Sequence[int], task_cpus: Sequence[int]
) -> dict[str, Any]:
    """Return the figures of a simulation: misses and response times, in total, per processor and per task.
    `processors`: their numbers; `task_cpus`: the processor of each task."""
    out = outcomes(application, window, jobs, task_cpus)
    reads = reads_within(application, window, simulated_reads(application, jobs))
    return {
        "schema_version": SCHEMA_VERSION,
        "application": application.name,
        "policy": application.policy,
        "duration_s": (window.end - window.start) / 1e9,
        "utilisation": application.utilisation,
        "hyperperiod_ms": application.hyperperiod / _MS,
        **_miss_counts(out),
        "processors": [
            {
                "processor": processor,
                "utilisation": sum(
                    task.callback.utilisation
                    for task, place in zip(application.tasks, task_cpus, strict=True)
                    if place == processor
                ),
                **_miss_counts(out.select(out.task_cpu == processor)),
            }
            for processor in processors
        ],
        "tasks": [
            _task(task, out.select(out.task == task.index))
            | {"processor": task_cpus[task.index], "reads": _reads(application, reads[reads["task"] == task.index])}
            for task in application.tasks
        ],
    }


def replay_summary(result: Result, application: Application) -> dict[str, Any]:
    """Return the figures of a run replayed under `application`'s policy (`result.replay`), with the run's own beside
    them."""
    assert result.replay is not None
    analysis = RunAnalysis(result)
    totals = analysis.totals()
    summary = simulation_summary(application, result.window, result.replay, result.cpus, result.task_cpus)
    names = ("deadline_misses", "late", "skipped", "unfinished", "host_misses", "unforced_misses", "unforced_skipped")
    summary["replay_of"] = {
        "executor": result.executor,
        "policy": result.settings.policy,
        **{name: totals[name] for name in names},
    }
    for task in summary["tasks"]:
        is_of_task = analysis.outcomes.task == task["index"]
        task["run"] = {
            "deadline_misses": int(analysis.outcomes.missed[is_of_task].sum()),
            "host_misses": int(analysis.host[is_of_task].sum()),
            "unforced_misses": int(analysis.unforced[is_of_task].sum()),
            "unforced_skipped": int(analysis.unforced_skips[is_of_task].sum()),
        }
    return summary


def _miss_counts(out: Outcomes) -> dict[str, Any]:
    missed = int(out.missed.sum())
    return {
        "jobs": len(out),
        "deadline_misses": missed,
        "miss_ratio": missed / len(out) if len(out) else None,
        "late": int((out.fate == Fate.late).sum()),
        "skipped": int((out.fate == Fate.skipped).sum()),
        "unfinished": int((out.fate == Fate.unfinished).sum()),
    }


def _task(task: Task, out: Outcomes) -> dict[str, Any]:
    is_finished = out.finish >= 0
    responses = (out.finish - out.release)[is_finished].astype(np.float64) / _MS
    return {
        "task": task.id,
        "index": task.index,
        "period_ms": task.callback.period / _MS,
        "deadline_ms": task.callback.deadline / _MS,
        "wcet_ms": task.callback.wcet / _MS,
        **_miss_counts(out),
        "response_ms": percentiles(responses),
    }


def _reads(application: Application, reads: Rows) -> list[dict[str, Any]]:
    """Return for each topic that a task reads the age of the newest message when a job starts, and the number of jobs
    that start before there is any."""
    metrics = []
    for topic in np.unique(reads["topic"]).tolist():
        ages = data_age(reads[reads["topic"] == topic])
        metrics.append(
            {
                "topic": application.topics[topic].name,
                "data_age_ms": percentiles(ages[np.isfinite(ages)] / _MS),
                "without_message": int(np.isinf(ages).sum()),
            }
        )
    return metrics
