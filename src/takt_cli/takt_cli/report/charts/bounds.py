# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt measure bounds`: bound, longest simulated and longest measured response time of every task."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.analysis.bounds import Agreement, BoundedSet, BoundedTask, BoundsSummary
from takt_cli.chart.axis import Axis, Tick
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Limit, Mark, Points, Ranges, Shape, Spot

_WIDTH, _HEIGHT = 9.0, 2.4
# The gap between task sets, and half of the length of a tick of a simulated response time, in tasks.
_GAP, _HALF = 1.2, 0.4
_POLICY_COLOURS = {"fp": "takt", "np-fp": "baseline1", "edf": "stale"}


def bounds_chart(summary: BoundsSummary) -> Chart:
    """Return the chart, with a panel for each policy and the tasks side by side, grouped by task set.

    All response times are in per cent of the task's deadline: the bound as a bar, the longest response in the model as
    a tick, the longest in the real run as a dot.
    """
    policies = list(dict.fromkeys(run.policy for run in summary.runs))
    panels = [
        _panel(policy, [run for run in summary.runs if run.policy == policy], policy == policies[-1])
        for policy in policies
    ]
    title = "Bound, simulated and measured response times of random task sets"
    description = (
        "A bar is the bound of a task's response times, a tick the longest in the simulator and a dot the longest in "
        "the run, all in % of the task's deadline. Tasks of a set stand together, with a panel for each policy."
    )
    return Chart(title, [[panel] for panel in panels], _WIDTH, key_columns=6, description=description)


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
    highest = max([100.0, *(_percent(task, name) or 0 for _, task in tasks for name in ("bound_ns", "measured_ns"))])

    def shown(name: str, verdicts: Sequence[Agreement] = tuple(Agreement)) -> list[Spot]:
        chosen = [(at, task) for at, task in tasks if task.verdict in verdicts]
        return [Spot(at, share) for at, task in chosen if (share := _percent(task, name)) is not None]

    longest, without_host = "longest measured", shown("measured_without_host_ns")
    with_host = [spot for spot in shown("measured_ns") if spot not in without_host]
    points: list[tuple[list[Spot], str, str, Shape]] = [
        (shown("measured_without_host_ns", (Agreement.within, Agreement.host)), longest, "baseline0", "dot"),
        (with_host, f"{longest}, host stalls included", "host", "circle"),
        (shown("measured_without_host_ns", (Agreement.above,)), "above the bound", "late", "cross"),
        (shown("measured_without_host_ns", (Agreement.unknown,)), "not judged", "host", "dot"),
    ]
    simulated = [(spot.y, spot.x - _HALF, spot.x + _HALF) for spot in shown("simulated_ns")]
    marks: list[Mark] = [
        Bars([], [], name="bound", colour="muted", opacity=0.3),
        Bars.of(shown("bound_ns"), colour=_POLICY_COLOURS.get(policy, "takt"), opacity=0.3),
        Ranges(simulated, horizontal=True, name="longest simulated", colour="ink"),
        *(Points.of(spots, shape, 5, name=name, colour=colour) for spots, name, colour, shape in points if spots),
        Limit(100, dash="solid", width=1, colour="ink"),
    ]
    title = "tasks by task set, with the utilisation of each set" * is_last
    x_axis = Axis(title, low=-1, high=max(x - _GAP, 1), ticks=ticks, grid=False)
    y_axis = Axis("response time,\n% of the deadline", low=0, high=1.06 * highest)
    return Panel(marks, policy, x_axis, y_axis, _HEIGHT)


def _percent(task: BoundedTask, name: str) -> float | None:
    value: int | None = getattr(task, name)
    return None if value is None else 100 * value / task.deadline_ns
