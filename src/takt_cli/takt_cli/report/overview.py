# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The overview picture of a demo: misses and stale executions, and a timeline of each executor that shows why."""

from __future__ import annotations

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from takt_cli.report.plots import Executors, draw_misses, draw_stale, extra_height
from takt_cli.report.style import COLOURS, canvas, to_svg
from takt_cli.report.timeline import Stretch, draw_timeline

_WIDTH, _TOP = 9.0, 2.0


def overview(executors: Executors, stretches: dict[str, Stretch]) -> str:
    """Return the picture as an SVG document: bars of misses and stale executions, and a timeline of each executor."""
    rows = [0.32 + 0.105 * len(stretch.application.tasks) for stretch in stretches.values()]
    top = _TOP + extra_height(executors)
    with canvas(_WIDTH, top + sum(rows) + 0.35) as figure:
        grid = figure.add_gridspec(1 + len(rows), 2, height_ratios=[top, *rows])
        misses_axes, stale_axes = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        draw_misses(misses_axes, executors)
        draw_stale(stale_axes, executors)
        stale_axes.set_yticklabels([])
        for i, (name, stretch) in enumerate(stretches.items()):
            axes = figure.add_subplot(grid[1 + i, :])
            draw_timeline(axes, stretch, COLOURS[name], size=5.5)
            axes.set_title(name, color=COLOURS[name])
        axes.set_xlabel("ms")
        figure.legend(handles=_marks(), loc="outside lower left", ncols=5, handlelength=1, columnspacing=1.4)
        return to_svg(figure, "Missed deadlines and stale executions by executor, and a timeline of each run")


def _marks() -> list[Patch | Line2D]:
    def mark(shape: str, colour: str, label: str) -> Line2D:
        return Line2D([], [], linestyle="", marker=shape, markersize=4, color=COLOURS[colour], label=label)

    return [
        Patch(facecolor=COLOURS["muted"], label="running (in the executor's colour)"),
        Patch(facecolor=COLOURS["waiting"], label="released, waiting"),
        Patch(facecolor=COLOURS["late"], label="running, finished late"),
        mark("x", "late", "skipped"),
        mark("D", "stale", "stale: started on old data"),
    ]
