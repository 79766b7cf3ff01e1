# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The checks of the claims of section 5.5: how old the data was that the critical node used."""

from __future__ import annotations

from typing import TypeGuard

from takt_cli.paper.statistics import Row, find_row
from takt_cli.paper.thesis2021.checks import NO_INTERVAL, Check, Metrics, missing_data
from takt_cli.paper.verdict import Finding, Outcome, describe_runs, inconclusive, number

PART = "data-age"
APPLICATIONS = (6, 22, 52)
BASELINE1, PROPOSED, BOUNDED = "baseline1", "proposed", "proposed with data age constraint"
"""The executors as the thesis's tables name them; takt runs in place of the latter two."""
# The age depends on the reader's phase relative to its producer, which the thesis left to chance in each of its five
# runs. Here the phases are spread over the producer's period, with one run at each.
PHASES_MS = (0, 10, 20, 30, 40)
# A reduction is confirmed if it is at least half of the printed one.
_REDUCTION_FACTOR = 2.0


def _mean(row: Row) -> str:
    return f"{number(row['age_ms']['mean'])} ms (n = {row['age_ms']['n']} in {describe_runs(row['runs'])})"


def _is_complete(row: Row | None) -> TypeGuard[Row]:
    """Return whether the row has runs at every phase, and samples."""
    return row is not None and row["runs"] >= len(PHASES_MS) and row["age_ms"]["n"] > 0


def _lower(row: Row | None, other: Row | None, printed: float, names: tuple[str, str]) -> Finding:
    """Compare two means: better if the printed reduction is exceeded, confirmed if at least half of it is reached."""
    if not (_is_complete(row) and _is_complete(other)):
        return missing_data(f"{' and '.join(names)} at every phase")
    change = 100 * (row["age_ms"]["mean"] / other["age_ms"]["mean"] - 1)
    why = f"{change:+.0f} %: {names[0]} {_mean(row)}, {names[1]} {_mean(other)}"
    if change < printed:
        return Finding(Outcome.better, why)
    return Finding(Outcome.confirmed if change <= printed / _REDUCTION_FACTOR else Outcome.refuted, why)


def without_bound(statistics: Metrics) -> Finding:
    takt_row, other = (find_row(statistics, nodes=6, executor=name) for name in (PROPOSED, BASELINE1))
    return _lower(takt_row, other, -22.0, ("takt without a bound", "baseline1"))


def of_52(statistics: Metrics) -> Finding:
    """Check the claim against both executors that the thesis may mean; the less favourable result decides."""
    bounded_row = find_row(statistics, nodes=52, executor=BOUNDED)
    executors_by_name = {"baseline1": BASELINE1, "takt without a bound": PROPOSED}
    findings = [
        _lower(bounded_row, find_row(statistics, nodes=52, executor=executor), -67.0, ("takt with the bound", name))
        for name, executor in executors_by_name.items()
    ]
    order = (Outcome.open, Outcome.short, Outcome.refuted, Outcome.confirmed, Outcome.better)
    worst = min(findings, key=lambda each: order.index(each.outcome))
    return Finding(worst.outcome, "; ".join(dict.fromkeys(each.why for each in findings)))


def bounded(statistics: Metrics) -> Finding:
    rows = [find_row(statistics, nodes=nodes, executor=BOUNDED) for nodes in APPLICATIONS]
    rows_with_ages = [row for row in rows if row is not None and row["age_ms"]["n"]]
    if not rows_with_ages:
        return missing_data("takt with the bound")
    count_above, host = (
        sum(row["above_limit"] for row in rows_with_ages),
        sum(row["above_limit_host"] for row in rows_with_ages),
    )
    oldest = max(row["age_ms"]["max"] for row in rows_with_ages)
    count = sum(row["age_ms"]["n"] for row in rows_with_ages)
    applications = f"{len(rows_with_ages)} of {len(rows)} applications"
    why = f"{count_above} of {count} above 40 ms, the oldest {number(oldest)} ms, {applications}"
    remark = f", {host} of them during stalls of the host" if host else ""
    if count_above > host:
        return Finding(Outcome.refuted, why + remark)
    if not all(map(_is_complete, rows)):
        return inconclusive(why + remark, "some applications were not run at every phase")
    if count_above:
        return inconclusive(why + remark)
    return Finding(Outcome.confirmed, why)


CHECKS = (
    Check(
        "mean data age of proposed without constraint against baseline1 application of 6 nodes",
        PART,
        f"takt without a bound: confirmed if its mean is 11 to 22 % lower, better if it is lower still; {NO_INTERVAL}",
        without_bound,
    ),
    Check("data age with the constraint", PART, "takt: no age above 40 ms in any of the three applications", bounded),
    Check(
        "mean data age with the constraint application of 52 nodes (against baseline1 or against proposed without it: "
        "67.9 % or 67.1 % by the table)",
        PART,
        f"takt, against both: confirmed if the mean is 33.5 to 67 % lower, better if it is lower still; {NO_INTERVAL}",
        of_52,
    ),
)
