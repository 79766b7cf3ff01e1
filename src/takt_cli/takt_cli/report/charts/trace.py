# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts of `takt trace plot`: for each chosen job a timeline of its processor around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from takt_cli.chart.axis import Axis, Tick, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Limit, Mark, Points, Shape
from takt_cli.report.values import format_number
from takt_cli.results.sample_files import Ints
from takt_cli.traces.jobs import NEVER, Activity, Jobs, Slices
from takt_cli.traces.misses import MissedJob
from takt_cli.traces.stolen_time import StolenTime
from takt_cli.traces.summary import TraceAnalysis

_MS = 1e6
_BAR = 0.62
_BARS = {"released, unfinished": "waiting", "other jobs": "takt", "this job": "late", "other threads, the host": "host"}
_WIDTH, _ROW, _HEIGHT, _LINE = 8.4, 0.22, 0.85, 0.16
# A line of a title has about this number of letters.
_LETTERS = 95
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

    def x(self, instant: int) -> float:
        """Return the place of an instant, in ms from the release."""
        return (instant - self.release) / _MS


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


def trace_chart(analysis: TraceAnalysis, scenes: list[Scene]) -> Chart:
    """Return the picture: a panel for each scene, with a row for the processor and each task."""
    holes = "; ".join(analysis.trace.holes)
    panels = [_panel(analysis, scene, is_last=scene is scenes[-1]) for scene in scenes]
    return Chart(
        "; ".join(scene.title for scene in scenes),
        [[panel] for panel in panels],
        _WIDTH,
        warning=f"incomplete trace: {holes}" if holes else "",
        key_columns=7,
    )


def _tasks_of(jobs: Jobs, analysis: TraceAnalysis, scene: Scene) -> list[int]:
    """Return the tasks of the scene's processor that have one of these jobs, most urgent first. The scene's own task is
    always among them."""
    first = analysis.trace.processor_of(scene.task)
    level = {task: int(jobs.level[jobs.task == task].max()) for task in np.unique(jobs.task).tolist()}
    tasks_of_processor = [task for task in level if analysis.trace.processor_of(task) == first]
    tasks_of_processor.sort(key=lambda task: (task != scene.task, -level[task], task))
    return sorted(tasks_of_processor[:_ROWS], key=lambda task: (-level[task], task))


def _jobs_within(analysis: TraceAnalysis, scene: Scene) -> Jobs:
    jobs = analysis.jobs
    end = np.where(jobs.finish >= 0, jobs.finish, np.where(jobs.skipped >= 0, jobs.release, NEVER))
    return jobs.select((jobs.release < scene.end) & (jobs.release >= 0) & (end >= scene.begin))


def _panel(analysis: TraceAnalysis, scene: Scene, is_last: bool) -> Panel:
    trace, jobs = analysis.trace, _jobs_within(analysis, scene)
    row = {task: y for y, task in enumerate(_tasks_of(jobs, analysis, scene), 1)}
    bars = _bars(jobs, analysis, scene, row)
    marks: list[Mark] = []
    for name, colour in _BARS.items():
        clipped = ((y, max(begin, scene.begin), min(end, scene.end)) for y, begin, end in bars[colour])
        wide = [each for each in clipped if each[2] - each[1] > _LEAST_WIDTH * (scene.end - scene.begin)]
        begins, lengths = [scene.x(begin) for _, begin, _ in wide], [(end - begin) / _MS for _, begin, end in wide]
        marks.append(Bars([y for y, *_ in wide], lengths, begins, _BAR, horizontal=True, name=name, colour=colour))
    processor = trace.processors.get(trace.processor_of(scene.task))
    rows = [Tick(0, f"CPU {processor.cpu}" if processor is not None else "CPU")]
    rows += [Tick(y, trace.task_name(task), "late", bold=task == scene.task) for task, y in row.items()]
    x = Axis(
        "time from the release of the job in the title, ms" * is_last, low=scene.x(scene.begin), high=scene.x(scene.end)
    )
    marks += [*_instants(jobs, scene, row), Limit(0.5, dash="solid", width=0.6, colour="line")]
    height = _HEIGHT + _ROW * len(rows) + _LINE * (len(scene.title) // _LETTERS)
    return Panel(marks, scene.title, x, rows_axis(rows), height)


def _bars(
    jobs: Jobs, analysis: TraceAnalysis, scene: Scene, row: dict[int, int]
) -> dict[str, list[tuple[int, int, int]]]:
    """Return bars by colour, each as its row, of which the processor has the first, and its instants in ns."""
    trace, slices = analysis.trace, analysis.slices
    jobs = jobs.select(jobs.skipped < 0)
    ends = np.where(jobs.finish >= 0, jobs.finish, scene.end)
    waiting = [
        (row[task], begin, end)
        for task, begin, end in zip(jobs.task.tolist(), jobs.release.tolist(), ends.tolist(), strict=True)
        if task in row
    ]
    within = (slices.end > scene.begin) & (slices.begin < scene.end) & (slices.activity != Activity.comes)
    slices = slices.select(within)
    is_own = (slices.task == scene.task) & (slices.index == np.uint64(scene.index))
    is_here = slices.first_task == trace.processor_of(scene.task)
    bars: dict[str, list[tuple[int, int, int]]] = {"waiting": waiting}
    for colour, chosen in (("takt", ~is_own), ("late", is_own)):
        bars[colour] = _of_tasks(slices.select(chosen), row)
        bars[colour] += [(0, *span) for span in _spans(slices.select(chosen & is_here))]
    # What other threads or the host took from running jobs is drawn over these.
    stolen = _stolen(analysis, scene)
    taken = [
        (y, max(begin, a), min(end, b))
        for y, begin, end in _of_tasks(slices, row)
        for a, b in stolen
        if begin < b and a < end
    ]
    return bars | {"host": [*((0, *span) for span in stolen), *taken]}


def _stolen(analysis: TraceAnalysis, scene: Scene) -> list[tuple[int, int]]:
    traced = analysis.traced
    processor = traced.trace.processors.get(traced.trace.processor_of(scene.task))
    if processor is None:
        return []
    thefts = StolenTime(processor.cpu, traced.stalls, traced.kernel, traced.workers)
    return list(thefts.intervals(scene.begin, scene.end))


def _of_tasks(slices: Slices, row: dict[int, int]) -> list[tuple[int, int, int]]:
    return [(row[task], *span) for task, span in zip(slices.task.tolist(), _spans(slices), strict=True) if task in row]


def _spans(slices: Slices) -> Iterable[tuple[int, int]]:
    return zip(slices.begin.tolist(), slices.end.tolist(), strict=True)


def _instants(jobs: Jobs, scene: Scene, row: dict[int, int]) -> list[Mark]:
    jobs = jobs.select(np.isin(jobs.task, list(row)))
    is_skipped, is_own = jobs.skipped >= 0, jobs.task == scene.task
    is_bound = (jobs.deadline >= 0) & (jobs.deadline < NEVER)

    def points(
        instants: Ints, chosen: npt.NDArray[np.bool_], up: float, shape: Shape, size: float, colour: str, name: str = ""
    ) -> Points:
        chosen = chosen & (instants >= scene.begin) & (instants <= scene.end)
        y = [row[task] + up for task in jobs.task[chosen].tolist()]
        return Points([scene.x(at) for at in instants[chosen].tolist()], y, shape, size, name=name, colour=colour)

    return [
        points(jobs.release, ~is_skipped, 0.36, "triangle", 4, "ink", "release"),
        points(jobs.deadline, is_bound & ~is_own, 0, "tick", 9, "muted", "deadline"),
        points(jobs.deadline, is_bound & is_own, 0, "tick", 9, "late"),
        points(jobs.release, is_skipped, 0, "cross", 5, "late", "skipped"),
    ]
