# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Real runs against the analysis, for the terminal: a row for each task, then every job above its bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.bounds import Agreement
from takt_cli.report.run_table import STYLES
from takt_cli.report.words import NONE, count, number, verdict_line
from takt_cli.spec.units import format_duration

_STYLES = {Agreement.host.value: "yellow", Agreement.unknown.value: "dim", Agreement.above.value: "red"}
_COSTS = {
    "job": "of each job",
    "preemption": "of each that may preempt",
    "release": "of each release",
    "others": "of each ms for threads that run no jobs",
    "burst": "once for the longest of them",
    "jitter": "until a release is noticed",
    "section": "the longest middleware section",
}
_PARTS = 5


def bounds_report(summary: dict[str, Any], place: Path) -> list[RenderableType]:
    table = Table(title=f"longest responses, {number(summary['duration_s'])} s each", title_justify="left")
    for name in ("set", "task"):
        table.add_column(name)
    for name in ("jobs", "bound", "simulated", "measured", "without\nthe host", "of the\nbound", "deadline"):
        table.add_column(name, justify="right")
    table.add_column("")
    for run in summary["runs"]:
        first = f"{run['folder']}, U {run['utilisation']:.2f}"
        for i, task in enumerate(run["tasks"]):
            table.add_row(first if i == 0 else "", *_cells(task), style=_STYLES.get(task["verdict"]))
        table.add_section()
    costs = [f"{_time(value)} {_COSTS[name]}" for name, value in summary["costs_ns"].items() if value]
    parts: list[RenderableType] = [table, f"counted in the bounds: {', '.join(costs)}"]
    parts += [Text(line) for run in summary["runs"] for task in run["tasks"] for line in _above(run, task)]
    parts.append(_totals(summary["totals"]))
    parts.append(Text(verdict_line(summary["verdict"]), style=STYLES[summary["verdict"]["outcome"]]))
    parts.append(f"seed {summary['seed']}; result: {place}")
    return parts


def _cells(task: dict[str, Any]) -> list[str]:
    kept, bound = task["measured_without_host_ns"], task["bound_ns"]
    share = f"{100 * kept / bound:.1f} %" if kept and bound else NONE
    times = [_time(task[name]) for name in ("bound_ns", "simulated_ns", "measured_ns", "measured_without_host_ns")]
    verdict = "" if task["verdict"] == Agreement.within.value else task["verdict"]
    return [task["task"], count(task["jobs"]), *times, share, _time(task["deadline_ns"]), verdict]


def _above(run: dict[str, Any], task: dict[str, Any]) -> list[str]:
    """A line for each job above the bound that is told of."""
    lines = []
    if task["model_above"]:
        plain = _time(task["bound_without_costs_ns"])
        lines.append(f"{run['folder']} {task['task']}: the model takes {_time(task['simulated_ns'])}, bound {plain}")
    for job in task["jobs_above"]:
        taken = ", ".join(f"{who} {_time(ns)}" for who, ns in job["taken_ns"].items()) or "nothing"
        went = ", ".join(f"{part['what']} {_time(part['ns'])}" for part in job["parts"][:_PARTS])
        lines.append(
            f"{run['folder']} {task['task']} #{job['job']} at {number(job['release_s'])} s: "
            f"{_time(job['above_ns'])} above its bound; the host took: {taken}; it went by with: {went}"
        )
    return lines


def _totals(totals: dict[str, Any]) -> str:
    of_bound = totals["of_bound"]
    reach = ""
    if of_bound is not None:
        reach = f"; longest response by bound: median {number(of_bound['median'])}, max {number(of_bound['max'])}"
    return (
        f"{count(totals['tasks'])} tasks of {count(totals['sets'])} sets, {count(totals['jobs'])} jobs; above their "
        f"bound {count(totals['jobs_above'])}, of them by the host alone {count(totals['jobs_above_by_host'])}{reach}"
    )


def _time(value: int | None) -> str:
    """To a tenth of a microsecond."""
    return NONE if value is None else format_duration(round(value, -2) if abs(value) >= 1000 else value)
