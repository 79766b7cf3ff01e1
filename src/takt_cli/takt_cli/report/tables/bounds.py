# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure bounds`: a row for each task, then every job that exceeded its bound."""

from __future__ import annotations

from dataclasses import asdict

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table

from takt_cli.analysis.bounds import Agreement, BoundedSet, BoundedTask, BoundsSummary, BoundsTotals
from takt_cli.report.formatting import NONE, format_count, format_number
from takt_cli.spec.units import format_duration

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
    table = Table(title=bounds_title(summary), title_justify="left")
    for name in ("task set", "task"):
        table.add_column(name)
    for name in ("jobs", "bound", "simulated", "measured", "without\nhost stalls", "% of the\nbound", "deadline"):
        table.add_column(name, justify="right")
    table.add_column("agreement")
    for run in summary.runs:
        for task in run.tasks:
            name = f"{run.folder}, U {run.utilisation:.2f}"
            table.add_row(name, *_cells(task), style=_STYLES.get(task.verdict))
        table.add_section()
    costs = [f"{_time(value)} {_COSTS[name]}" for name, value in asdict(summary.costs_ns).items() if value]
    above = [escape(line) for run in summary.runs for task in run.tasks for line in _above(run, task)]
    remark = f"costs included in the bounds: {', '.join(costs)}"
    return [table, remark, *above, f"{_totals(summary.totals)}; seed {summary.seed}"]


def _cells(task: BoundedTask) -> list[str]:
    without_host, bound = task.measured_without_host_ns, task.bound_ns
    share = f"{100 * without_host / bound:.1f} %" if without_host and bound else NONE
    times = [_time(each) for each in (bound, task.simulated_ns, task.measured_ns, without_host)]
    verdict = "" if task.verdict is Agreement.within else task.verdict.value
    return [task.task, format_count(task.jobs), *times, share, _time(task.deadline_ns), verdict]


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
    return NONE if value is None else format_duration(round(value, -2) if abs(value) >= 1000 else value)
