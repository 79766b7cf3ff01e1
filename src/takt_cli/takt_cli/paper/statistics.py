# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of runs as papers print them: pooled samples, shares of jobs, and reasons to doubt them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np

from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.misses import host_misses as misses_of_host
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.analysis.verdict import throttle_windows, unobserved_host_effects
from takt_cli.paper.verdict import Share
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import share_over_runs, student_half_width
from takt_cli.statistics.difference import has_few_hits
from takt_cli.statistics.percentiles import Samples, five_numbers

# From this number of runs on, an interval is computed from the scatter between runs.
_LEAST_RUNS = 3
SEVEN = ("min", "q1", "median", "q3", "max", "mean", "sd")


class Seven(msgspec.Struct, frozen=True, kw_only=True):
    """The seven figures of a paper's tables, their n, and p1 and p99 for the whiskers of a box plot.

    These two are None of printed figures, whose n is not known either.
    """

    n: int | None = None
    min: float
    q1: float
    median: float
    q3: float
    max: float
    mean: float
    sd: float
    p1: float | None = None
    p99: float | None = None

    @property
    def values(self) -> list[float]:
        """The figures in the order of SEVEN."""
        return [self.min, self.q1, self.median, self.q3, self.max, self.mean, self.sd]


def seven_figures(samples: Samples) -> Seven | None:
    """Return the figures of samples, or None if there are none."""
    if len(samples) == 0:
        return None
    five = dict(zip(SEVEN, five_numbers(samples), strict=False))
    p1, p99 = map(float, np.quantile(samples, (0.01, 0.99)))
    spread = float(np.std(samples, ddof=1)) if len(samples) > 1 else 0.0
    return Seven(n=len(samples), **five, mean=float(np.mean(samples)), sd=spread, p1=p1, p99=p99)


class Misses(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of jobs and of misses by kind over several runs of one application under one executor.

    `miss_ratio_95` is the interval of the share of misses, `TOO_SHORT`, or None if no run has one. `blind` are the
    reasons why host misses could not be identified.
    """

    runs: int
    jobs: int
    deadline_misses: int
    late: int
    skipped: int
    unfinished: int
    unforced_misses: int
    unforced_skipped: int
    forced_misses: int
    stale: int
    stale_n: int
    host_misses: int
    throttled_misses: int
    miss_ratio_95: tuple[float, float] | str | None
    miss_ratio_runs: list[float | None]
    throttled_runs: int
    blind: list[str]
    folders: list[str]

    @property
    def unforced(self) -> int:
        """The number of misses that the policy could have avoided."""
        return self.unforced_misses + self.unforced_skipped

    @property
    def share(self) -> Share:
        """The share of missed releases in per cent. There must be jobs."""
        interval = None if isinstance(self.miss_ratio_95, str) else self.miss_ratio_95
        return Share(
            value=100 * self.deadline_misses / self.jobs,
            lower_bound=100 * (self.deadline_misses - self.host_misses) / self.jobs,
            jobs=self.jobs,
            runs=self.runs,
            interval=None if interval is None else (100 * interval[0], 100 * interval[1]),
            too_short=self.miss_ratio_95 == TOO_SHORT,
            blind=tuple(self.blind),
        )


def reasons_host_unobserved(run: SetRun) -> list[str]:
    """Return the reasons why host misses of this run cannot be distinguished from other misses; empty if they can.

    Throttling is no such reason, since the stall probe sees it.
    """
    window = Window(run.record.t0, run.record.window.start, run.record.window.end)
    return unobserved_host_effects(False, run.origin, run.record.probes, window, run.record.dropped_events)


def relative_folder(run: SetRun) -> str:
    """Return the folder of the run relative to that of the paper: PART/runs/APPLICATION/EXECUTOR/RUN."""
    return "/".join(run.folder.parts[-5:])


def host_misses(run: SetRun) -> int:
    """Return the number of misses that overlap a stall of the host other than real-time throttling.

    The kernel throttles if real-time threads leave no time to others. That is caused by the executor or the application
    rather than by the host, and happened on the paper's host just as well.
    """
    count = run.summary.totals.host_misses
    if count == 0:
        return 0
    result = read_result(run.folder)
    throttling = throttle_windows(result.stalls, result.window, result.host, in_parts=True)
    if len(throttling) == 0:
        return count
    others = result.stalls[~np.isin(result.stalls, throttling)]
    out = outcomes(result.application, result.window, result.jobs, result.task_cpus)
    return int(misses_of_host(out, others).sum())


def misses_of(runs: Sequence[SetRun]) -> Misses:
    """Return the misses of several runs of one application under one executor."""
    totals = [run.summary.totals for run in runs]
    names = ["jobs", "deadline_misses", "late", "skipped", "unfinished"]
    names += ["unforced_misses", "unforced_skipped", "forced_misses", "stale", "stale_n"]
    stalled, host = sum(each.host_misses for each in totals), sum(map(host_misses, runs))
    return Misses(
        runs=len(runs),
        **{name: sum(getattr(each, name) or 0 for each in totals) for name in names},
        host_misses=host,
        throttled_misses=stalled - host,
        miss_ratio_95=pooled_interval(totals),
        miss_ratio_runs=[each.miss_ratio for each in totals],
        throttled_runs=sum(run.summary.throttling for run in runs),
        blind=list(dict.fromkeys(why for run in runs for why in reasons_host_unobserved(run))),
        folders=[relative_folder(run) for run in runs],
    )


def pooled_interval(totals: Sequence[RunTotals]) -> tuple[float, float] | str | None:
    """Return the 95 % interval of the share of misses, `TOO_SHORT`, or None if no run has one.

    With three runs or more that differ, which lie between other runs in a random order, it is computed from the scatter
    of the runs: by Student's t, or as the interval of a share if some run has no misses. Otherwise it reaches from the
    lowest to the highest end of the runs' own intervals, and is `TOO_SHORT` if one of them is.
    """
    totals_with_jobs = [each for each in totals if each.jobs]
    shares = np.array([each.miss_ratio for each in totals_with_jobs])
    if len(shares) >= _LEAST_RUNS and np.ptp(shares) > 0:
        if has_few_hits(shares):
            low, high = share_over_runs(shares, sum(each.jobs for each in totals_with_jobs), True).ends() or (
                0.0,
                1.0,
            )
            return low, high
        error = float(shares.std(ddof=1)) / len(shares) ** 0.5
        middle, half_width = float(shares.mean()), float(student_half_width(np.asarray(len(shares)))) * error
        return max(middle - half_width, 0.0), min(middle + half_width, 1.0)
    intervals = [each.miss_ratio_95 for each in totals_with_jobs]
    if TOO_SHORT in intervals:
        return TOO_SHORT
    if not any(intervals):
        return None
    # A run without misses, or with misses only, has no interval of its own: its share is used as both ends.
    ends = [
        end
        for interval, share in zip(intervals, shares.tolist(), strict=True)
        for end in (interval if isinstance(interval, tuple) else (share,))
    ]
    return min(ends), max(ends)


class HasRuns(Protocol):
    """A row of figures, with the number of runs that it was computed from."""

    @property
    def runs(self) -> int: ...


RowT = TypeVar("RowT", bound=HasRuns)


def find_row(rows: Sequence[RowT], **values: Any) -> RowT | None:
    """Return the first row with runs whose fields have these values, or None if there is none."""
    return next(iter(find_rows(rows, **values)), None)


def find_rows(rows: Sequence[RowT], **values: Any) -> list[RowT]:
    """Return all rows with runs whose fields have these values, in their order."""
    return [row for row in rows if row.runs and all(getattr(row, name) == value for name, value in values.items())]
