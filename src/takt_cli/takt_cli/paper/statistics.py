# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of runs as papers print them: pooled samples, shares of jobs, and reasons to doubt them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.misses import host_misses as misses_of_host
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.verdict import throttle_windows, unobserved_host_effects
from takt_cli.paper.verdict import Share
from takt_cli.statistics.confidence import share_over_runs, student_half_width
from takt_cli.statistics.correlation import TOO_SHORT
from takt_cli.statistics.difference import has_few_hits

Row = dict[str, Any]
Floats = npt.NDArray[np.float64]

# From this number of runs on, an interval is computed from the scatter between runs.
_LEAST_RUNS = 3
SEVEN = ("min", "q1", "median", "q3", "max", "mean", "sd")


def seven_figures(samples: Floats) -> dict[str, Any]:
    """Return n, the seven figures of a paper's tables, and p1 and p99 for the whiskers of a box plot.

    All but n are None if there are no samples.
    """
    names = ("n", *SEVEN, "p1", "p99")
    if len(samples) == 0:
        return dict.fromkeys(names) | {"n": 0}
    low, q1, median, q3, high, p1, p99 = np.quantile(samples, (0, 0.25, 0.5, 0.75, 1, 0.01, 0.99))
    spread = np.std(samples, ddof=1) if len(samples) > 1 else 0.0
    values = (low, q1, median, q3, high, np.mean(samples), spread, p1, p99)
    return {"n": len(samples)} | {name: float(value) for name, value in zip(names[1:], values, strict=True)}


def reasons_host_unobserved(run: SetRun) -> list[str]:
    """Return the reasons why host misses of this run cannot be distinguished from other misses; empty if they can.

    Throttling is no such reason, since the stall probe sees it.
    """
    window = Window(int(run.record["t0"]), int(run.record["window"]["from"]), int(run.record["window"]["to"]))
    return unobserved_host_effects(False, run.record, window)


def relative_folder(run: SetRun) -> str:
    """Return the folder of the run relative to that of the paper: PART/runs/APPLICATION/EXECUTOR/RUN."""
    return "/".join(run.folder.parts[-5:])


def host_misses(run: SetRun) -> int:
    """Return the number of misses that overlap a stall of the host other than real-time throttling.

    The kernel throttles if real-time threads leave no time to others. That is caused by the executor or the application
    rather than by the host, and happened on the paper's host just as well.
    """
    count = int(run.summary["totals"]["host_misses"])
    if count == 0:
        return 0
    result = read_result(run.folder)
    throttling = throttle_windows(result.stalls, result.window, run.record["host"], in_parts=True)
    if len(throttling) == 0:
        return count
    others = result.stalls[~np.isin(result.stalls, throttling)]
    out = outcomes(result.application, result.window, result.jobs, result.task_cpus)
    return int(misses_of_host(out, others).sum())


def miss_row(runs: Sequence[SetRun]) -> Row:
    """Return the numbers of jobs and of misses by kind over several runs of one application under one executor."""
    totals = [run.summary["totals"] for run in runs]
    names = ("jobs", "deadline_misses", "late", "skipped", "unfinished")
    stalled, host = sum(int(each["host_misses"]) for each in totals), sum(map(host_misses, runs))
    further_names = ("unforced_misses", "unforced_skipped", "forced_misses", "stale", "stale_n")
    return {
        "runs": len(runs),
        **{name: sum(int(each[name] or 0) for each in totals) for name in (*names, *further_names)},
        "host_misses": host,
        "throttled_misses": stalled - host,
        "miss_ratio_95": pooled_interval(totals),
        "miss_ratio_runs": [each["miss_ratio"] for each in totals],
        "throttled_runs": sum(bool(run.summary["throttling"]) for run in runs),
        "blind": list(dict.fromkeys(why for run in runs for why in reasons_host_unobserved(run))),
        "folders": [relative_folder(run) for run in runs],
    }


def pooled_interval(totals: Sequence[dict[str, Any]]) -> list[float] | str | None:
    """Return the 95 % interval of the share of misses, `TOO_SHORT`, or None if no run has one.

    With three runs or more that differ, which lie between other runs in a random order, it is computed from the scatter
    of the runs: by Student's t, or as the interval of a share if some run has no misses. Otherwise it reaches from the
    lowest to the highest end of the runs' own intervals, and is `TOO_SHORT` if one of them is.
    """
    totals_with_jobs = [each for each in totals if each["miss_ratio"] is not None]
    shares = np.array([each["miss_ratio"] for each in totals_with_jobs])
    if len(shares) >= _LEAST_RUNS and np.ptp(shares) > 0:
        if has_few_hits(shares):
            low, high = share_over_runs(shares, sum(int(each["jobs"]) for each in totals_with_jobs), True).ends() or (
                0.0,
                1.0,
            )
            return [low, high]
        error = float(shares.std(ddof=1)) / len(shares) ** 0.5
        middle, half_width = float(shares.mean()), float(student_half_width(np.asarray(len(shares)))) * error
        return [max(middle - half_width, 0.0), min(middle + half_width, 1.0)]
    if any(each["miss_ratio_95"] == TOO_SHORT for each in totals_with_jobs):
        return TOO_SHORT
    if not any(each["miss_ratio_95"] for each in totals_with_jobs):
        return None
    # A run without misses, or with misses only, has no interval of its own: its share is used as both ends.
    intervals = [each["miss_ratio_95"] or [each["miss_ratio"]] * 2 for each in totals_with_jobs]
    return [min(low for low, _ in intervals), max(high for _, high in intervals)]


def miss_share(row: Row | None) -> Share | None:
    """Return the share of missed releases in per cent, or None if the row has no jobs."""
    if row is None or not row["jobs"]:
        return None
    jobs, misses = row["jobs"], row["deadline_misses"]
    interval = row["miss_ratio_95"]
    return Share(
        value=100 * misses / jobs,
        lower_bound=100 * (misses - row["host_misses"]) / jobs,
        jobs=jobs,
        runs=row["runs"],
        interval=None if interval in (None, TOO_SHORT) else (100 * interval[0], 100 * interval[1]),
        too_short=interval == TOO_SHORT,
        blind=tuple(row["blind"]),
    )


def find_row(statistics: dict[str, Any] | None, **values: Any) -> Row | None:
    """Return the first row with runs that has these values, or None if there is none."""
    return next(iter(find_rows(statistics, **values)), None)


def find_rows(statistics: dict[str, Any] | None, **values: Any) -> list[Row]:
    """Return all rows with runs that have these values, in their order."""
    rows: list[Row] = [] if statistics is None else statistics["rows"]
    return [row for row in rows if row["runs"] and all(row[name] == value for name, value in values.items())]
