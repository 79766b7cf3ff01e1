# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt measure bounds` for the terminal: a row for each task, then every job that exceeded its bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.bounds import Agreement
from takt_cli.report.formatting import NONE, format_count, format_number, format_verdict
from takt_cli.report.tables.run import STYLES
from takt_cli.spec.units import format_duration

_STYLES = {Agreement.host.value: "yellow", Agreement.unknown.value: "dim", Agreement.above.value: "red"}
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


def bounds_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: table of tasks, costs that the bounds include, jobs above their bounds, verdict."""
    table = Table(
        title=f"longest response times, runs of {format_number(summary['duration_s'])} s", title_justify="left"
    )
    for name in ("task set", "task"):
        table.add_column(name)
    for name in ("jobs", "bound", "simulated", "measured", "without\nhost stalls", "% of the\nbound", "deadline"):
        table.add_column(name, justify="right")
    table.add_column("")
    for run in summary["runs"]:
        first = f"{run['folder']}, U {run['utilisation']:.2f}"
        for i, task in enumerate(run["tasks"]):
            table.add_row(first if i == 0 else "", *_cells(task), style=_STYLES.get(task["verdict"]))
        table.add_section()
    costs = [f"{_time(value)} {_COSTS[name]}" for name, value in summary["costs_ns"].items() if value]
    parts: list[RenderableType] = [table, f"costs included in the bounds: {', '.join(costs)}"]
    parts += [Text(line) for run in summary["runs"] for task in run["tasks"] for line in _above(run, task)]
    parts.append(_totals(summary["totals"]))
    parts.append(Text(format_verdict(summary["verdict"]), style=STYLES[summary["verdict"].outcome]))
    parts.append(f"seed {summary['seed']}; result: {folder}")
    return parts


def _cells(task: dict[str, Any]) -> list[str]:
    without_host, bound = task["measured_without_host_ns"], task["bound_ns"]
    share = f"{100 * without_host / bound:.1f} %" if without_host and bound else NONE
    times = [_time(task[name]) for name in ("bound_ns", "simulated_ns", "measured_ns", "measured_without_host_ns")]
    verdict = "" if task["verdict"] == Agreement.within.value else task["verdict"]
    return [task["task"], format_count(task["jobs"]), *times, share, _time(task["deadline_ns"]), verdict]


def _above(run: dict[str, Any], task: dict[str, Any]) -> list[str]:
    """Return a line for each job above its bound that the summary lists, and one if the model itself exceeds it."""
    lines = []
    if task["model_above"]:
        bound_without_costs = _time(task["bound_without_costs_ns"])
        lines.append(
            f"{run['folder']} {task['task']}: the simulator's longest response is {_time(task['simulated_ns'])}, "
            f"its bound without costs {bound_without_costs}"
        )
    for job in task["jobs_above"]:
        taken_text = ", ".join(f"{who} {_time(ns)}" for who, ns in job["taken_ns"].items()) or "nothing"
        parts_text = ", ".join(f"{part['what']} {_time(part['ns'])}" for part in job["parts"][:_PARTS])
        lines.append(
            f"{run['folder']} {task['task']} #{job['job']} at {format_number(job['release_s'])} s: "
            f"{_time(job['above_ns'])} above its bound; taken by the host: {taken_text}; "
            f"response time spent on: {parts_text}"
        )
    return lines


def _totals(totals: dict[str, Any]) -> str:
    of_bound = totals["of_bound"]
    share_text = ""
    if of_bound is not None:
        share_text = (
            f"; longest response / bound: median {format_number(of_bound['median'])}, max "
            f"{format_number(of_bound['max'])}"
        )
    return (
        f"{format_count(totals['tasks'])} tasks in {format_count(totals['sets'])} task sets, "
        f"{format_count(totals['jobs'])} jobs; above "
        f"their bounds {format_count(totals['jobs_above'])}, {format_count(totals['jobs_above_by_host'])} of "
        "them only because of "
        f"the host{share_text}"
    )


def _time(value: int | None) -> str:
    """Format a duration in ns, rounded to a tenth of a microsecond from 1 us on."""
    return NONE if value is None else format_duration(round(value, -2) if abs(value) >= 1000 else value)
