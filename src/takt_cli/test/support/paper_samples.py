# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Made-up figures for the parts of the thesis: what would have been measured if all results were as printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from takt_cli.paper.paper import Figures
from takt_cli.paper.statistics import Seven
from takt_cli.paper.thesis2021.cases import (
    HARMONIC,
    KIB,
    LARGE,
    LARGE_EXCHANGE,
    MIB,
    SMALL,
    Case,
    CaseRow,
    cases,
)
from takt_cli.paper.thesis2021.data_age import APPLICATIONS, BASELINE1, BOUNDED, PROPOSED, AgeFigures, AgeRow
from takt_cli.paper.thesis2021.freshness import FreshnessFigures, FreshnessRow
from takt_cli.paper.thesis2021.message_ways import WAYS
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.overhead import Dispatch, OverheadApplication, OverheadFigures, OverheadRow
from takt_cli.paper.thesis2021.transport import SIZES, TransportFigures, TransportRow, WayRatio

JOBS = 10_000
_MEASURED: dict[str, Any] = {"runs_of_each": 5, "duration_s": 30.0, "failed": [], "pending": 0}


def seven_figures(mean: float, highest: float | None = None) -> Seven:
    names = ("min", "q1", "median", "q3", "mean", "sd", "p1", "p99")
    return Seven(n=1000, max=mean if highest is None else highest, **dict.fromkeys(names, mean))


def _misses(percent: float, host: float = 0.0) -> dict[str, Any]:
    missed = round(percent * JOBS / 100)
    names = ("skipped", "unfinished", "throttled_misses", "unforced_misses", "unforced_skipped", "forced_misses",
             "stale", "throttled_runs")  # fmt: skip
    return dict.fromkeys(names, 0) | {
        "runs": 5, "jobs": JOBS, "deadline_misses": missed, "late": missed, "host_misses": round(host * JOBS / 100),
        "stale_n": JOBS, "miss_ratio_95": (percent / 100, percent / 100) if percent else None,
        "miss_ratio_runs": [percent / 100] * 5, "blind": [], "folders": ["misses/runs/a/b/1"],
    }  # fmt: skip


def misses(case: Case, executor: str, percent: float, host: float = 0.0) -> CaseRow:
    """Return a row in which `percent` of the jobs missed their deadlines; `host` is the share of host misses, also in
    percent."""
    return CaseRow(executor=executor, **case.fields, **_misses(percent, host))


def printed_misses(case: Case) -> float:
    """Return baseline1's share of misses in percent: as the thesis states it in its text, or a value in between; 0 for
    all other cases."""
    grid: dict[tuple[int, float], dict[int | None, float]] = {
        (4, 1.0): {None: 1.0, 256 * KIB: 15.0, 512 * KIB: 20.0, 2 * MIB: 30.0, 8 * MIB: 40.0},
        (4, 0.75): {2 * MIB: 5.0, 8 * MIB: 30.0},
        (20, 0.75): {512 * KIB: 3.0, 2 * MIB: 20.0, 8 * MIB: 45.0},
        (50, 0.5): {512 * KIB: 26.0},
        (50, 0.75): {256 * KIB: 20.0, 512 * KIB: 40.0, 2 * MIB: 60.0, 8 * MIB: 80.0},
    }
    return grid.get((case.nodes, case.utilisation), {}).get(case.size, 0.0)


def prototype_misses(case: Case) -> float:
    if case.utilisation == 1.0 and case.size is None and case.nodes < 50:
        return {4: 4.0, 20: 7.0}[case.nodes]
    return 4.0 if case.nodes == 50 and case.utilisation > 0.5 else 2.5 if case.utilisation == 0.75 else 0.0


def miss_figures(of_takt: Callable[[Case], float] = lambda _: 0.0, host: float = 0.0) -> MissFigures:
    rows = []
    for case in cases("misses"):
        rows.append(misses(case, "baseline1", printed_misses(case), host))
        rows.append(misses(case, "takt", of_takt(case)))
    return MissFigures(rows=rows, runs=450, **_MEASURED)


def freshness_figures(stale_of_takt: int = 0) -> FreshnessFigures:
    rows = []
    for case in cases("freshness"):
        share = 0.5 if case.periods == HARMONIC else 0.42 if case.nodes == 50 else 0.05 if case.nodes == 20 else 0.0
        if case.nodes == 4 and case.periods != HARMONIC and case.utilisation == 1.0:
            share = 0.1
        for executor, each, stale in (("baseline1", share, 99), ("takt", 0.0, stale_of_takt)):
            of = _misses(0.0) | {"stale": stale, "stale_share": each, "stale_share_runs": [each] * 5}
            rows.append(FreshnessRow(executor=executor, **case.fields, **of))
    return FreshnessFigures(rows=rows, runs=360, **_MEASURED)


def overhead_figures(change: float = -0.9) -> OverheadFigures:
    """Return figures of the overhead. `change` is takt's cost relative to that of baseline0: -0.9 is 90 % less."""
    rows = []
    for case in (SMALL, LARGE, LARGE_EXCHANGE):
        for executor, cost in (("baseline0", 10.0), ("takt", 10.0 * (1 + change))):
            threads = {"executor": cost, "middleware": 0.0, "other": 0.0}
            dispatch = Dispatch(per_job=cost, jobs=JOBS, per_job_runs=[cost] * 5, **threads)
            decision, thread = seven_figures(cost / 10, cost), seven_figures(cost, 10 * cost)
            rows.append(OverheadRow(case=case, executor=executor, runs=5, decision_us=decision, thread_us=thread,
                                    dispatch_us=dispatch, blind=[], folders=[]))  # fmt: skip
    costs: dict[str, float | None] = {"baseline0": 10.0, "takt": 1.0}
    each = [OverheadApplication(application=f"n{n}", case=SMALL, per_job_us=costs, cheaper=change < 0)
            for n in range(1, 11)]  # fmt: skip
    return OverheadFigures(rows=rows, applications=each, runs=120, **_MEASURED)


def data_age_figures(bounded: float = 19.0, oldest: float = 39.0, above: int = 0, host: int = 0) -> AgeFigures:
    rows = []
    for nodes in APPLICATIONS:
        for executor, mean in {BASELINE1: 60.0, PROPOSED: 48.0, BOUNDED: bounded}.items():
            limited = executor == BOUNDED
            rows.append(AgeRow(
                nodes=nodes, executor=executor, runs_by="takt", bounded=limited, **_misses(0.0),
                age_ms=seven_figures(mean, oldest if limited else 90.0), no_message_yet=0,
                above_limit=above if limited else 7, above_limit_host=host,
            ))  # fmt: skip
    return AgeFigures(rows=rows, limit_ms=40.0, runs=45, **_MEASURED | {"runs_of_each": 1})


def transport_figures(faster: float = 20.0, rounds: int = 25, spread: float = 0.1) -> TransportFigures:
    low, high = (faster * (1 - spread), faster * (1 + spread)) if rounds >= 5 else (None, None)
    ratios = [
        WayRatio(of="two processes", to=to, bytes=size, median=faster, low=low, high=high, too_short=low is None,
                 rounds=rounds)
        for to in ("baseline0", "takt") for size in SIZES
    ]  # fmt: skip
    rows = [TransportRow(way=way, bytes=size, us=seven_figures(size / 1000), runs=rounds)
            for way in WAYS for size in SIZES]  # fmt: skip
    return TransportFigures(rows=rows, ratios=ratios, runs=5, failed=[], pending=0)


def all_parts() -> dict[str, Figures]:
    return {
        "transport": transport_figures(),
        "overhead": overhead_figures(),
        "misses": miss_figures(),
        "freshness": freshness_figures(),
        "data-age": data_age_figures(),
    }


def with_rows(figures: Any, change: Callable[[Any], dict[str, Any]]) -> Any:
    """Return the figures with other values in some rows: those that `change` returns for each."""
    return replace(figures, rows=[replace(row, **change(row)) for row in figures.rows])
