# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Timelines as SVG: when each job ran, one row for each task, the most urgent on top."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from takt_cli.analysis.grid import Fate, Ints, Outcomes
from takt_cli.analysis.sample_files import Rows
from takt_cli.report.style import COLOURS, plot, to_svg
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration

_MS = 1e6
_ROW = 0.62


@dataclass(frozen=True)
class Stretch:
    """A part of a run to be drawn, from `begin` to `end` in ns of the run's clock."""

    application: Application
    outcomes: Outcomes
    slices: Rows
    begin: int
    end: int
    stale: set[tuple[int, int]] = field(default_factory=set)
    """The stale jobs, as (task, index of the job)."""


def timeline(stretch: Stretch, colour: str, title: str) -> str:
    """Return the timeline of the stretch as an SVG document."""
    count = len(stretch.application.tasks)
    with plot(7.6, 0.9 + 0.17 * count) as (figure, axes):
        draw_timeline(axes, stretch, colour)
        axes.set_xlabel("ms")
        axes.set_title(title)
        return to_svg(figure, f"{title}: timeline of {count} tasks")


def draw_timeline(axes: Axes, stretch: Stretch, colour: str, size: float = 7.5) -> None:
    """Draw the timeline into `axes`. `size` is the font size of the tasks' names.

    Jobs are filled while they run, pale while released and waiting, and red if they finish late. A cross marks a
    skipped job, a yellow diamond one that started on old data.
    """
    tasks = sorted(stretch.application.tasks, key=lambda t: (t.callback.period, t.index))
    row = {task.index: i for i, task in enumerate(tasks)}
    out = stretch.outcomes.select(
        (stretch.outcomes.release < stretch.end) & (_known_end(stretch.outcomes) > stretch.begin)
    )
    waiting, late = _bars(out, stretch, row)
    for y, spans in waiting.items():
        axes.broken_barh(spans, (y - _ROW / 2, _ROW), facecolor=COLOURS["waiting"], linewidth=0)
    for is_late, face in ((False, colour), (True, COLOURS["late"])):
        for y, spans in _running(stretch, row, late, is_late).items():
            axes.broken_barh(spans, (y - _ROW / 2, _ROW), facecolor=face, linewidth=0)
    _marks(axes, out, stretch, row)
    axes.set_xlim(0, (stretch.end - stretch.begin) / _MS)
    axes.set_ylim(len(tasks) - 0.4, -0.6)
    axes.set_yticks(range(len(tasks)), [t.id.partition("/")[0] for t in tasks], fontsize=size)
    _periods(axes, [format_duration(t.callback.period) for t in tasks])
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)


def _known_end(out: Outcomes) -> Ints:
    return np.where(out.finish >= 0, out.finish, out.deadline)


def _bars(
    out: Outcomes, stretch: Stretch, row: dict[int, int]
) -> tuple[dict[int, list[tuple[float, float]]], set[tuple[int, int]]]:
    """Return by row the spans from release to finish, and the set of late jobs."""
    waiting: dict[int, list[tuple[float, float]]] = {}
    executed = out.select(out.begin >= 0)
    for task, release, end in zip(executed.task, executed.release, _known_end(executed), strict=True):
        span = _clip(int(release), int(end), stretch)
        waiting.setdefault(row[int(task)], []).append(span)
    late = out.select(np.isin(out.fate, (Fate.late, Fate.unfinished)))
    return waiting, set(zip(late.task.tolist(), late.index.tolist(), strict=True))


def _running(
    stretch: Stretch, row: dict[int, int], late: set[tuple[int, int]], is_late: bool
) -> dict[int, list[tuple[float, float]]]:
    spans: dict[int, list[tuple[float, float]]] = {}
    slices_within = stretch.slices[(stretch.slices["to"] > stretch.begin) & (stretch.slices["from"] < stretch.end)]
    for task, index, begin, end in slices_within.tolist():
        if ((task, index) in late) == is_late:
            spans.setdefault(row[task], []).append(_clip(begin, end, stretch))
    return spans


def _clip(begin: int, end: int, stretch: Stretch) -> tuple[float, float]:
    begin, end = max(begin, stretch.begin), min(end, stretch.end)
    return (begin - stretch.begin) / _MS, max(end - begin, 0) / _MS


def _marks(axes: Axes, out: Outcomes, stretch: Stretch, row: dict[int, int]) -> None:
    def points(mask: npt.NDArray[np.bool_], instants: Ints) -> tuple[list[float], list[int]]:
        mask = mask & (instants >= stretch.begin) & (instants < stretch.end)
        xs = ((instants[mask] - stretch.begin) / _MS).tolist()
        return xs, [row[int(task)] for task in out.task[mask]]

    x, y = points(out.fate == Fate.skipped, out.release)
    axes.plot(x, y, linestyle="", marker="x", markersize=4, markeredgewidth=1.2, color=COLOURS["late"])
    jobs = zip(out.task.tolist(), out.index.tolist(), strict=True)
    stale = np.array([job in stretch.stale for job in jobs], np.bool_)
    x, y = points(stale & (out.begin >= 0), out.begin)
    axes.plot(
        x,
        y,
        linestyle="",
        marker="D",
        markersize=3.4,
        color=COLOURS["stale"],
        markeredgecolor=COLOURS["ink"],
        markeredgewidth=0.5,
    )


def _periods(axes: Axes, labels: list[str]) -> None:
    """Write each period once, at the right of the rows of its tasks."""
    first = 0
    for i in range(1, len(labels) + 1):
        if i == len(labels) or labels[i] != labels[first]:
            if i < len(labels):
                axes.axhline(i - 0.5, color=COLOURS["line"], linewidth=0.6)
            axes.text(
                1.01,
                (first + i - 1) / 2,
                f"every\n{labels[first]}",
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=7.5,
                color=COLOURS["muted"],
            )
            first = i
