# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Pictures of `takt trace plot`: for each chosen job a timeline of its processor around it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from takt_cli.analysis.stolen_time import StolenTime
from takt_cli.analysis.trace_jobs import NEVER, Activity, Ints, Jobs, Slices
from takt_cli.analysis.trace_misses import MissedJob
from takt_cli.analysis.trace_summary import TraceAnalysis
from takt_cli.report.formatting import format_number
from takt_cli.report.style import COLOURS, canvas, to_svg

_MS = 1e6
_BAR = 0.62
_WIDTH, _ROW, _PANEL, _LINE, _KEY = 8.4, 0.22, 0.55, 0.16, 0.8
# Titles are wrapped at this number of characters.
_LETTERS = 100
# The time shown before the release and after the finish, as a share of the time between them.
_AROUND = 0.25
# A deadline that was met is drawn if it is no further from the release than this many response times.
_DEADLINE_WITHIN = 10
# The greatest number of tasks drawn, most urgent first; the number of causes in a title, and the share of the
# response time that a cause must have to be named.
_ROWS, _MAX_NAMED, _LARGE = 24, 3, 0.01
# The time shown for a job that took no time and has no period, ns.
_UNKNOWN = 10_000_000
# Bars narrower than this share of the picture's width are not drawn.
_LEAST_WIDTH = 1 / 4000


@dataclass(frozen=True)
class Scene:
    """A job, and the stretch of time to be drawn around it, in ns. `title` is the title."""

    task: int
    index: int
    release: int
    begin: int
    end: int
    title: str


def scene_of_miss(analysis: TraceAnalysis, missed: MissedJob) -> Scene:
    """Return the scene of a missed deadline or skipped job, with the main causes in its title."""
    late = missed.finish - missed.deadline if missed.kind == "late" else None
    kind_text = f"{format_number(late / _MS)} ms late" if late is not None else missed.kind
    total_time = sum(part.ns for part in missed.parts)
    large_parts = [part for part in missed.parts if part.kind != "ran" and part.ns >= _LARGE * total_time]
    part_texts = [f"{part.description()} {format_number(part.ns / _MS)}" for part in large_parts[:_MAX_NAMED]]
    if missed.kind == "skipped" and part_texts:
        part_texts[0] = f"previous job: {part_texts[0]}"
    words = f"{analysis.trace.task_name(missed.task)} #{missed.index}, {kind_text}"
    words += f": {', '.join(part_texts)} ms" if part_texts else ""
    begin = missed.release
    end = missed.finish if missed.finish >= 0 else begin + total_time
    if missed.kind == "skipped":
        # The release was skipped because the previous job was unfinished, so the time of that job is shown.
        begin, end = begin - total_time, begin
    if end <= begin:
        task = analysis.trace.tasks.get(missed.task)
        end = begin + (task.period if task is not None and task.period > 0 else _UNKNOWN)
    return _scene(missed.task, missed.index, missed.release, (begin, max(end, begin + 1)), words)


def scene_of_job(analysis: TraceAnalysis, job: int) -> Scene:
    """Return the scene of the job at index `job` of `analysis.jobs`, whether it was late or not."""
    jobs = analysis.jobs
    task, index, release = int(jobs.task[job]), int(jobs.index[job]), int(jobs.release[job])
    for missed in analysis.missed:
        if (missed.task, missed.index) == (task, index):
            return scene_of_miss(analysis, missed)
    finish, deadline = int(jobs.finish[job]), int(jobs.deadline[job])
    words = f"{analysis.trace.task_name(task)} #{index}"
    if finish >= 0:
        words += f", finished {format_number((finish - release) / _MS)} ms after its release"
        words += f", {format_number((deadline - finish) / _MS)} ms before its deadline" if 0 <= deadline < NEVER else ""
    end = max(finish, release + 1)
    if 0 <= deadline < NEVER and deadline - release <= _DEADLINE_WITHIN * (end - release):
        end = max(end, deadline)
    return _scene(task, index, release, (release, end), words)


def _scene(task: int, index: int, release: int, span: tuple[int, int], title: str) -> Scene:
    margin = int(_AROUND * (span[1] - span[0]))
    return Scene(task, index, release, span[0] - margin, span[1] + margin, title)


def trace_timeline(analysis: TraceAnalysis, scenes: list[Scene]) -> str:
    """Return the picture as an SVG document: a panel for each scene, with a row for the processor and each task."""
    rows = [_tasks_within(analysis, scene) for scene in scenes]
    titles = [textwrap.fill(scene.title, _LETTERS) for scene in scenes]
    heights = [
        _PANEL + _ROW * (1 + len(tasks)) + _LINE * (1 + title.count("\n"))
        for tasks, title in zip(rows, titles, strict=True)
    ]
    with canvas(_WIDTH, sum(heights) + _KEY) as figure:
        panels = figure.subplots(len(scenes), 1, squeeze=False, height_ratios=heights)
        for axes, scene, tasks, title in zip(panels[:, 0], scenes, rows, titles, strict=True):
            _Panel(axes, analysis, scene, tasks).draw()
            axes.set_title(title, fontsize=8.5)
        panels[-1, 0].set_xlabel("time from the release of the job in the title, ms")
        if holes := "; ".join(analysis.trace.holes):
            figure.suptitle(f"incomplete trace: {holes}", fontsize=8.5, color=COLOURS["late"], x=0.01, ha="left")
        figure.legend(handles=_handles(), loc="outside lower left", ncols=7, columnspacing=1.2, handlelength=1.2)
        return to_svg(figure, "; ".join(scene.title for scene in scenes))


def _tasks_within(analysis: TraceAnalysis, scene: Scene) -> list[int]:
    """Return the tasks of the scene's processor that ran or were released in it, most urgent first.

    The scene's own task is always among them.
    """
    jobs, first = _jobs_within(analysis, scene), analysis.trace.processor_of(scene.task)
    level = {task: int(jobs.level[jobs.task == task].max()) for task in np.unique(jobs.task).tolist()}
    tasks_of_processor = [task for task in level if analysis.trace.processor_of(task) == first]
    tasks_of_processor.sort(key=lambda task: (task != scene.task, -level[task], task))
    return sorted(tasks_of_processor[:_ROWS], key=lambda task: (-level[task], task))


def _jobs_within(analysis: TraceAnalysis, scene: Scene) -> Jobs:
    jobs = analysis.jobs
    end = np.where(jobs.finish >= 0, jobs.finish, np.where(jobs.skipped >= 0, jobs.release, NEVER))
    return jobs.select((jobs.release < scene.end) & (jobs.release >= 0) & (end >= scene.begin))


class _Panel:
    """Draws one scene into its axes."""

    def __init__(self, axes: Axes, analysis: TraceAnalysis, scene: Scene, tasks: list[int]) -> None:
        self._axes, self._analysis, self._scene = axes, analysis, scene
        self._row = {task: y for y, task in enumerate(tasks, 1)}
        self._narrow = (scene.end - scene.begin) * _LEAST_WIDTH

    def draw(self) -> None:
        """Draw the panel."""
        scene, axes, trace = self._scene, self._axes, self._analysis.trace
        self._waiting()
        self._running()
        self._thefts()
        self._instants()
        processor = trace.processors.get(trace.processor_of(scene.task))
        cpu = f"CPU {processor.cpu}" if processor is not None else "CPU"
        axes.set_yticks(range(len(self._row) + 1), [cpu, *(trace.task_name(task) for task in self._row)])
        axes.get_yticklabels()[self._row[scene.task]].set(fontweight="bold", color=COLOURS["late"])
        axes.axhline(0.5, color=COLOURS["line"], linewidth=0.6)
        axes.set_ylim(len(self._row) + 0.6, -0.6)
        axes.set_xlim(self._x(scene.begin), self._x(scene.end))
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)

    def _x(self, instant: int) -> float:
        return (instant - self._scene.release) / _MS

    def _bars(self, y: float, spans: Iterable[tuple[int, int]], colour: str, height: float = _BAR) -> None:
        scene = self._scene
        clipped = ((max(begin, scene.begin), min(end, scene.end)) for begin, end in spans)
        bars = [(self._x(begin), (end - begin) / _MS) for begin, end in clipped if end - begin > self._narrow]
        self._axes.broken_barh(bars, (y - height / 2, height), facecolor=COLOURS[colour], linewidth=0)

    def _waiting(self) -> None:
        jobs = _jobs_within(self._analysis, self._scene)
        jobs = jobs.select(jobs.skipped < 0)
        for task, y in self._row.items():
            jobs_of_task = jobs.select(jobs.task == task)
            ends = np.where(jobs_of_task.finish >= 0, jobs_of_task.finish, self._scene.end)
            self._bars(y, zip(jobs_of_task.release.tolist(), ends.tolist(), strict=True), "waiting")

    def _running(self) -> None:
        scene, slices = self._scene, self._analysis.slices
        slices_within = slices.select(
            (slices.end > scene.begin) & (slices.begin < scene.end) & (slices.activity != Activity.comes)
        )
        is_scene_job = (slices_within.task == scene.task) & (slices_within.index == np.uint64(scene.index))
        first = self._analysis.trace.processor_of(scene.task)
        for drawn_slices, colour in (
            (slices_within.select(~is_scene_job), "takt"),
            (slices_within.select(is_scene_job), "late"),
        ):
            for task, y in self._row.items():
                self._bars(y, _spans(drawn_slices.select(drawn_slices.task == task)), colour)
            self._bars(0, _spans(drawn_slices.select(drawn_slices.first_task == first)), colour)

    def _thefts(self) -> None:
        """Draw over the running jobs the time that other threads or the host took from them."""
        scene, traced = self._scene, self._analysis.traced
        processor = traced.trace.processors.get(traced.trace.processor_of(scene.task))
        if processor is None:
            return
        thefts = StolenTime(processor.cpu, traced.stalls, traced.kernel, traced.workers)
        stolen_intervals = thefts.intervals(scene.begin, scene.end)
        self._bars(0, stolen_intervals, "host")
        slices = self._analysis.slices
        slices_within = slices.select(
            (slices.end > scene.begin) & (slices.begin < scene.end) & (slices.activity != Activity.comes)
        )
        for task, y in self._row.items():
            spans = list(_spans(slices_within.select(slices_within.task == task)))
            overlaps = [(max(a, c), min(b, d)) for a, b in spans for c, d in stolen_intervals if a < d and c < b]
            self._bars(y, overlaps, "host")

    def _instants(self) -> None:
        jobs = _jobs_within(self._analysis, self._scene)
        for task, y in self._row.items():
            jobs_of_task = jobs.select(jobs.task == task)
            is_skipped = jobs_of_task.skipped >= 0
            self._mark(y + 0.36, jobs_of_task.release[~is_skipped], "^", "ink", 3)
            self._mark(y, jobs_of_task.release[is_skipped], "x", "late", 5)
            bound = jobs_of_task.deadline[(jobs_of_task.deadline >= 0) & (jobs_of_task.deadline < NEVER)]
            self._mark(y, bound, "|", "late" if task == self._scene.task else "muted", 9)

    def _mark(self, y: float, instants: Ints, marker: str, colour: str, size: float) -> None:
        scene = self._scene
        instants_within = instants[(instants >= scene.begin) & (instants <= scene.end)]
        xs = [self._x(int(at)) for at in instants_within]
        self._axes.plot(xs, [y] * len(xs), marker, color=COLOURS[colour], markersize=size, linestyle="")


def _spans(slices: Slices) -> Iterable[tuple[int, int]]:
    return zip(slices.begin.tolist(), slices.end.tolist(), strict=True)


def _handles() -> list[Patch | Line2D]:
    words = (("late", "this job"), ("takt", "other jobs"), ("waiting", "released, unfinished"))
    bars: list[Patch | Line2D] = [Patch(facecolor=COLOURS[name], linewidth=0, label=label) for name, label in words]
    bars.append(Patch(facecolor=COLOURS["host"], linewidth=0, label="other threads, the host"))
    marks = (("^", "ink", "release"), ("|", "muted", "deadline"), ("x", "late", "skipped"))
    lines = (
        Line2D([], [], marker=marker, color=COLOURS[colour], linestyle="", label=label)
        for marker, colour, label in marks
    )
    return [*bars, *lines]
