# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures of a batch: each application under each executor, over its runs."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable

import msgspec

from takt_cli.analysis.hosts import hosts_of
from takt_cli.analysis.natural_order import natural_key
from takt_cli.analysis.result_set import FailedRun, ResultSet, SetRun


class OverRuns(msgspec.Struct, frozen=True, omit_defaults=True):
    """Median, minimum and maximum of the `n` runs that have a value; None if infinite, or if no run has one.
    `infinite`: how many values are infinite."""

    n: int
    median: float | None
    min: float | None
    max: float | None
    infinite: int = 0


class FiguresOverRuns(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of an executor's runs of one application, or of all if `application` is None. `host` is the label of
    their host; None if all hosts are alike."""

    application: str | None
    executor: str
    host: str | None
    runs: int
    miss_ratio: OverRuns
    unforced_ratio: OverRuns
    host_misses: OverRuns
    stale_ratio: OverRuns
    data_age_max_ms: OverRuns
    dispatch_us: OverRuns
    decision_us: OverRuns
    verdicts: dict[str, int]


class SeveralHosts(msgspec.Struct, frozen=True):
    """The number of runs on each host, and the facts in which hosts differ, with their values."""

    runs: dict[str, int]
    differ: dict[str, list[str]]


class BatchSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a batch. `commits`: the number of runs by the commit of takt that made them."""

    kind: str
    duration_s: float
    seed: int
    runs: int
    pending: int
    failed: tuple[FailedRun, ...]
    hosts: SeveralHosts
    commits: dict[str, int]
    refused: list[str]
    rows: list[FiguresOverRuns]
    executors: list[FiguresOverRuns]


def batch_summary(results: ResultSet) -> BatchSummary:
    """Return all figures. Runs on hosts that differ are not pooled."""
    host_table = hosts_of([run.host for run in results.runs])
    groups: dict[tuple[str | None, str, str | None], list[SetRun]] = {}
    for run in results.runs:
        for application in (run.application, None):
            groups.setdefault((application, run.executor, host_table.label(run.host)), []).append(run)
    rows = [
        _over_runs_of(names, groups[names])
        for names in sorted(groups, key=lambda names: [natural_key(name or "") for name in names])
    ]
    plan = results.plan
    assert plan is not None, "only batches are summarised"
    return BatchSummary(
        kind=results.kind,
        duration_s=plan.duration / 1e9,
        seed=plan.seed,
        runs=len(results.runs),
        pending=results.pending,
        failed=results.failed,
        hosts=SeveralHosts(host_table.run_counts, host_table.differing_facts),
        commits=dict(Counter(str(run.origin.commit) for run in results.runs)),
        refused=sorted({line for run in results.runs for line in run.summary.refused}),
        rows=[row for row in rows if row.application is not None],
        executors=[row for row in rows if row.application is None],
    )


def _over_runs_of(names: tuple[str | None, str, str | None], runs: list[SetRun]) -> FiguresOverRuns:
    application, executor, label = names
    totals = [run.summary.totals for run in runs]
    ages = [each.data_age_ms for each in totals if each.data_age_ms.n]
    return FiguresOverRuns(
        application=application,
        executor=executor,
        host=label,
        runs=len(runs),
        miss_ratio=over_runs(each.miss_ratio for each in totals),
        unforced_ratio=over_runs(each.unforced / each.jobs if each.jobs else None for each in totals),
        host_misses=over_runs(float(each.host_misses) for each in totals),
        stale_ratio=over_runs(each.stale_ratio for each in totals),
        # If a reader once had no message yet, its data age was infinite.
        data_age_max_ms=over_runs(float("inf") if age.infinite else age.max for age in ages),
        dispatch_us=over_runs(each.dispatch_us.per_job for each in totals),
        decision_us=over_runs(each.decision_us.p50 for each in totals),
        verdicts=dict(Counter(run.summary.verdict.outcome for run in runs)),
    )


def over_runs(values: Iterable[float | None]) -> OverRuns:
    """Return median, minimum and maximum of the runs that have a value."""
    known_values = sorted(value for value in values if value is not None)
    if not known_values:
        return OverRuns(0, None, None, None)
    median, least, greatest = (
        None if value == float("inf") else value
        for value in (statistics.median(known_values), known_values[0], known_values[-1])
    )
    infinite = sum(value == float("inf") for value in known_values)
    return OverRuns(len(known_values), median, least, greatest, infinite)
