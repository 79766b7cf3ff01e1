# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures by which a page compares runs, each with its name, unit, description and kind of plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from takt_cli.analysis.dispatch import DispatchOverhead
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.report.texts import FIGURES, FigureText
from takt_cli.report.values import format_count, format_number
from takt_cli.spec.application import Application
from takt_cli.statistics.percentiles import Percentiles


class Spread(NamedTuple):
    """Percentiles of one run; None for those that the number of samples does not allow."""

    p50: float | None
    p99: float | None
    maximum: float | None
    """The maximum."""

    @property
    def tail(self) -> float | None:
        """The p99, or the maximum if there are too few samples for it."""
        return self.maximum if self.p99 is None else self.p99


@dataclass(frozen=True)
class Figure:
    """A figure by which runs are compared. Its texts are in `texts.yaml`."""

    id: str

    @property
    def text(self) -> FigureText:
        """Its title, unit and description."""
        return FIGURES[self.id]


@dataclass(frozen=True)
class Measure(Figure):
    """A ratio or a cost with one value for each run, drawn as a bar from zero with a dot for each run."""

    value: Callable[[RunTotals], float | None]
    detail: Callable[[RunTotals], str]
    """Describes the parts of a run's value, for hover texts and the table."""
    parts: Callable[[RunTotals], Sequence[float]] | None = None
    """The values that the bar is stacked of, from dark to light."""

    def of(self, run: SetRun) -> float | None:
        """Return the value of a run; None if it is not known."""
        return self.value(run.summary.totals)


@dataclass(frozen=True)
class Distribution(Figure):
    """A figure with many samples in each run, drawn as a line from p50 over p99 to the maximum."""

    times: Callable[[RunTotals], Percentiles]
    """Returns the percentiles among a run's totals."""
    limit: float | None = None
    """A limit, such as the deadline, drawn as a line."""

    def of(self, run: SetRun, application: Application) -> Spread:
        """Return the percentiles of a run of the application."""
        if self.limit is not None:
            return response_times(run, application)
        return _spread(self.times(run.summary.totals))

    def n(self, run: SetRun) -> int:
        """Return the number of samples of a run."""
        return self.times(run.summary.totals).n


def response_times(run: SetRun, application: Application) -> Spread:
    """Return the response times of the task with the smallest margin, in per cent of its deadline. It is the task whose
    p99, or else maximum, is largest relative to its deadline."""
    deadlines = {task.id: task.callback.deadline / 1e6 for task in application.tasks}
    of_tasks = [
        Spread(*(value and 100 * value / deadlines[task.task] for value in _spread(task.response_ms)))
        for task in run.summary.tasks
    ]
    return max(
        of_tasks, key=lambda each: (each.p99 or each.maximum or 0, each.maximum or 0), default=Spread(None, None, None)
    )


def describe_stale(totals: RunTotals) -> str:
    """Describe how many jobs ran on old data, of all and of each node."""
    by_node = totals.stale_share_by_node
    mean = "" if by_node is None else f"; share per node, mean over nodes: {format_number(100 * by_node)} %"
    return f"{format_count(totals.stale)} of {format_count(totals.stale_n)} jobs that read{mean}"


def describe_preemptions(totals: RunTotals) -> str:
    """Describe how often jobs were preempted, or say why that is not known."""
    if (preemptions := totals.preemptions) is None:
        return "unknown: it was not recorded which job ran on which CPU"
    return (
        f"{format_count(preemptions.total)} of {format_count(preemptions.jobs)} jobs, at most "
        f"{format_count(preemptions.max)} of one job"
    )


def _misses(totals: RunTotals) -> str:
    kinds = {"late": totals.late, "skipped": totals.skipped, "unfinished": totals.unfinished}
    parts = [f"{format_count(count)} {name}" for name, count in kinds.items() if count]
    text = f"{format_count(totals.deadline_misses)} of {format_count(totals.jobs)}"
    host = f"; {format_count(totals.host_misses)} overlap a stall of the host" if totals.host_misses else ""
    return text + (f": {', '.join(parts)}" if parts else "") + host


def _overhead(totals: RunTotals) -> str:
    parts = ", ".join(f"{name} {format_number(cost)}" for name, cost in _by_class(totals.dispatch_us).items())
    return f"{parts}; {format_count(totals.dispatch_us.jobs)} jobs"


def _by_class(dispatch: DispatchOverhead) -> dict[str, float | None]:
    return {"executor": dispatch.executor, "middleware": dispatch.middleware, "other": dispatch.other}


def _percent(part: float, whole: float) -> float | None:
    return 100 * (part / whole) if whole else None


def _spread(times: Percentiles) -> Spread:
    return Spread(times.p50, times.p99, times.max)


MISSES = Measure("misses", lambda totals: _percent(totals.deadline_misses, totals.jobs), _misses)
UNFORCED = Measure(
    "unforced",
    lambda totals: _percent(totals.unforced, totals.jobs),
    lambda totals: f"{format_count(totals.unforced)} of {format_count(totals.jobs)}",
)
STALE = Measure("stale", lambda totals: _percent(totals.stale, totals.stale_n), describe_stale)
DISPATCH = Measure(
    "dispatch",
    lambda totals: totals.dispatch_us.per_job,
    _overhead,
    lambda totals: [max(cost or 0, 0) for cost in _by_class(totals.dispatch_us).values()],
)
PREEMPTIONS = Measure(
    "preemptions",
    lambda totals: totals.preemptions.total / totals.jobs if totals.preemptions and totals.jobs else None,
    describe_preemptions,
)
AGE = Distribution("age", lambda totals: totals.data_age_ms)
RESPONSE = Distribution("response", lambda totals: totals.response_ms, limit=100)
DECISION = Distribution("decision", lambda totals: totals.decision_us)
# What a page compares, by its sections.
DEADLINES_AND_DATA: tuple[Measure | Distribution, ...] = (MISSES, UNFORCED, STALE, AGE, RESPONSE)
COSTS: tuple[Measure | Distribution, ...] = (DISPATCH, PREEMPTIONS, DECISION)
