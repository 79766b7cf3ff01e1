# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The checks of the claims of section 5.4.3 on stale executions.

Shares are those of each node's executions that used old data, averaged over the nodes that ran, including those that
read nothing.
"""

from __future__ import annotations

from takt_cli.paper.statistics import Row, find_row, find_rows
from takt_cli.paper.thesis2021.cases import FRESHNESS_SIZES, HARMONIC, KIB, MIB, NODES, OTHER_PERIODS, UTILISATIONS
from takt_cli.paper.thesis2021.checks import ABOUT_FACTOR, NO_INTERVAL, Check, Metrics, missing_data
from takt_cli.paper.verdict import Finding, Outcome, describe_runs, number

PART = "freshness"
APPLICATIONS = 36
# The least share that confirms the printed "50 %". As half of the nodes read, 50 % would be all of their executions.
_LEAST_FOR_HALF = 45.0
# Smaller shares would not be visible in the thesis's figures.
_VISIBLE_SHARE = 1.0


def _text(row: Row) -> str:
    low, high = 100 * min(row["stale_share_runs"]), 100 * max(row["stale_share_runs"])
    spread = f" ({number(low)} to {number(high)})" if row["runs"] > 1 else ""
    jobs = f"{row['stale']} of {row['stale_n']} reading jobs in {describe_runs(row['runs'])}"
    return f"{number(_percent(row))} %{spread}, {jobs}"


def _percent(row: Row) -> float:
    return 100 * float(row["stale_share"])


def harmonic(statistics: Metrics) -> Finding:
    rows = find_rows(statistics, executor="baseline1", periods=list(HARMONIC))
    expected = len(NODES) * len(UTILISATIONS) * len(FRESHNESS_SIZES)
    if len(rows) < expected:
        return missing_data(f"baseline1 in {expected - len(rows)} of {expected} applications with harmonic periods")
    ordered = sorted(rows, key=_percent)
    rows_at_least_half = [row for row in ordered if _percent(row) >= _LEAST_FOR_HALF]
    why = (
        f"{len(rows_at_least_half)} of {len(rows)} applications at {number(_LEAST_FOR_HALF)} % or more; "
        f"median {number(_percent(ordered[len(ordered) // 2]))} %, "
        f"lowest in {ordered[0]['application']}: {_text(ordered[0])}"
    )
    return Finding(Outcome.confirmed if len(rows_at_least_half) == len(rows) else Outcome.refuted, why)


def only_at_full(statistics: Metrics) -> Finding:
    rows = find_rows(statistics, executor="baseline1", periods=list(OTHER_PERIODS), nodes=4)
    expected = len(UTILISATIONS) * len(FRESHNESS_SIZES)
    if len(rows) < expected:
        return missing_data(f"baseline1 in {expected - len(rows)} of {expected} applications of 4 nodes")
    highest_at_full = max((row for row in rows if row["utilisation"] == 1.0), key=_percent)
    highest_below = max((row for row in rows if row["utilisation"] < 1.0), key=_percent)
    why = (
        f"highest below utilisation 1.0: {highest_below['application']} {_text(highest_below)}; "
        f"at 1.0: {_text(highest_at_full)}"
    )
    holds = _percent(highest_below) < _VISIBLE_SHARE <= _percent(highest_at_full)
    return Finding(Outcome.confirmed if holds else Outcome.refuted, why)


def _is_about(nodes: int, utilisation: float, size: int, printed: float, statistics: Metrics) -> Finding:
    case = {"nodes": nodes, "utilisation": utilisation, "size": size, "periods": list(OTHER_PERIODS)}
    row = find_row(statistics, executor="baseline1", **case)
    if row is None:
        return missing_data(f"baseline1 at {nodes} nodes, utilisation {utilisation:g}")
    holds = printed / ABOUT_FACTOR <= _percent(row) <= printed * ABOUT_FACTOR
    return Finding(Outcome.confirmed if holds else Outcome.refuted, f"{_text(row)}; {number(printed)} % printed")


def at_20(statistics: Metrics) -> Finding:
    return _is_about(20, 0.5, 512 * KIB, 5, statistics)


def at_50(statistics: Metrics) -> Finding:
    return _is_about(50, 1.0, 8 * MIB, 42, statistics)


def under_takt(statistics: Metrics) -> Finding:
    rows = find_rows(statistics, executor="takt")
    stale, jobs = sum(row["stale"] for row in rows), sum(row["stale_n"] for row in rows)
    worst = [row["application"] for row in rows if row["stale"]]
    why = f"{stale} of {jobs} reading jobs in {len(rows)} applications"
    if worst:
        # A single stale execution refutes the claim, even if applications are missing.
        return Finding(Outcome.refuted, f"{why}; in {', '.join(worst[:4])}{' ...' if len(worst) > 4 else ''}")
    if len(rows) < APPLICATIONS or not jobs:
        return missing_data(f"takt in {APPLICATIONS - len(rows)} of {APPLICATIONS} applications ({why})")
    return Finding(Outcome.confirmed, why)


_SHARE = "share of stale executions per node, mean over the nodes that ran"

CHECKS = (
    Check(
        "baseline1 harmonic periods [10 20 40] half of the nodes subscribe",
        PART,
        f"{_SHARE}: at least {number(_LEAST_FOR_HALF)} % in each of the 18 applications; {NO_INTERVAL}",
        harmonic,
    ),
    Check(
        "baseline1 non-harmonic 4 nodes",
        PART,
        f"{_SHARE}: below {number(_VISIBLE_SHARE)} % at all utilisations below 1.0, and at least "
        f"{number(_VISIBLE_SHARE)} % in some "
        f"application at 1.0; {NO_INTERVAL}",
        only_at_full,
    ),
    Check(
        "baseline1 non-harmonic 20 nodes utilisation 0.5 messages of 512 KB",
        PART,
        f"{_SHARE}: 5 %, within a factor of {ABOUT_FACTOR:g}; {NO_INTERVAL}",
        at_20,
    ),
    Check(
        "baseline1 non-harmonic 50 nodes utilisation 1.0 messages of 8 MB",
        PART,
        f"{_SHARE}: 42 %, within a factor of {ABOUT_FACTOR:g}; {NO_INTERVAL}",
        at_50,
    ),
    Check("proposed", PART, "takt: no stale execution in any of the 36 applications", under_takt),
)
