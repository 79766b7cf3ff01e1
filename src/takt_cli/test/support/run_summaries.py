# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Summaries of runs: an empty one with some figures, and changes of those of a set of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import force_setattr, replace

from takt_cli.analysis.counters import message_counts
from takt_cli.analysis.dispatch import CpuSeconds, DispatchOverhead
from takt_cli.analysis.run_summary import RunSummary, RunTotals, StalledTotal
from takt_cli.results.structures import extended
from takt_cli.results.verdict import INCONCLUSIVE, PASS, Verdict
from takt_cli.statistics.confidence import percentiles_with_intervals
from takt_cli.statistics.percentiles import percentiles


def run_totals(**figures: Any) -> RunTotals:
    """Return totals with these figures, in which nothing else happened."""
    none = np.empty(0)
    spread = percentiles_with_intervals(none, none.astype(np.int64))
    classes = {"executor": 0.0, "middleware": 0.0, "other": 0.0}
    counted = dict.fromkeys(
        (
            *("jobs", "deadline_misses", "late", "skipped", "unfinished", "host_misses", "host_skipped"),
            *("unforced_misses", "unforced_skipped", "forced_misses", "stale", "stale_n", "cpu_s", "callback_cpu_s"),
            *("work_cpu_s", "processes"),
        ),
        0,
    )
    unknown = dict.fromkeys(("miss_ratio", "miss_ratio_95", "stale_ratio", "stale_ratio_95", "stale_share_by_node"))
    spreads = dict.fromkeys(("data_age_ms", "decision_us", "release_jitter_us", "response_ms"), spread)
    fields: dict[str, Any] = {
        **counted,
        **unknown,
        **spreads,
        **dict.fromkeys(("ages", "budgets", "preemptions")),
        "dispatch_us": extended(spread, DispatchOverhead, per_job=None, jobs=0, **classes),
        "handover_us": percentiles(none),
        "cpu_by_class_s": CpuSeconds(callbacks=0.0, **classes),
        "messages": message_counts([]),
        "unheard": [],
    }
    return RunTotals(**fields | figures)


def run_summary(**fields: Any) -> RunSummary:
    """Return the summary of a run of takt under rm that passed, with these fields."""
    usual: dict[str, Any] = {
        "application": "app",
        "executor": "takt",
        "policy": "rm",
        "policy_in_use": "rm",
        "refused": [],
        "rmw": "rmw_fastrtps_cpp",
        "duration_s": 1.0,
        "totals": run_totals(),
        "nodes": [],
        "processors": [],
        "tasks": [],
        "stalls": StalledTotal(length_us=percentiles(np.empty(0)), total_ms=0.0),
        "throttling": False,
        "stress": None,
        "measuring": None,
        "verdict": Verdict(PASS, ["because"]),
    }
    return RunSummary(**usual | fields)


def set_totals(summary: RunSummary, **figures: Any) -> None:
    """Let the totals have these figures."""
    for name, value in figures.items():
        force_setattr(summary.totals, name, value)


def set_response(summary: RunSummary, p50: float | None) -> None:
    """Let the median response time of all jobs be `p50`, in ms."""
    set_totals(summary, response_ms=replace(summary.totals.response_ms, p50=p50))


def set_inconclusive(summary: RunSummary) -> None:
    force_setattr(summary, "verdict", Verdict(INCONCLUSIVE, ["the host stalled"]))
