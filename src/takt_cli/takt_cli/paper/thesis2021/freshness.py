# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.3 of the thesis: stale executions, which ran on old data.

Shares are those of each node's executions that used old data, averaged over the nodes that ran, including those that
read nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchFigures, BatchPart
from takt_cli.paper.claims import Way
from takt_cli.paper.statistics import find_rows
from takt_cli.paper.thesis2021.cases import HARMONIC, OTHER_PERIODS, CaseRow, case_rows, cases, items, rows_of_all
from takt_cli.paper.verdict import ABOUT_FACTOR, Finding, Outcome, count, holds, missing_data, number
from takt_cli.results.structures import extended

# The thesis left baseline0 out.
_EXECUTORS = ("baseline1", "takt")


class FreshnessRow(CaseRow, frozen=True, kw_only=True):
    """The stale executions of an application under an executor; the shares are None or missing if no node ran."""

    stale_share: float | None
    stale_share_runs: list[float]

    @property
    def percent(self) -> float:
        """The share in per cent."""
        return 100 * (self.stale_share or 0.0)

    @property
    def text(self) -> str:
        """The share with its spread and the number of jobs."""
        low, high = 100 * min(self.stale_share_runs), 100 * max(self.stale_share_runs)
        spread = f" ({number(low)} to {number(high)})" if self.runs > 1 else ""
        jobs = f"{self.stale} of {self.stale_n} reading jobs in {count(self.runs, 'run')}"
        return f"{number(self.percent)} %{spread}, {jobs}"


class FreshnessFigures(BatchFigures, frozen=True, kw_only=True):
    rows: list[FreshnessRow]

    def of_baseline(self, which: str, **values: Any) -> list[FreshnessRow]:
        """Return baseline1's rows of the applications that have these values. Raises NotJudged if one was not run."""
        return rows_of_all(self.rows, cases("freshness"), "baseline1", which, **values)


def _figures(results: ResultSet, common: BatchFigures) -> FreshnessFigures:
    rows = case_rows(FreshnessRow, results, "freshness", _EXECUTORS, _stale)
    return extended(common, FreshnessFigures, rows=rows)


def _stale(runs: list[SetRun]) -> dict[str, Any]:
    shares = [run.summary.totals.stale_share_by_node for run in runs]
    known_shares = [share for share in shares if share is not None]
    return {
        "stale_share": float(np.mean(known_shares)) if known_shares else None,
        "stale_share_runs": known_shares,
    }


PART = BatchPart("freshness", FreshnessFigures, partial(items, "freshness", _EXECUTORS), _figures)


class StaleEverywhere(Way, frozen=True):
    """The share of baseline1 is at least so high in every application with harmonic periods."""

    least: float

    def judge(self, figures: FreshnessFigures) -> Finding:
        rows = figures.of_baseline(" with harmonic periods", periods=HARMONIC)
        ordered = sorted(rows, key=lambda row: row.percent)
        enough = sum(row.percent >= self.least for row in ordered)
        why = (
            f"{enough} of {len(rows)} applications at {number(self.least)} % or more; "
            f"median {number(ordered[len(ordered) // 2].percent)} %, "
            f"lowest in {ordered[0].application}: {ordered[0].text}"
        )
        return holds(enough == len(rows), why)


class StaleAtFull(Way, frozen=True):
    """baseline1 has visible shares with other periods only at utilisation 1.0."""

    nodes: int
    visible: float

    def judge(self, figures: FreshnessFigures) -> Finding:
        rows = figures.of_baseline(f" of {self.nodes} nodes", periods=OTHER_PERIODS, nodes=self.nodes)
        below, at_full = (
            max((row for row in rows if (row.utilisation == 1.0) == full), key=lambda row: row.percent)
            for full in (False, True)
        )
        why = f"highest below utilisation 1.0: {below.application} {below.text}; at 1.0: {at_full.text}"
        return holds(below.percent < self.visible <= at_full.percent, why)


class StaleAbout(Way, frozen=True):
    """The share of baseline1 in one application with other periods is about a printed one."""

    nodes: int
    utilisation: float
    size: int
    printed: float

    def judge(self, figures: FreshnessFigures) -> Finding:
        case = {"nodes": self.nodes, "utilisation": self.utilisation, "size": self.size, "periods": OTHER_PERIODS}
        (row,) = figures.of_baseline(f" of {self.nodes} nodes at utilisation {self.utilisation}", **case)
        is_about = self.printed / ABOUT_FACTOR <= row.percent <= self.printed * ABOUT_FACTOR
        return holds(is_about, f"{row.text}; {number(self.printed)} % printed")


class NeverStale(Way, frozen=True):
    """takt has no stale execution in any application."""

    def judge(self, figures: FreshnessFigures) -> Finding:
        rows, expected = find_rows(figures.rows, executor="takt"), len(cases("freshness"))
        stale, jobs = sum(row.stale for row in rows), sum(row.stale_n for row in rows)
        worst = [row.application for row in rows if row.stale]
        why = f"{stale} of {jobs} reading jobs in {len(rows)} applications"
        if worst:
            # A single stale execution refutes the claim, even if applications are missing.
            return Finding(Outcome.refuted, f"{why}; in {', '.join(worst[:4])}{' ...' if len(worst) > 4 else ''}")
        if len(rows) < expected or not jobs:
            raise missing_data(f"takt in {expected - len(rows)} of {expected} applications ({why})")
        return Finding(Outcome.confirmed, why)


WAYS = (StaleEverywhere, StaleAtFull, StaleAbout, NeverStale)
