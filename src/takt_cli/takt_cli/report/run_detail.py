# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Details of single runs: figures by task, distributions of response times and data ages, and a timeline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from takt_cli.analysis.freshness import data_age
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import at_most
from takt_cli.chart.marks import Limit, Mark, Points, Spot
from takt_cli.chart.style import known_colour
from takt_cli.report.charts.demo import timeline_stretch
from takt_cli.report.charts.timeline import FATES, Job, Stretch, timeline_panel
from takt_cli.report.formatting import format_percentile, format_share
from takt_cli.report.plotly_page import Plot, Section, Table
from takt_cli.report.study import Study
from takt_cli.report.study_plots import spread_lines, value_axis
from takt_cli.report.texts import CHARTS, ChartText
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.spec.application import Application, Task
from takt_cli.spec.units import format_duration
from takt_cli.statistics.percentiles import Samples, percentiles

_MS = 1e6
_LEVELS = ("p50", "p90", "p99", "max")


def detail_sections(study: Study) -> list[Section]:
    """Return the sections: the distributions of all runs, then one section for each run."""
    analyses = {run.folder: RunAnalysis(read_result(run.folder)) for run in study.runs}
    ages = {run.folder: data_age(each.reads) / _MS for run, each in zip(study.runs, analyses.values(), strict=True)}
    responses = {folder: _responses(each) for folder, each in analyses.items()}
    curves = [
        _curves(study, responses, "response-ecdf", CHARTS["response times of a run"], "% of the deadline", 100),
        _curves(study, ages, "age-ecdf", CHARTS["data age of a run"], "ms"),
    ]
    sections = [Section("distributions", "Distributions", plots=[plot for plot in curves if plot is not None])]
    for number_, run in enumerate(study.runs, 1):
        sections.append(_section(study, run, analyses[run.folder], number_))
    return [section for section in sections if section.plots or section.tables]


def _section(study: Study, run: SetRun, analysis: RunAnalysis, number_: int) -> Section:
    application, place = study.application(run), study.link_to_run(run)
    tasks = sorted(application.tasks, key=lambda task: (task.callback.period, task.index))
    plots = [_tasks_plot(run, tasks, place, f"tasks-{number_}")]
    # A baseline on several CPUs does not record which job ran on which, so that its timeline cannot be drawn.
    if analysis.outcomes.stacked:
        plots.append(run_timeline(timeline_stretch(analysis), run.executor, place, f"timeline-{number_}"))
    return Section(
        f"detail-{number_}",
        f"{run.executor}, task by task",
        plots=plots,
        tables=[_tasks_table(run, application, tasks)],
    )


def _tasks_table(run: SetRun, application: Application, tasks: list[Task]) -> Table:
    summaries = {task.task: task for task in run.summary.tasks}
    levels = ("p50", "p99", "max")
    rows = [
        {
            "task": task.id,
            "period": format_duration(task.callback.period),
            "deadline": format_duration(task.callback.deadline),
            "WCET": format_duration(task.callback.wcet),
            "jobs": format_count(summary.jobs),
            "late": format_count(summary.late + summary.unfinished),
            "skipped": format_count(summary.skipped),
            "unforced": format_count(summary.unforced),
            "host": format_count(summary.host_misses),
            "stale": format_share(summary.stale, summary.stale_n),
            **{f"response {each}, ms": format_percentile(summary.response_ms, each) for each in levels},
            **{f"data age {each}, ms": format_percentile(summary.data_age_ms, each) for each in levels},
        }
        for task in tasks
        for summary in [summaries[task.id]]
    ]
    return Table.of(f"{application.name} under {run.executor}: its tasks", rows)


def _tasks_plot(run: SetRun, tasks: list[Task], link: str, id_: str) -> Plot:
    """Return a plot of each task's response times relative to its deadline."""
    summaries = {task.task: task for task in run.summary.tasks}
    strokes, rows = [], []
    dots: list[Spot] = []
    for y, task in enumerate(tasks):
        response_times, deadline = summaries[task.id].response_ms, task.callback.deadline / _MS
        figures = [format_percentile(response_times, level) for level in _LEVELS]
        rows.append((task.id, format_duration(task.callback.deadline), *figures))
        if response_times.max is None or response_times.p50 is None:
            continue
        middle, maximum = 100 * response_times.p50 / deadline, 100 * response_times.max / deadline
        p99_or_maximum = maximum if response_times.p99 is None else 100 * response_times.p99 / deadline
        strokes.append((y, middle, p99_or_maximum, maximum))
        figures_text = ", ".join(f"{level} {figure}" for level, figure in zip(_LEVELS, figures, strict=True))
        text = f"<b>{task.id}</b><br>{figures_text} ms<br>deadline {format_duration(task.callback.deadline)}"
        dots.append(Spot(maximum, y, text, link))
    marks = spread_lines(strokes, run.executor, ("p99 to the largest", "p50 to p99"))
    for name, colour, is_late in (("largest", known_colour(run.executor), False), ("largest, late", "late", True)):
        shown = [dot for dot in dots if (dot.x > 100) == is_late]
        marks.append(Points.of(shown, size=4.4, name=name * bool(shown), colour=colour))
    marks.append(Limit(100, "x", name="deadline", colour="late"))
    title = f"Response times of {run.executor} against the deadlines"
    table = Table(title, ("task", "deadline", *(f"{p}, ms" for p in _LEVELS)), rows)
    y_axis = rows_axis([task.id.partition("/")[0] for task in tasks])
    x_axis = value_axis("% of the deadline", [dot.x for dot in dots], 100)
    return Plot(
        id_,
        title,
        CHARTS["response times of tasks"].description,
        Chart.of(Panel(marks, title, x_axis, y_axis, 0.9 + 0.18 * len(tasks))),
        table,
        wide=True,
    )


def _curves(
    study: Study, samples: dict[Path, Samples], id_: str, text: ChartText, unit: str, limit: float | None = None
) -> Plot | None:
    """Return a plot of the cumulative distribution of each run's samples, or None if there are none."""
    marks, rows, links, ends = list[Mark](), [], [], []
    for run in study.runs:
        samples_of_run = samples[run.folder]
        finite_samples = samples_of_run[np.isfinite(samples_of_run)]
        if not len(finite_samples):
            continue
        ends += [float(finite_samples.min()), float(finite_samples.max())]
        curve = at_most(samples_of_run, name=run.executor, colour=known_colour(run.executor))
        texts = [
            f"<b>{run.executor}</b><br>{format_number(share)} % at most {format_number(value)} {unit}"
            for value, share in zip(curve.x, curve.y, strict=True)
        ]
        marks.append(replace(curve, texts=texts, links=[study.link_to_run(run)] * len(texts)))
        times = percentiles(samples_of_run)
        rows.append({
            "executor": run.executor,
            "samples": format_count(times.n),
            **{f"{level}, {unit}": format_percentile(times, level) for level in _LEVELS},
        })  # fmt: skip
        links.append(study.links([run]))
    if not ends:
        return None
    if limit is not None:
        marks.append(Limit(limit, "x", colour="late"))
    panel = Panel(marks, text.title, value_axis(unit, ends, limit), Axis("% of samples", low=0, high=102), 3.8)
    return Plot(id_, text.title, text.description, Chart.of(panel), Table.of(text.title, rows, links))


def _responses(analysis: RunAnalysis) -> Samples:
    """Return the response times of all finished jobs, in per cent of their deadlines."""
    out = analysis.outcomes.select(analysis.outcomes.finish >= 0)
    return 100 * (out.finish - out.release) / (out.deadline - out.release)


def run_timeline(stretch: Stretch, executor: str, link: str, id_: str) -> Plot:
    """Return the timeline as a plot. `link` is the link that its points open."""
    title = f"Timeline of {executor}, {(stretch.end - stretch.begin) / _MS:g} ms"
    return Plot(
        id_,
        title,
        CHARTS["timeline"].description,
        Chart.of(timeline_panel(stretch, known_colour(executor), title, link)),
        _table(title, stretch),
        wide=True,
    )


def _table(title: str, stretch: Stretch) -> Table:
    def after(job: Job, instant: int) -> str:
        return format_number((instant - job.release) / _MS) if instant >= 0 else NONE

    names = {task.index: task.id for task in stretch.application.tasks}
    rows = [
        {
            "job": f"{names[job.task]} {job.index}",
            "released at, ms": format_number((job.release - stretch.begin) / _MS),
            "started after, ms": after(job, job.begin),
            "response, ms": after(job, job.finish),
            "outcome": FATES.get(job.fate, "unfinished at the end"),
            "on old data": "yes" if job.key in stretch.stale else "no",
        }
        for job in stretch.jobs
    ]
    return Table.of(f"Jobs: {title}", rows)
