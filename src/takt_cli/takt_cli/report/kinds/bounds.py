# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt measure bounds`: bound and longest responses of every task, and jobs above their bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from rich.console import RenderableType
from rich.markup import escape

from takt_cli.analysis.bounds import Agreement, BoundedSet, BoundedTask, BoundsSummary, BoundsTotals
from takt_cli.chart.axis import Axis, Tick
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Limit, Mark, Points, Ranges, Shape, Spot
from takt_cli.report.formatting import format_time
from takt_cli.report.tables.rows import Row, table_of
from takt_cli.report.texts import CHARTS
from takt_cli.report.values import format_count, format_number

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
_WIDTH, _HEIGHT = 9.0, 2.4
# The gap between task sets, and half of the length of a tick of a simulated response time, in tasks.
_GAP, _HALF = 1.2, 0.4
_POLICY_COLOURS = {"fp": "takt", "np-fp": "baseline1", "edf": "stale"}


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
    table = table_of(bounds_title(summary), rows, ("task set", "task", "agreement"))
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


def bounds_chart(summary: BoundsSummary) -> Chart:
    """Return the chart, with a panel for each policy and the tasks side by side, grouped by task set. All response
    times are in per cent of the task's deadline: the bound as a bar, the longest response in the model as a tick, the
    longest in the real run as a dot."""
    policies = list(dict.fromkeys(run.policy for run in summary.runs))
    panels = [
        _panel(policy, [run for run in summary.runs if run.policy == policy], policy == policies[-1])
        for policy in policies
    ]
    text = CHARTS["bounds"]
    return Chart(text.title, [[panel] for panel in panels], _WIDTH, key_columns=6, description=text.description)


def _panel(policy: str, runs: list[BoundedSet], is_last: bool) -> Panel:
    x, ticks = 0.0, []
    tasks: list[tuple[float, BoundedTask]] = []
    for run in runs:
        begin = x
        for task in sorted(run.tasks, key=lambda task: task.deadline_ns):
            tasks.append((x, task))
            x += 1
        ticks.append(Tick((begin + x - 1) / 2, f"{run.folder.split('-')[1]}\nU {run.utilisation:.2f}"))
        x += _GAP
    highest = max([100.0, *(_percent(task, ns) or 0 for _, task in tasks for ns in (task.bound_ns, task.measured_ns))])

    def shown(time: Callable[[BoundedTask], int | None]) -> list[Spot]:
        return [Spot(at, share) for at, task in tasks if (share := _percent(task, time(task))) is not None]

    def judged(*verdicts: Agreement) -> list[Spot]:
        return shown(lambda task: task.measured_without_host_ns if task.verdict in verdicts else None)

    longest, without_host = "longest measured", judged(*Agreement)
    with_host = [spot for spot in shown(lambda task: task.measured_ns) if spot not in without_host]
    points: list[tuple[list[Spot], str, str, Shape]] = [
        (judged(Agreement.within, Agreement.host), longest, "baseline0", "dot"),
        (with_host, f"{longest}, host stalls included", "host", "circle"),
        (judged(Agreement.above), "above the bound", "late", "cross"),
        (judged(Agreement.unknown), "not judged", "host", "dot"),
    ]
    simulated = [(spot.y, spot.x - _HALF, spot.x + _HALF) for spot in shown(lambda task: task.simulated_ns)]
    marks: list[Mark] = [
        Bars([], [], name="bound", colour="muted", opacity=0.3),
        Bars.of(shown(lambda task: task.bound_ns), colour=_POLICY_COLOURS.get(policy, "takt"), opacity=0.3),
        Ranges(simulated, horizontal=True, name="longest simulated", colour="ink"),
        *(Points.of(spots, shape, 5, name=name, colour=colour) for spots, name, colour, shape in points if spots),
        Limit(100, dash="solid", width=1, colour="ink"),
    ]
    title = "tasks by task set, with the utilisation of each set" * is_last
    x_axis = Axis(title, low=-1, high=max(x - _GAP, 1), ticks=ticks, grid=False)
    y_axis = Axis("response time,\n% of the deadline", low=0, high=1.06 * highest)
    return Panel(marks, policy, x_axis, y_axis, _HEIGHT)


def _percent(task: BoundedTask, nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else 100 * nanoseconds / task.deadline_ns
