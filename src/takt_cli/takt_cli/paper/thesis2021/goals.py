# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The goals for takt in the thesis's evaluation, beyond the thesis's claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from takt_cli.analysis.misses import unforced_total
from takt_cli.paper.statistics import find_row, miss_share
from takt_cli.paper.thesis2021 import data_age_checks, freshness_checks
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, MIB, SMALL, size_name
from takt_cli.paper.thesis2021.checks import Metrics
from takt_cli.paper.thesis2021.miss_checks import VISIBLE_SHARE
from takt_cli.paper.thesis2021.overhead_checks import describe_difference, rows_of
from takt_cli.paper.verdict import Finding, Goal, GoalResult, Outcome, number

_REACHED = {Outcome.confirmed: True, Outcome.better: True, Outcome.refuted: False}


def goals(parts: dict[str, dict[str, Any]]) -> list[Goal]:
    """Return all goals, each with whether it was reached (None if that cannot be decided) and why."""
    checks: list[tuple[str, str, Callable[[Metrics], GoalResult]]] = [
        *(
            (
                "misses",
                f"utilisation 0.75, 20 nodes, {size_name(size)}: no unforced miss of takt, while baseline1 misses",
                lambda metrics, size=size: _misses(metrics, size),
            )
            for size in (2 * MIB, 8 * MIB)
        ),
        ("freshness", "no stale execution of takt in 36 applications", _from(freshness_checks.under_takt)),
        ("data-age", "data age of takt never above 40 ms with the bound", _from(data_age_checks.bounded)),
        *(
            (
                "overhead",
                f"dispatch overhead of takt below baseline0's: {case}",
                lambda metrics, case=case: _cheaper(metrics, case),
            )
            for case in (SMALL, LARGE, LARGE_EXCHANGE)
        ),
    ]
    return [
        Goal(goal, *(decide(parts[part]) if part in parts else GoalResult(None, f"{part} was not run")))
        for part, goal, decide in checks
    ]


def _from(check: Callable[[Metrics], Finding]) -> Callable[[Metrics], GoalResult]:
    def decide(statistics: Metrics) -> GoalResult:
        finding = check(statistics)
        return GoalResult(_REACHED.get(finding.outcome), finding.why, finding.outcome is Outcome.short)

    return decide


def _misses(statistics: Metrics, size: int) -> GoalResult:
    case = {"nodes": 20, "utilisation": 0.75, "size": size}
    takt_row, baseline_row = (find_row(statistics, executor=executor, **case) for executor in ("takt", "baseline1"))
    share, baseline_share = miss_share(takt_row), miss_share(baseline_row)
    if takt_row is None or share is None or baseline_share is None:
        return GoalResult(None, "takt and baseline1 were not both run")
    unforced = unforced_total(takt_row)
    kinds = f"{takt_row['host_misses']} host misses, {takt_row['forced_misses']} forced"
    why = f"takt {unforced} unforced of {takt_row['jobs']} jobs ({kinds}); baseline1 {baseline_share.text()}"
    if unforced:
        return GoalResult(None if share.blind else False, "; ".join([why, *share.blind]))
    misses = baseline_share.below(VISIBLE_SHARE)
    if misses is None:
        if baseline_share.too_short and not baseline_share.blind:
            return GoalResult(None, f"{why}; measure longer", too_short=True)
        reasons = baseline_share.blind or (
            "it depends on which misses of baseline1 were due to the host, or on chance",
        )
        return GoalResult(None, "; ".join([why, *reasons]))
    return GoalResult(not misses, f"{why}: below {number(VISIBLE_SHARE)} %" if misses else why)


def _cheaper(statistics: Metrics, case: str) -> GoalResult:
    rows = rows_of(statistics, case)
    if rows is None:
        return GoalResult(None, "takt and baseline0 were not both run in every application")
    baseline_row, takt_row = rows
    cheaper = takt_row["dispatch_us"]["per_job"] < baseline_row["dispatch_us"]["per_job"]
    each = [row for row in statistics["applications"] if row["case"] == case]
    remark = f"; in {sum(row['cheaper'] for row in each)} of {len(each)} applications" if len(each) > 1 else ""
    return GoalResult(cheaper, describe_difference(baseline_row, takt_row) + remark)
