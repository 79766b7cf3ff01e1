# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Timelines: when each job ran, one row for each task, the most urgent on top."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from takt_cli.analysis.grid import Fate, Outcomes
from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Labels, Limit, Mark, Points, Spot
from takt_cli.report.values import format_number
from takt_cli.results.sample_files import Rows
from takt_cli.spec.application import Application, Task
from takt_cli.spec.units import format_duration

_MS = 1e6
_ROW = 0.62
_SKIPPED: dict[str, Any] = {"shape": "cross", "size": 4, "colour": "late"}
_STALE: dict[str, Any] = {"shape": "diamond", "size": 3.4, "colour": "stale", "edge": "ink"}
FATES: dict[int, str] = {
    Fate.on_time: "on time",
    Fate.late: "late",
    Fate.skipped: "skipped",
    Fate.unfinished: "not finished",
}


@dataclass(frozen=True)
class Job:
    """A job of which some part lies within a stretch. Instants are in ns, -1 if there is none."""

    task: int
    index: int
    release: int
    deadline: int
    begin: int
    finish: int
    fate: int
    """A `Fate`."""

    @property
    def key(self) -> tuple[int, int]:
        """The task and the index, by which slices and stale jobs are known."""
        return self.task, self.index

    @property
    def end(self) -> int:
        """The finish, or the deadline of a job that did not finish."""
        return self.finish if self.finish >= 0 else self.deadline


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

    @cached_property
    def tasks(self) -> list[Task]:
        """The tasks by period."""
        return sorted(self.application.tasks, key=lambda task: (task.callback.period, task.index))

    @cached_property
    def jobs(self) -> list[Job]:
        """The jobs of which some part lies within the stretch, in order of release."""
        out = self.outcomes
        ends = np.where(out.finish >= 0, out.finish, out.deadline)
        out = out.select((out.release < self.end) & (ends > self.begin))
        rows = np.column_stack([out.task, out.index, out.release, out.deadline, out.begin, out.finish, out.fate])
        order = np.lexsort((out.task, out.release))
        jobs = [Job(*row) for row in rows[order].tolist()]
        return [job for job in jobs if job.fate != Fate.skipped or job.release >= self.begin]


def timeline_chart(stretch: Stretch, colour: str, title: str) -> Chart:
    """Return the timeline of the stretch."""
    panel = timeline_panel(stretch, colour, title)
    return Chart(f"{title}: timeline of {len(stretch.tasks)} tasks", [[panel]], 7.6)


def timeline_panel(
    stretch: Stretch, colour: str, title: str, link: str = "", running: str = "running", size: float = 7.5
) -> Panel:
    """Return the timeline as a panel. `size` is the font size of the tasks' names, `link` where its points lead. Jobs
    are filled while they run, pale while released and waiting, and red if they finish late. A cross marks a skipped
    job, a yellow diamond one that started on old data."""
    row = {task.index: y for y, task in enumerate(stretch.tasks)}
    jobs = stretch.jobs
    texts = {job.key: _text(stretch, job) for job in jobs}
    late = {job.key for job in jobs if job.fate in (Fate.late, Fate.unfinished)}
    slices = stretch.slices[(stretch.slices["to"] > stretch.begin) & (stretch.slices["from"] < stretch.end)]
    pieces = [((task, index), begin, end) for task, index, begin, end in slices.tolist()]
    marks: list[Mark] = []
    for name, its_colour, shown in (
        ("released, waiting", "waiting", [(job.key, job.release, job.end) for job in jobs if job.begin >= 0]),
        (running, colour, [piece for piece in pieces if piece[0] not in late]),
        ("running, finished late", "late", [piece for piece in pieces if piece[0] in late]),
    ):
        clipped = [(key, max(begin, stretch.begin), min(end, stretch.end)) for key, begin, end in shown]
        spots = [Spot(row[key[0]], max(end - begin, 0) / _MS, texts.get(key, ""), link) for key, begin, end in clipped]
        begins = [(begin - stretch.begin) / _MS for _, begin, _ in clipped]
        marks.append(Bars.of(spots, begins, _ROW, horizontal=True, name=name, colour=its_colour))
    skipped = [(job, job.release) for job in jobs if job.fate == Fate.skipped]
    stale = [(job, job.begin) for job in jobs if job.key in stretch.stale and stretch.begin <= job.begin < stretch.end]
    for marked, name, look in ((skipped, "skipped", _SKIPPED), (stale, "started on old data", _STALE)):
        spots = [Spot((at - stretch.begin) / _MS, row[job.task], texts[job.key], link) for job, at in marked]
        marks.append(Points.of(spots, name=name, **look))
    marks += _periods(stretch.tasks)
    names = [task.id.partition("/")[0] for task in stretch.tasks]
    axis = Axis("ms", low=0, high=(stretch.end - stretch.begin) / _MS)
    height = 0.9 + 0.17 * len(names)
    return Panel(marks, title, axis, rows_axis(names, size), height, key=None)


def _text(stretch: Stretch, job: Job) -> str:
    task = stretch.application.tasks[job.task]
    lines = [
        f"<b>{task.id}</b>, job {job.index}",
        f"released at {format_number((job.release - stretch.begin) / _MS)} ms",
    ]
    if job.begin >= 0:
        lines.append(f"started {format_number((job.begin - job.release) / _MS)} ms later")
    if job.finish >= 0:
        response = (job.finish - job.release) / _MS
        lines.append(f"response {format_number(response)} ms, deadline {format_duration(task.callback.deadline)}")
    lines.append(FATES.get(job.fate, "unfinished when the run ended"))
    if job.key in stretch.stale:
        lines.append("started on old data")
    return "<br>".join(lines)


def _periods(tasks: list[Task]) -> list[Mark]:
    """Return each period on the right, in the middle of the rows of its tasks, and borders between these."""
    rows = [(period, [y for y, _ in group]) for period, group in groupby(enumerate(tasks), _period)]
    borders = [Limit(ys[0] - 0.5, dash="solid", width=0.6, colour="line") for _, ys in rows[1:]]
    texts = [f"\nevery\n{format_duration(period)}" for period, _ in rows]
    return [*borders, Labels("right", [(ys[0] + ys[-1]) / 2 for _, ys in rows], texts=texts)]


def _period(row: tuple[int, Task]) -> int:
    return row[1].callback.period
