# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots that compare executors side by side. Each public function turns figures by executor into one SVG document."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from takt_cli.analysis.percentiles import Samples
from takt_cli.report.formatting import format_count, format_number, format_share
from takt_cli.report.style import COLOURS, plot, to_svg

Executors = dict[str, dict[str, Any]]

_WIDTH, _HEIGHT = 4.7, 2.15
_BAR = 0.56
# Each bar needs a row for two lines of text. _HEIGHT is enough for _ROWS_WITHIN rows; each further one adds _ROW.
_ROWS_WITHIN, _ROW = 3, 0.4


def extra_height(executors: Executors) -> float:
    """Return by how many inches a plot of these executors must exceed the height that is enough for three rows."""
    return _ROW * max(len(executors) - _ROWS_WITHIN, 0)


def misses(executors: Executors) -> str:
    """Plot the share of releases that missed their deadlines, by kind of miss."""
    with plot(_WIDTH, _HEIGHT + extra_height(executors)) as (figure, axes):
        draw_misses(axes, executors)
        return to_svg(figure, "Missed deadlines, share of releases by executor")


def stale(executors: Executors) -> str:
    """Plot the share of stale executions among the jobs that read a topic."""
    with plot(_WIDTH, _HEIGHT + extra_height(executors)) as (figure, axes):
        draw_stale(axes, executors)
        return to_svg(figure, "Stale executions, share of reading jobs by executor")


def dispatch(executors: Executors) -> str:
    """Plot the dispatch overhead, CPU time per job outside callbacks, by threads."""
    parts = [("executor", 1.0), ("middleware", 0.6), ("other", 0.3)]
    x_limit = 1.3 * max(max(e["dispatch_us"]["per_job"] or 0, 1) for e in executors.values())
    with plot(_WIDTH, _HEIGHT + extra_height(executors)) as (figure, axes):
        _rows(axes, executors, x_limit)
        for y, (name, metrics) in enumerate(executors.items()):
            cost = metrics["dispatch_us"]
            end = _stacked(axes, y, [(cost[key] or 0, COLOURS[name], alpha) for key, alpha in parts])
            _label(axes, (end, y), f"{format_number(cost['per_job'])} us", f"{format_count(cost['jobs'])} jobs")
        axes.set_title("Dispatch overhead, us of CPU per job")
        _key(axes, [(name, COLOURS["muted"], alpha) for name, alpha in parts])
        return to_svg(figure, "Dispatch overhead per job by executor")


def data_age(ages_ms: dict[str, Samples]) -> str:
    """Plot the cumulative distribution of data age: the share of jobs whose input was at most that old."""
    finite_ages = {name: np.sort(ages[np.isfinite(ages)]) for name, ages in ages_ms.items()}
    # The axis ends near the highest p99, since a few outliers would compress the curves; the table has the maxima.
    x_limit = max((1.05 * float(np.quantile(ages, 0.99)) for ages in finite_ages.values() if len(ages)), default=1.0)
    with plot(_WIDTH, _HEIGHT + 0.45) as (figure, axes):
        for name, ages in finite_ages.items():
            percent = np.arange(1, len(ages) + 1) / max(len(ages_ms[name]), 1) * 100
            kept_indices = _thin_indices(len(ages))
            axes.step(
                ages[kept_indices], percent[kept_indices], where="post", color=COLOURS[name], linewidth=1.6, label=name
            )
        axes.set_xlim(0, x_limit)
        axes.set_ylim(0, 102)
        axes.grid()
        axes.set_xlabel("ms from publication to the start of the job")
        axes.set_title("Data age, % of jobs with at most that age")
        axes.legend(loc="lower right")
        return to_svg(figure, "Distribution of data age by executor")


def draw_misses(axes: Axes, executors: Executors) -> None:
    """Draw the bars of `misses` into `axes`."""
    kinds = {"late": "late", "skipped": "skipped", "host": "either, during a stall of the host"}
    _rows(axes, executors, max(145 * max(e["miss_ratio"] or 0 for e in executors.values()), 1.0))
    for y, metrics in enumerate(executors.values()):
        host, skipped = metrics["host_misses"], metrics["skipped"] - metrics["host_skipped"]
        parts = {"late": metrics["deadline_misses"] - skipped - host, "skipped": skipped, "host": host}
        scale = 100 / max(metrics["jobs"], 1)
        end = _stacked(axes, y, [(n * scale, COLOURS[kind], 1.0) for kind, n in parts.items()])
        bold_text = format_share(metrics["deadline_misses"], metrics["jobs"])
        _label(
            axes, (end, y), bold_text, f"{format_count(metrics['deadline_misses'])} of {format_count(metrics['jobs'])}"
        )
    axes.set_title("Missed deadlines, % of all releases")
    _key(axes, [(label, COLOURS[kind], 1.0) for kind, label in kinds.items()])


def draw_stale(axes: Axes, executors: Executors) -> None:
    """Draw the bars of `stale` into `axes`."""
    _rows(axes, executors, 145.0)
    for y, metrics in enumerate(executors.values()):
        end = _stacked(axes, y, [(100 * (metrics["stale_ratio"] or 0), COLOURS["stale"], 1.0)])
        _label(
            axes,
            (end, y),
            format_share(metrics["stale"], metrics["stale_n"]),
            f"{format_count(metrics['stale'])} of {format_count(metrics['stale_n'])}",
        )
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_title("Stale executions, % of the jobs that read a topic")
    _key(axes, [("a newer message had been published", COLOURS["stale"], 1.0)])


def _rows(axes: Axes, executors: Executors, x_limit: float) -> None:
    axes.set_yticks(range(len(executors)), list(executors), fontweight="bold")
    for label, name in zip(axes.get_yticklabels(), executors, strict=True):
        label.set_color(COLOURS.get(name, COLOURS["ink"]))
    axes.set_ylim(len(executors) - 0.45, -0.55)
    axes.set_xlim(0, x_limit)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")


def _stacked(axes: Axes, y: int, parts: list[tuple[float, str, float]]) -> float:
    """Draw bars of (width, colour, alpha) end to end, and return where the last one ends."""
    bar_begin = 0.0
    for width, colour, alpha in parts:
        if width > 0:
            axes.barh(y, width, _BAR, left=bar_begin, color=colour, alpha=alpha, linewidth=0)
            bar_begin += width
    return bar_begin


def _label(axes: Axes, position: tuple[float, int], bold_text: str, weak: str) -> None:
    x = position[0] + axes.get_xlim()[1] * 0.015
    axes.text(x, position[1] - 0.02, bold_text, va="bottom", fontweight="bold", fontsize=9)
    axes.text(x, position[1] + 0.04, weak, va="top", fontsize=7.5, color=COLOURS["muted"])


def _key(axes: Axes, entries: list[tuple[str, str, float]]) -> None:
    """Add a legend of the colours below the plot."""
    axes.legend(
        handles=[Patch(facecolor=colour, alpha=alpha, linewidth=0, label=name) for name, colour, alpha in entries],
        loc="upper left",
        bbox_to_anchor=(0, -0.17),
        ncols=len(entries),
        handlelength=1,
        handleheight=1,
        columnspacing=1.4,
        borderaxespad=0,
    )


def _thin_indices(n: int, max_points: int = 400) -> npt.NDArray[np.int64]:
    """Return at most about `max_points` indices spread evenly over n ranks, both ends and the last 50 ranks
    included."""
    if n <= max_points:
        return np.arange(n)
    return np.unique(np.concatenate([np.linspace(0, n - 1, max_points).astype(np.int64), np.arange(n - 50, n)]))
