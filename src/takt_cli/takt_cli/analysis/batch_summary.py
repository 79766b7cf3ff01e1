# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures of a batch: each application under each executor, over its runs."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from typing import Any

from takt_cli.analysis.hosts import hosts_of
from takt_cli.analysis.natural_order import natural_key
from takt_cli.analysis.result_set import ResultSet, SetRun

SCHEMA_VERSION = 1


def batch_summary(results: ResultSet) -> dict[str, Any]:
    """Return all figures, for JSON. Runs on hosts that differ are not pooled."""
    host_table = hosts_of([run.host for run in results.runs])
    rows: dict[tuple[str, str, str | None], list[SetRun]] = {}
    executors: dict[tuple[str, str | None], list[SetRun]] = {}
    for run in results.runs:
        label = host_table.label(run.host)
        rows.setdefault((run.application, run.executor, label), []).append(run)
        executors.setdefault((run.executor, label), []).append(run)
    plan = results.plan
    assert plan is not None, "only batches are summarised"
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": results.kind,
        "duration_s": plan.duration / 1e9,
        "seed": plan.seed,
        "runs": len(results.runs),
        "pending": results.pending,
        "failed": [vars(failed) for failed in results.failed],
        "hosts": {"runs": host_table.run_counts, "differ": host_table.differing_facts},
        "commits": dict(Counter(str(run.envelope.origin.commit) for run in results.runs)),
        "refused": sorted({line for run in results.runs for line in run.summary["refused"]}),
        "rows": [
            {"application": application, "executor": executor, "host": label, **_run_statistics(runs)}
            for (application, executor, label), runs in sorted(rows.items(), key=lambda row: _key(row[0]))
        ],
        "executors": [
            {"executor": executor, "host": label, **_run_statistics(runs)}
            for (executor, label), runs in sorted(executors.items(), key=lambda row: _key(row[0]))
        ],
    }


def _key(names: tuple[str | None, ...]) -> tuple[Any, ...]:
    return tuple(natural_key(name or "") for name in names)


def _run_statistics(runs: list[SetRun]) -> dict[str, Any]:
    totals = [run.summary["totals"] for run in runs]
    ages = [each["data_age_ms"] for each in totals if each["data_age_ms"].n]
    return {
        "runs": len(runs),
        "miss_ratio": over_runs(each["miss_ratio"] for each in totals),
        "unforced_ratio": over_runs(_ratio(each, ("unforced_misses", "unforced_skipped")) for each in totals),
        "host_misses": over_runs(float(each["host_misses"]) for each in totals),
        "stale_ratio": over_runs(each["stale_ratio"] for each in totals),
        # If a reader once had no message yet, its data age was infinite.
        "data_age_max_ms": over_runs(float("inf") if age.infinite else age.max for age in ages),
        "dispatch_us": over_runs(each["dispatch_us"].per_job for each in totals),
        "decision_us": over_runs(each["decision_us"].p50 for each in totals),
        "verdicts": dict(Counter(run.summary["verdict"].outcome for run in runs)),
    }


def over_runs(values: Iterable[float | None]) -> dict[str, Any]:
    """Return median, minimum and maximum of the runs that have a value; None if infinite, or if no run has one."""
    known_values = sorted(value for value in values if value is not None)
    if not known_values:
        return {"n": 0, "median": None, "min": None, "max": None}
    spread = {"median": statistics.median(known_values), "min": known_values[0], "max": known_values[-1]}
    infinite = sum(value == float("inf") for value in known_values)
    metrics: dict[str, Any] = {"n": len(known_values)}
    metrics |= {name: None if value == float("inf") else value for name, value in spread.items()}
    return metrics | ({"infinite": infinite} if infinite else {})


def _ratio(totals: dict[str, Any], names: tuple[str, ...]) -> float | None:
    return sum(totals[name] for name in names) / totals["jobs"] if totals["jobs"] else None
