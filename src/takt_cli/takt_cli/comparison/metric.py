# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The metrics by which runs are compared: one figure of a run each, and its interval within the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from takt_cli.analysis.dispatch import CpuSeconds
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.results.sample_files import Ints
from takt_cli.statistics.confidence import (
    LEAST_SAMPLES,
    STRETCHES,
    ConfidenceIntervals,
    difference,
    difference_of_shares,
    in_order_of_time,
    interval_without_hits,
    mean_of_counts,
    mean_share,
    quantile,
    share,
)
from takt_cli.statistics.percentiles import LEVELS, Samples


@dataclass(frozen=True)
class Metric:
    """A metric of a run. `compute`: computes the figure from the totals of a run and its length in s; None if there is
    none. `fault`: less is better; otherwise neither is. `cost`: it is the executor's own CPU time, which varies between
    runs by more than the interval within a run shows. `hits`: if it is a share, or the mean of a count, the number of
    jobs to which it refers; such a metric may have no hits at all."""

    name: str
    unit: str
    compute: Callable[[RunTotals, float], float | None]
    fault: bool = True
    cost: bool = False
    hits: Callable[[RunTotals], int] | None = None


def _share(count: Callable[[RunTotals], int]) -> Callable[[RunTotals, float], float | None]:
    return lambda totals, _: 100 * count(totals) / totals.jobs if totals.jobs else None


def _percent(ratio: Callable[[RunTotals], float | None]) -> Callable[[RunTotals, float], float | None]:
    return lambda totals, _: None if (found := ratio(totals)) is None else 100 * found


def _figure(figure: Callable[[RunTotals], float | None]) -> Callable[[RunTotals, float], float | None]:
    return lambda totals, _: figure(totals)


def _cpu(seconds: Callable[[CpuSeconds], float]) -> Callable[[RunTotals, float], float | None]:
    return lambda totals, length: 100 * seconds(totals.cpu_by_class_s) / length


def _preempted(totals: RunTotals) -> float | None:
    return None if totals.preemptions is None or not totals.jobs else totals.preemptions.total / totals.jobs


def _jobs(totals: RunTotals) -> int:
    return totals.jobs


def _reading(totals: RunTotals) -> int:
    return totals.stale_n


METRICS = (
    Metric("deadline misses", "%", _share(lambda t: t.deadline_misses), hits=_jobs),
    Metric("unforced misses", "%", _share(lambda t: t.unforced), hits=_jobs),
    Metric("stale executions", "%", _percent(lambda t: t.stale_ratio), hits=_reading),
    Metric("stale share by node", "%", _percent(lambda t: t.stale_share_by_node), hits=_jobs),
    Metric("data age p50", "ms", _figure(lambda t: t.data_age_ms.p50)),
    Metric("data age p99", "ms", _figure(lambda t: t.data_age_ms.p99)),
    Metric("response p50", "ms", _figure(lambda t: t.response_ms.p50)),
    Metric("response p99", "ms", _figure(lambda t: t.response_ms.p99)),
    Metric("dispatch overhead per job", "us", _figure(lambda t: t.dispatch_us.per_job), cost=True),
    Metric("dispatch, own thread p50", "us", _figure(lambda t: t.dispatch_us.p50), cost=True),
    Metric("dispatch, own thread p99", "us", _figure(lambda t: t.dispatch_us.p99), cost=True),
    Metric("decision p50", "us", _figure(lambda t: t.decision_us.p50), cost=True),
    Metric("decision p99", "us", _figure(lambda t: t.decision_us.p99), cost=True),
    Metric("release jitter p50", "us", _figure(lambda t: t.release_jitter_us.p50), cost=True),
    Metric("release jitter p99", "us", _figure(lambda t: t.release_jitter_us.p99), cost=True),
    Metric("preemptions per job", "", _figure(_preempted), fault=False, hits=_jobs),
    Metric("CPU inside callbacks", "%", _cpu(lambda cpu: cpu.callbacks), fault=False),
    Metric("CPU of the executor", "%", _cpu(lambda cpu: cpu.executor), cost=True),
    Metric("CPU of the middleware", "%", _cpu(lambda cpu: cpu.middleware), cost=True),
)
_SPREADS = {
    "data age": "data_age_ms",
    "response": "response_ms",
    "dispatch, own thread": "dispatch_us",
    "decision": "decision_us",
    "release jitter": "release_jitter_us",
}


@dataclass(frozen=True)
class RunFigure:
    """A figure of one run with its interval, and the number of samples; `is_share`: it is a share of these, not in per
    cent."""

    interval: ConfidenceIntervals
    n: int
    is_share: bool = False

    def minus(self, other: RunFigure) -> ConfidenceIntervals:
        """Return this figure minus the other; of shares in per cent."""
        if not self.is_share:
            return difference(self.interval, other.interval)
        interval = difference_of_shares(self.interval, other.interval, self.n, other.n)
        return replace(interval, value=100 * interval.value, low=100 * interval.low, high=100 * interval.high)


def intervals_within(analysis: RunAnalysis) -> dict[str, RunFigure]:
    """Return the figures of one run with intervals, by metric. Metrics that are read only at both ends of the window
    have no interval and are left out."""
    out, read = analysis.outcomes, analysis.executions
    figures_by_name: dict[str, RunFigure] = {}
    unforced = analysis.unforced | analysis.unforced_skips
    for name, hits, instants in (
        ("deadline misses", out.missed, out.release),
        ("unforced misses", unforced, out.release),
        ("stale executions", read.stale, read.start),
    ):
        if len(hits):
            figures_by_name[name] = RunFigure(
                interval_without_hits(share(in_order_of_time(hits, instants)), len(hits)), len(hits), is_share=True
            )
    if analysis.preemptions is not None and len(out.release):
        counted = in_order_of_time(analysis.preemptions.astype(np.float64), out.release)
        figures_by_name["preemptions per job"] = RunFigure(mean_of_counts(counted), len(counted))
    if len(read.stale):
        figures_by_name["stale share by node"] = _stale_by_node(analysis)
    for name, timed in analysis.timed().items():
        word = next(word for word, key in _SPREADS.items() if key == name)
        for level in ("p50", "p99"):
            below, least = LEVELS[level]
            if len(timed.values) >= least:
                values = in_order_of_time(timed.values, timed.instants)
                figures_by_name[f"{word} {level}"] = RunFigure(quantile(values, below), len(values))
    return figures_by_name


def _stale_by_node(analysis: RunAnalysis) -> RunFigure:
    """Return the mean share over nodes, from stretches of time with equal numbers of executions."""
    application, out, read = analysis.result.application, analysis.outcomes, analysis.executions
    node = np.array([task.node for task in application.tasks], np.int64)
    executed = out.select(out.begin >= 0)
    ordered = np.sort(executed.begin)
    number = max(min(STRETCHES, len(ordered) // LEAST_SAMPLES), 1)
    edges = ordered[np.arange(1, number) * len(ordered) // number]

    def counted(task: Ints, instants: Ints) -> Samples:
        """Return the counts by stretch and node."""
        count = len(application.nodes)
        place = np.searchsorted(edges, instants, side="right") * count + node[task]
        return np.bincount(place, minlength=number * count).reshape(number, count).astype(np.float64)

    stale = counted(read.task[read.stale], read.start[read.stale])
    mean = mean_share(stale, counted(executed.task, executed.begin))
    return RunFigure(interval_without_hits(mean, len(executed)), len(executed), is_share=True)
