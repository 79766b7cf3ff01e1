# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The checks of the claims of section 5.4.1 on executor overhead.

The thesis timed `get_next_executable`. Here the executors are compared by dispatch overhead, the CPU time per job,
which includes all costs; decision times are given beside it.
"""

from __future__ import annotations

from functools import partial

from takt_cli.paper.statistics import Row, find_row
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, SMALL
from takt_cli.paper.thesis2021.checks import NO_INTERVAL, Check, Metrics, missing_data
from takt_cli.paper.verdict import Finding, Outcome, describe_runs, number

PART = "overhead"
# A measured increase is "about" the printed one from _LESS to _MORE times that.
_LESS, _MORE = 0.5, 1.5


def rows_of(statistics: Metrics, case: str) -> tuple[Row, Row] | None:
    """Return the rows of baseline0 and of takt, or None unless both have jobs in every application of the case."""
    if any(row["case"] == case and row["cheaper"] is None for row in statistics["applications"]):
        return None
    baseline_row, takt_row = (find_row(statistics, case=case, executor=executor) for executor in ("baseline0", "takt"))
    if (
        baseline_row is None
        or takt_row is None
        or not baseline_row["dispatch_us"]["per_job"]
        or not takt_row["dispatch_us"]["per_job"]
    ):
        return None
    return baseline_row, takt_row


def describe_difference(baseline: Row, takt: Row) -> str:
    """Compare two rows: `-90 %: 0.99 against 9.6 us of CPU per job (n = ...); mean decision time 0.05 against ...`."""
    change = 100 * (takt["dispatch_us"]["per_job"] / baseline["dispatch_us"]["per_job"] - 1)
    counts = (
        f"n = {takt['dispatch_us']['jobs']} and {baseline['dispatch_us']['jobs']} jobs in {describe_runs(takt['runs'])}"
    )
    costs = [number(row["dispatch_us"]["per_job"]) for row in (takt, baseline)]
    means = [number(row["decision_us"]["mean"]) for row in (takt, baseline) if row["decision_us"]["n"]]
    decision = f"; mean decision time {means[0]} against {means[1]} us" if len(means) == 2 else ""
    return f"{change:+.0f} %: {costs[0]} against {costs[1]} us of CPU per job ({counts}){decision}"


def _increase(case: str, printed: float, statistics: Metrics) -> Finding:
    rows = rows_of(statistics, case)
    if rows is None:
        return missing_data(f"baseline0 and takt in every application, {case}")
    baseline_row, takt_row = rows
    change = 100 * (takt_row["dispatch_us"]["per_job"] / baseline_row["dispatch_us"]["per_job"] - 1)
    if change < _LESS * printed:
        return Finding(Outcome.better, describe_difference(baseline_row, takt_row))
    return Finding(
        Outcome.confirmed if change <= _MORE * printed else Outcome.refuted, describe_difference(baseline_row, takt_row)
    )


_CASES = (
    ("mean executor overhead of proposed against baseline0 1 to 10 nodes", SMALL, 15.0),
    ("mean executor overhead of proposed against baseline0 50 nodes no data exchange", LARGE, 54.0),
    ("mean executor overhead of proposed against baseline0 50 nodes with subscriptions", LARGE_EXCHANGE, 114.0),
)

CHECKS = tuple(
    Check(
        claim,
        PART,
        f"takt's dispatch overhead per job relative to baseline0's: confirmed from +{_LESS * printed:g} to "
        f"+{_MORE * printed:g} %, better if lower; {NO_INTERVAL}",
        partial(_increase, case, printed),
    )
    for claim, case, printed in _CASES
)
