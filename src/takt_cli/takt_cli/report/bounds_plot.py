# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plot of `takt measure bounds`: bound, longest simulated and longest measured response time of every task."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from takt_cli.analysis.bounds import Agreement
from takt_cli.report.style import COLOURS, canvas, to_svg

_WIDTH, _ROW = 9.0, 2.1
_GAP = 1.2
_POLICY_COLOURS = {"fp": "takt", "np-fp": "baseline1", "edf": "stale"}


def bounds_plot(summary: dict[str, Any]) -> str:
    """Return the plot as an SVG document, with a panel for each policy and the tasks side by side, grouped by task set.

    All response times are in per cent of the task's deadline: the bound as a bar, the longest response in the model as
    a tick, the longest in the real run as a dot.
    """
    policies = list(dict.fromkeys(run["policy"] for run in summary["runs"]))
    with canvas(_WIDTH, 0.7 + _ROW * len(policies)) as figure:
        panels = figure.subplots(len(policies), 1, squeeze=False)[:, 0]
        for axes, policy in zip(panels, policies, strict=True):
            _panel(axes, policy, [run for run in summary["runs"] if run["policy"] == policy])
        panels[-1].set_xlabel("tasks by task set, with the utilisation of each set")
        figure.legend(handles=_handles(summary), loc="outside lower left", ncols=6)
        return to_svg(figure, "Bound, simulated and measured response times of random task sets")


def _panel(axes: Axes, policy: str, runs: list[dict[str, Any]]) -> None:
    x, middles, labels, highest = 0.0, [], [], 100.0
    for run in runs:
        begin = x
        for task in sorted(run["tasks"], key=lambda task: int(task["deadline_ns"])):
            _task(axes, x, task, COLOURS[_POLICY_COLOURS.get(policy, "takt")])
            highest = max(highest, *(100 * (_share(task, name) or 0) for name in ("bound_ns", "measured_ns")))
            x += 1
        middles.append((begin + x - 1) / 2)
        labels.append(f"{run['folder'].split('-')[1]}\nU {run['utilisation']:.2f}")
        x += _GAP
    axes.set_xticks(middles, labels)
    axes.set_xlim(-1, max(x - _GAP, 1))
    axes.set_ylim(0, highest * 1.06)
    axes.axhline(100, color=COLOURS["ink"], linewidth=1)
    axes.grid(axis="y")
    axes.set_ylabel("response time,\n% of the deadline")
    axes.set_title(policy)


def _task(axes: Axes, x: float, task: dict[str, Any], colour: str) -> None:
    if (bound := _share(task, "bound_ns")) is not None:
        axes.bar(x, 100 * bound, 0.8, color=colour, alpha=0.3, linewidth=0)
    if (simulated := _share(task, "simulated_ns")) is not None:
        axes.plot([x - 0.4, x + 0.4], [100 * simulated] * 2, color=COLOURS["ink"], linewidth=1.2)
    all_of_them, without_host = _share(task, "measured_ns"), _share(task, "measured_without_host_ns")
    fault = task["verdict"] == Agreement.above.value
    if all_of_them is not None and all_of_them != without_host:
        axes.plot([x], [100 * all_of_them], "o", color=COLOURS["host"], fillstyle="none", markersize=5)
    if without_host is not None:
        unknown = task["verdict"] == Agreement.unknown.value
        style = "x" if fault else "."
        axes.plot(
            [x], [100 * without_host], style, color=COLOURS["late" if fault else "host" if unknown else "baseline0"]
        )


def _share(task: dict[str, Any], name: str) -> float | None:
    return None if task[name] is None else float(task[name]) / float(task["deadline_ns"])


def _handles(summary: dict[str, Any]) -> list[Line2D]:
    def mark(label: str, marker: str, colour: str, **more: Any) -> Line2D:
        return Line2D([], [], color=COLOURS[colour], marker=marker, linestyle="", label=label, **more)

    tasks = [task for run in summary["runs"] for task in run["tasks"]]
    handles = [
        Line2D([], [], color=COLOURS["muted"], alpha=0.3, linewidth=6, label="bound"),
        Line2D([], [], color=COLOURS["ink"], linewidth=1.2, label="longest simulated"),
        mark("longest measured", ".", "baseline0"),
    ]
    if any(task["verdict"] == Agreement.host.value or task["above_by_host"] for task in tasks):
        handles.append(mark("longest measured, host stalls included", "o", "host", fillstyle="none"))
    if any(task["verdict"] == Agreement.above.value for task in tasks):
        handles.append(mark("above the bound", "x", "late"))
    if any(task["verdict"] == Agreement.unknown.value for task in tasks):
        handles.append(mark("not judged", ".", "host"))
    return handles
