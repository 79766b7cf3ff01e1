# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plots that lay executors side by side. Each function: figures to one SVG document."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from takt_cli.analysis.percentiles import Samples
from takt_cli.report.style import COLOURS, plot, to_svg
from takt_cli.report.words import count, number, share

_WIDTH = 4.7
_BAR = 0.56


def _rows(axes: Axes, names: list[str], right: float) -> None:
    axes.set_yticks(range(len(names)), names, fontweight="bold")
    for label, name in zip(axes.get_yticklabels(), names, strict=True):
        label.set_color(COLOURS.get(name, COLOURS["ink"]))
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlim(0, right)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")


def _stacked(axes: Axes, y: int, parts: list[tuple[float, str]]) -> float:
    left = 0.0
    for width, colour in parts:
        if width > 0:
            axes.barh(y, width, _BAR, left=left, color=colour, linewidth=0)
            left += width
    return left


def _key(axes: Axes, entries: list[tuple[str, str, float]]) -> None:
    """What the colours mean, below the plot."""
    handles = [Patch(facecolor=colour, alpha=alpha, linewidth=0, label=name) for name, colour, alpha in entries]
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, -0.17),
        ncols=len(entries),
        handlelength=1,
        handleheight=1,
        columnspacing=1.4,
        borderaxespad=0,
    )


def misses(executors: dict[str, dict[str, Any]]) -> str:
    """Share of all releases that missed, by kind."""
    kinds = [("late", "late"), ("skipped", "skipped"), ("host", "overlap a stall of the host")]
    widest = max(100 * (e["miss_ratio"] or 0) for e in executors.values())
    right = max(widest * 1.45, 1.0)
    with plot(_WIDTH, 2.1) as (figure, axes):
        _rows(axes, list(executors), right)
        for y, e in enumerate(executors.values()):
            scale = 100 / max(e["jobs"], 1)
            host = e["host_misses"]
            skipped = e["skipped"] - e["host_skipped"]
            late = e["deadline_misses"] - skipped - host
            end = _stacked(
                axes,
                y,
                [
                    (late * scale, COLOURS["late"]),
                    (skipped * scale, COLOURS["skipped"]),
                    (host * scale, COLOURS["host"]),
                ],
            )
            _label(
                axes,
                end,
                y,
                right,
                share(e["deadline_misses"], e["jobs"]),
                f"{count(e['deadline_misses'])} of {count(e['jobs'])}",
            )
        axes.set_title("Missed deadlines, % of all releases")
        _key(axes, [(label, COLOURS[kind], 1.0) for kind, label in kinds])
        return to_svg(figure, "Missed deadlines, share of releases by executor")


def stale(executors: dict[str, dict[str, Any]]) -> str:
    """Share of the jobs that read a topic and started on old data."""
    right = 145.0
    with plot(_WIDTH, 2.1) as (figure, axes):
        _rows(axes, list(executors), right)
        for y, e in enumerate(executors.values()):
            end = _stacked(axes, y, [(100 * (e["stale_ratio"] or 0), COLOURS["stale"])])
            _label(
                axes, end, y, right, share(e["stale"], e["stale_n"]), f"{count(e['stale'])} of {count(e['stale_n'])}"
            )
        axes.set_xticks([0, 25, 50, 75, 100])
        axes.set_title("Ran on old data, % of the jobs that read a topic")
        return to_svg(figure, "Stale executions, share of reading jobs by executor")


def _label(axes: Axes, end: float, y: int, right: float, strong: str, weak: str) -> None:
    axes.text(end + right * 0.015, y - 0.02, strong, va="bottom", fontweight="bold", fontsize=9)
    axes.text(end + right * 0.015, y + 0.04, weak, va="top", fontsize=7.5, color=COLOURS["muted"])


def dispatch(executors: dict[str, dict[str, Any]]) -> str:
    """CPU time per job beside the callback, by whose thread."""
    parts = [("executor", 1.0), ("middleware", 0.6), ("other", 0.3)]
    right = 1.3 * max(max(e["dispatch_us"]["per_job"] or 0, 1) for e in executors.values())
    with plot(_WIDTH, 2.1) as (figure, axes):
        _rows(axes, list(executors), right)
        for y, (name, e) in enumerate(executors.items()):
            left = 0.0
            for key, alpha in parts:
                width = max(e["dispatch_us"][key] or 0, 0)
                axes.barh(y, width, _BAR, left=left, color=COLOURS[name], alpha=alpha, linewidth=0)
                left += width
            _label(
                axes,
                left,
                y,
                right,
                f"{number(e['dispatch_us']['per_job'])} us",
                f"{count(e['dispatch_us']['n'])} jobs",
            )
        axes.set_title("Dispatch overhead, us of CPU per job")
        _key(axes, [(name, COLOURS["muted"], alpha) for name, alpha in parts])
        return to_svg(figure, "Dispatch overhead per job by executor")


def data_age(ages_ms: dict[str, Samples]) -> str:
    """How old the data was that jobs started on: the share of jobs whose input was at most so old."""
    with plot(_WIDTH, 2.6) as (figure, axes):
        ends = []
        for name, ages in ages_ms.items():
            finite = np.sort(ages[np.isfinite(ages)])
            if len(finite) == 0:
                continue
            share_ = np.arange(1, len(finite) + 1) / len(ages) * 100
            keep = _thinned(len(finite))
            axes.step(finite[keep], share_[keep], where="post", color=COLOURS[name], linewidth=1.6, label=name)
            ends.append(finite[-1])
        axes.set_xlim(0, max(ends, default=1.0) * 1.02)
        axes.set_ylim(0, 102)
        axes.grid()
        axes.set_xlabel("ms between publishing and the start of the job that used it")
        axes.set_title("Age of the data, % of jobs at most so old")
        axes.legend(loc="lower right")
        return to_svg(figure, "Distribution of data age by executor")


def _thinned(n: int, most: int = 400) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Places evenly through the ranks, with both ends and the whole tail."""
    if n <= most:
        return np.arange(n)
    return np.unique(np.concatenate([np.linspace(0, n - 1, most).astype(np.int64), np.arange(n - 50, n)]))
