# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The content of a run's summary.json: all figures of the run, in total, per task and per processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from takt_cli.analysis.counters import AgeCounters, BudgetCounters, MessageTotals, SilentReader
from takt_cli.analysis.dispatch import CpuSeconds, DispatchOverhead
from takt_cli.analysis.freshness import NodeFreshness
from takt_cli.analysis.misses import JudgedCounts
from takt_cli.analysis.preemptions import Preemptions
from takt_cli.analysis.recording_cost import RecordingCost
from takt_cli.errors import ResultError
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import SUMMARY_FILE
from takt_cli.results.verdict import Verdict
from takt_cli.statistics.confidence import PercentilesWithIntervals
from takt_cli.statistics.percentiles import Percentiles

SCHEMA_VERSION = 4


class RunCounts(JudgedCounts, frozen=True, kw_only=True):
    """What a run and each of its tasks have in common: misses, the jobs that read a topic and those of them that ran on
    old data, what the executor did about old data and budgets, and preemptions, None if they are unknown."""

    stale: int
    stale_n: int
    stale_ratio: float | None
    ages: AgeCounters | None
    budgets: BudgetCounters | None
    preemptions: Preemptions | None


class RunTotals(RunCounts, frozen=True, kw_only=True):
    """The figures over all tasks. `cpu_s` is of the processes, `work_cpu_s` what the spec requires of finished jobs."""

    miss_ratio_95: tuple[float, float] | str | None
    stale_ratio_95: tuple[float, float] | str | None
    stale_share_by_node: float | None
    data_age_ms: PercentilesWithIntervals
    dispatch_us: DispatchOverhead
    decision_us: PercentilesWithIntervals
    handover_us: Percentiles
    release_jitter_us: PercentilesWithIntervals
    response_ms: PercentilesWithIntervals
    cpu_s: float
    callback_cpu_s: float
    cpu_by_class_s: CpuSeconds
    work_cpu_s: float
    messages: MessageTotals
    unheard: list[SilentReader]
    processes: int


class TaskFigures(RunCounts, frozen=True, kw_only=True):
    """The figures of one task. `cpu` is None if its jobs could run on any of several CPUs; `max_age_ms` and `budget_ms`
    are None if the spec gives none."""

    task: str
    cpu: int | None
    data_age_ms: Percentiles
    max_age_ms: float | None
    budget_ms: float | None
    response_ms: Percentiles
    cpu_s: float


class ProcessorFigures(JudgedCounts, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one CPU, or of several that tasks share, with the tasks that ran there. `utilisation` is that of
    the spec, `used` the share of the CPU that callbacks used. What only takt counts is None under other executors."""

    cpu: int | None
    cpus: list[int]
    tasks: list[str]
    utilisation: float
    used: float
    crossings: int | None = None
    longest_lock_wait_ns: int | None = None
    longest_lock_hold_ns: int | None = None


class StalledTotal(msgspec.Struct, frozen=True, kw_only=True):
    """The stalls of the host within the window."""

    length_us: Percentiles
    total_ms: float


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a run. `throttling`: whether the kernel stopped real-time threads for ordinary ones."""

    schema_version: int = SCHEMA_VERSION
    application: str
    executor: str
    policy: str
    policy_in_use: str
    refused: list[str]
    rmw: str
    duration_s: float
    totals: RunTotals
    nodes: list[NodeFreshness]
    processors: list[ProcessorFigures]
    tasks: list[TaskFigures]
    stalls: StalledTotal
    throttling: bool
    stress: AchievedLoad | None
    measuring: RecordingCost | None
    verdict: Verdict


class _Header(msgspec.Struct, frozen=True):
    schema_version: Any = None


def read_run_summary(folder: Path) -> RunSummary:
    """Read the summary of the run in `folder`. Raises ResultError if it is missing, damaged or of another version."""
    if read_json(folder / SUMMARY_FILE, _Header).schema_version != SCHEMA_VERSION:
        raise ResultError(f"{folder}: its {SUMMARY_FILE} is of another version of takt; run it again")
    return read_json(folder / SUMMARY_FILE, RunSummary)
