# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures by which a page compares runs, each with its name, unit, description and kind of plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from takt_cli.analysis.dispatch import DispatchOverhead
from takt_cli.analysis.preemptions import Preemptions
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.report.formatting import format_count, format_number
from takt_cli.spec.application import Application
from takt_cli.statistics.percentiles import Percentiles

_CLASSES = ("executor", "middleware", "other")


class Spread(NamedTuple):
    """Percentiles of one run; None for those that the number of samples does not allow."""

    p50: float | None
    p99: float | None
    maximum: float | None
    """The maximum."""


class Measure(NamedTuple):
    """A ratio or a cost with one value for each run, drawn as a bar from zero with a dot for each run."""

    id: str
    title: str
    description: str
    unit: str
    compute: Callable[[SetRun, Application], float | None]
    detail: Callable[[SetRun], str]
    """Describes the parts of a run's value, for hover texts and the table."""
    parts: Callable[[SetRun], Sequence[float]] | None = None
    """The values that the bar is stacked of, from dark to light."""


class Distribution(NamedTuple):
    """A figure with many samples in each run, drawn as a line from p50 over p99 to the maximum."""

    id: str
    title: str
    description: str
    unit: str
    compute: Callable[[SetRun, Application], Spread]
    n: Callable[[SetRun], int]
    limit: float | None = None
    """A limit, such as the deadline, drawn as a line."""


def missed_share(run: SetRun, _application: Application | None = None) -> float | None:
    """Return the share of releases that missed their deadlines, in per cent."""
    return _percent(run.summary.totals.miss_ratio)


def unforced_count(run: SetRun) -> int:
    """Return the number of misses and skipped jobs that the policy could have avoided."""
    return run.summary.totals.unforced


def unforced_share(run: SetRun, _application: Application) -> float | None:
    """Return the share of releases whose miss the policy could have avoided, in per cent."""
    jobs = run.summary.totals.jobs
    return 100 * unforced_count(run) / jobs if jobs else None


def stale_share(run: SetRun, _application: Application | None = None) -> float | None:
    """Return the share of stale executions among the jobs that read a topic, in per cent."""
    return _percent(run.summary.totals.stale_ratio)


def dispatch_overhead(run: SetRun, _application: Application | None = None) -> float | None:
    """Return the dispatch overhead: CPU time outside callbacks per job, in us."""
    return run.summary.totals.dispatch_us.per_job


def overhead_parts(run: SetRun) -> list[float]:
    """Return the dispatch overhead by threads: of the executor, of the middleware, and others."""
    dispatch = run.summary.totals.dispatch_us
    return [max(getattr(dispatch, name) or 0, 0) for name in _CLASSES]


def preemptions_per_job(run: SetRun, _application: Application | None = None) -> float | None:
    """Return the number of preemptions per job, or None if it is not known."""
    totals = run.summary.totals
    preemptions = totals.preemptions
    return None if preemptions is None or not totals.jobs else preemptions.total / totals.jobs


def data_age(run: SetRun, _application: Application | None = None) -> Spread:
    """Return the data age in ms."""
    return _spread(run.summary.totals.data_age_ms)


def decision_time(run: SetRun, _application: Application | None = None) -> Spread:
    """Return the decision time in us."""
    return _spread(run.summary.totals.decision_us)


def response_times(run: SetRun, application: Application) -> Spread:
    """Return the response times of the task with the smallest margin, in per cent of its deadline.

    It is the task whose p99, or else maximum, is largest relative to its deadline.
    """
    deadlines = {task.id: task.callback.deadline / 1e6 for task in application.tasks}
    of_tasks = [
        Spread(*(None if value is None else 100 * value / deadlines[task.task] for value in _spread(task.response_ms)))
        for task in run.summary.tasks
    ]
    return max(
        of_tasks, key=lambda each: (each.p99 or each.maximum or 0, each.maximum or 0), default=Spread(None, None, None)
    )


MEASURES = (
    Measure(
        "misses",
        "Missed deadlines",
        "Share of all releases on the ideal grid whose job finished late, was skipped or did not finish.",
        "%",
        missed_share,
        lambda run: _parts_of_misses(run.summary.totals),
    ),
    Measure(
        "unforced",
        "Unforced misses",
        "Share of all releases whose miss the policy could have avoided: the simulator meets these deadlines in a "
        "replay of the same releases and execution times.",
        "%",
        unforced_share,
        lambda run: f"{format_count(unforced_count(run))} of {format_count(run.summary.totals.jobs)}",
    ),
    Measure(
        "stale",
        "Stale executions",
        "Share of the jobs that read a topic which started on old data, although a newer message had been published.",
        "%",
        stale_share,
        lambda run: _parts_of_stale(run.summary.totals),
    ),
    Measure(
        "dispatch",
        "Dispatch overhead",
        "CPU time of all processes outside callbacks, per job. From dark to light: threads of the executor, threads "
        "of the middleware, others.",
        "us",
        dispatch_overhead,
        lambda run: _parts_of_overhead(run.summary.totals.dispatch_us),
        overhead_parts,
    ),
    Measure(
        "preemptions",
        "Preemptions",
        "How often a started job lost the CPU to another job, per job.",
        "per job",
        preemptions_per_job,
        lambda run: _parts_of_preemptions(run.summary.totals.preemptions),
    ),
)
DISTRIBUTIONS = (
    Distribution(
        "age",
        "Data age",
        "From the instant a message was published to the start of the job that used it.",
        "ms",
        data_age,
        lambda run: run.summary.totals.data_age_ms.n,
    ),
    Distribution(
        "response",
        "Response time of the tightest task",
        "Time from release to finish, in % of the relative deadline, of the task whose p99 comes closest to it. "
        "Above 100 % a job is late.",
        "% of the deadline",
        response_times,
        lambda run: run.summary.totals.response_ms.n,
        limit=100,
    ),
    Distribution(
        "decision",
        "Decision time",
        "How long the executor took to choose the next job among those that could start.",
        "us",
        decision_time,
        lambda run: run.summary.totals.decision_us.n,
    ),
)


def _parts_of_misses(totals: RunTotals) -> str:
    counts = {"late": totals.late, "skipped": totals.skipped, "unfinished": totals.unfinished}
    parts = [f"{format_count(n)} {name}" for name, n in counts.items() if n]
    text = f"{format_count(totals.deadline_misses)} of {format_count(totals.jobs)}"
    if parts:
        text += f": {', '.join(parts)}"
    return text + (f"; {format_count(totals.host_misses)} overlap a stall of the host" if totals.host_misses else "")


def _parts_of_overhead(dispatch: DispatchOverhead) -> str:
    parts = ", ".join(f"{name} {format_number(getattr(dispatch, name))}" for name in _CLASSES)
    return f"{parts}; {format_count(dispatch.jobs)} jobs"


def _parts_of_stale(totals: RunTotals) -> str:
    by_node = totals.stale_share_by_node
    text = f"{format_count(totals.stale)} of {format_count(totals.stale_n)}"
    return text if by_node is None else f"{text}; share per node, mean over nodes: {format_number(100 * by_node)} %"


def _parts_of_preemptions(preemptions: Preemptions | None) -> str:
    if preemptions is None:
        return "unknown"
    return (
        f"{format_count(preemptions.total)} of {format_count(preemptions.jobs)} jobs, at most "
        f"{format_count(preemptions.max)} "
        "of one job"
    )


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else 100 * ratio


def _spread(times: Percentiles) -> Spread:
    return Spread(times.p50, times.p99, times.max)
