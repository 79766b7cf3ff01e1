# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plot of `takt check`: the bound of every task beside its longest simulated and measured response times."""

from __future__ import annotations

from typing import Any

from matplotlib.lines import Line2D

from takt_cli.report.style import COLOURS, plot, to_svg

# The end of the x axis in deadlines, at most: longer bars are cut off there.
_RIGHT = 1.6
_ROW = 0.3


def check_plot(summary: dict[str, Any]) -> str:
    """Return the plot as an SVG document, with a row for each task, in per cent of its deadline.

    The bound is a bar; the longest simulated and measured response times are marks.
    """
    tasks = summary["tasks"]
    with plot(7.0, 1.6 + _ROW * len(tasks)) as (figure, axes):
        axes.set_yticks(range(len(tasks)), [task["task"] for task in tasks])
        axes.set_ylim(len(tasks) - 0.4, -0.6)
        largest_share = max((_share(task, "bound_ns") or 0 for task in tasks), default=0)
        axes.set_xlim(0, 100 * min(max(1.08 * largest_share, 1.08), _RIGHT))
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        for y, task in enumerate(tasks):
            bound = _share(task, "bound_ns")
            if bound is not None:
                late = task["margin_ns"] < 0
                axes.barh(y, 100 * bound, 0.5, color=COLOURS["late" if late else "takt"], alpha=0.35, linewidth=0)
            for name, marker, colour in _MARKS:
                value = _share(task, name)
                if value is not None:
                    axes.plot([100 * value], [y], marker, color=COLOURS[colour], markersize=5)
        axes.axvline(100, color=COLOURS["ink"], linewidth=1)
        axes.set_xlabel("response time, % of the deadline")
        axes.set_title(f"{summary['application']} under {summary['policy']}: bound, simulated and measured")
        figure.legend(handles=_handles(tasks), loc="outside lower left", ncols=4)
        return to_svg(figure, "Bound, simulated and measured response times against deadlines")


_MARKS = (("simulated_ns", "|", "ink"), ("measured_ns", "x", "baseline0"))


def _share(task: dict[str, Any], name: str) -> float | None:
    return None if task[name] is None else task[name] / task["deadline_ns"]


def _handles(tasks: list[dict[str, Any]]) -> list[Line2D]:
    handles = [
        Line2D([], [], color=COLOURS["takt"], alpha=0.35, linewidth=6, label="bound"),
        Line2D([], [], color=COLOURS["ink"], linewidth=1, label="deadline"),
    ]
    for name, marker, colour in _MARKS:
        if any(task[name] is not None for task in tasks):
            label = f"longest {name.removesuffix('_ns')}"
            handles.append(Line2D([], [], color=COLOURS[colour], marker=marker, linestyle="", label=label))
    return handles
