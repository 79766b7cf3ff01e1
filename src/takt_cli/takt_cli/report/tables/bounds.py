# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure bounds`: a row for each task, then every job that exceeded its bound."""

from __future__ import annotations

from dataclasses import asdict

from rich.console import RenderableType
from rich.markup import escape

from takt_cli.analysis.bounds import Agreement, BoundedSet, BoundedTask, BoundsSummary, BoundsTotals
from takt_cli.report.formatting import format_count, format_number, format_time
from takt_cli.report.tables.rows import Row, table_of

_STYLES = {Agreement.host: "yellow", Agreement.unknown: "dim", Agreement.above: "red"}
_COSTS = {
    "job": "for each job",
    "preemption": "for each job that may preempt",
    "release": "for each release",
    "others": "in each ms for threads that run no jobs",
    "burst": "once for the longest burst of such a thread",
    "jitter": "until a release is noticed",
    "section": "for the longest middleware section",
}
# How many parts of the response time of a job above its bound are listed.
_PARTS = 5


def bounds_title(summary: BoundsSummary) -> str:
    """Return what was measured, in a phrase."""
    return f"Longest response times, runs of {format_number(summary.duration_s)} s"


def bounds_report(summary: BoundsSummary) -> list[RenderableType]:
    """Return the report: table of tasks, costs that the bounds include, jobs above their bounds, and totals."""
    rows = [
        Row(
            {
                "task set": f"{run.folder}, U {run.utilisation:.2f}",
                "task": task.task,
                "jobs": task.jobs,
                "bound": _time(task.bound_ns),
                "simulated": _time(task.simulated_ns),
                "measured": _time(task.measured_ns),
                "without\nhost stalls": _time(task.measured_without_host_ns),
                "% of the\nbound": _share_of_bound(task),
                "deadline": _time(task.deadline_ns),
                "agreement": "" if task.verdict is Agreement.within else task.verdict.value,
            },
            style=_STYLES.get(task.verdict),
            ends_section=task is run.tasks[-1],
        )
        for run in summary.runs
        for task in run.tasks
    ]
    table = table_of(bounds_title(summary), rows, ("task", "agreement"))
    costs = [f"{_time(value)} {_COSTS[name]}" for name, value in asdict(summary.costs_ns).items() if value]
    above = [escape(line) for run in summary.runs for task in run.tasks for line in _above(run, task)]
    remark = f"costs included in the bounds: {', '.join(costs)}"
    return [table, remark, *above, f"{_totals(summary.totals)}; seed {summary.seed}"]


def _share_of_bound(task: BoundedTask) -> str | None:
    longest, bound = task.measured_without_host_ns, task.bound_ns
    return f"{100 * longest / bound:.1f} %" if longest and bound else None


def _above(run: BoundedSet, task: BoundedTask) -> list[str]:
    """Return a line for each job above its bound that the summary lists, and one if the model itself exceeds it."""
    lines = []
    if task.model_above:
        bound_without_costs = _time(task.bound_without_costs_ns)
        lines.append(
            f"{run.folder} {task.task}: the simulator's longest response is {_time(task.simulated_ns)}, "
            f"its bound without costs {bound_without_costs}"
        )
    for job in task.jobs_above:
        taken_text = ", ".join(f"{who} {_time(ns)}" for who, ns in job.taken_ns.items()) or "nothing"
        parts_text = ", ".join(f"{part.what} {_time(part.ns)}" for part in job.parts[:_PARTS])
        lines.append(
            f"{run.folder} {task.task} #{job.job} at {format_number(job.release_s)} s: "
            f"{_time(job.above_ns)} above its bound; taken by the host: {taken_text}; "
            f"response time spent on: {parts_text}"
        )
    return lines


def _totals(totals: BoundsTotals) -> str:
    of_bound = totals.of_bound
    share_text = ""
    if of_bound is not None:
        share_text = (
            f"; longest response / bound: median {format_number(of_bound.median)}, max {format_number(of_bound.max)}"
        )
    return (
        f"{format_count(totals.tasks)} tasks in {format_count(totals.sets)} task sets, "
        f"{format_count(totals.jobs)} jobs; above "
        f"their bounds {format_count(totals.jobs_above)}, {format_count(totals.jobs_above_by_host)} of "
        "them only because of "
        f"the host{share_text}"
    )


def _time(value: int | None) -> str:
    """Format a duration in ns, rounded to a tenth of a microsecond from 1 us on."""
    return format_time(round(value, -2) if value is not None and abs(value) >= 1000 else value)
