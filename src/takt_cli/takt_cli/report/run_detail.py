# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Details of single runs: figures by task, distributions of response times and data ages, and a timeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from takt_cli.analysis.freshness import data_age
from takt_cli.analysis.misses import unforced_total
from takt_cli.analysis.percentiles import Samples
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.report.demo_plots import timeline_stretch
from takt_cli.report.formatting import format_count, format_number, format_percentile, format_share
from takt_cli.report.plotly_page import Plot, Section, Table
from takt_cli.report.run_timeline import run_timeline
from takt_cli.report.study import Study
from takt_cli.report.study_plots import LIMIT, value_axis
from takt_cli.report.style import COLOURS
from takt_cli.spec.application import Application, Task
from takt_cli.spec.units import format_duration

_MS = 1e6
_MAX_POINTS, _TAIL = 300, 50
_LEVELS = ("p50", "p90", "p99", "max")


def detail_sections(study: Study) -> list[Section]:
    """Return the sections: the distributions of all runs, then one section for each run."""
    analyses = {run.folder: RunAnalysis(read_result(run.folder)) for run in study.runs}
    ages = {run.folder: data_age(each.reads) / _MS for run, each in zip(study.runs, analyses.values(), strict=True)}
    responses = {folder: _responses(each) for folder, each in analyses.items()}
    curves = [
        _curves(
            study,
            responses,
            "response-ecdf",
            "Response times, all tasks",
            "The share of jobs whose response time was at most the given percentage of the relative deadline. Jobs to "
            "the right of 100 % are late.",
            "% of the deadline",
            100,
        ),
        _curves(
            study,
            ages,
            "age-ecdf",
            "Data age, all reads",
            "The share of reads whose message had been published at most the given time before the job started.",
            "ms",
        ),
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
    summaries = {task["task"]: task for task in run.summary["tasks"]}
    rows = []
    for task in tasks:
        summary = summaries[task.id]
        rows.append((
            task.id,
            format_duration(task.callback.period),
            format_duration(task.callback.deadline),
            format_duration(task.callback.wcet),
            format_count(summary["jobs"]),
            format_count(summary["late"] + summary["unfinished"]),
            format_count(summary["skipped"]),
            format_count(unforced_total(summary)),
            format_count(summary["host_misses"]),
            format_share(summary["stale"], summary["stale_n"]),
            *(format_percentile(summary["response_ms"], level) for level in ("p50", "p99", "max")),
            *(format_percentile(summary["data_age_ms"], level) for level in ("p50", "p99", "max")),
        ))  # fmt: skip
    columns = (
        "task", "period", "deadline", "WCET", "jobs", "late", "skipped", "unforced", "host", "stale",
        "response p50, ms", "p99, ms", "max, ms", "data age p50, ms", "p99, ms", "max, ms",
    )  # fmt: skip
    return Table(f"{application.name} under {run.executor}: its tasks", columns, rows)


def _tasks_plot(run: SetRun, tasks: list[Task], link: str, id_: str) -> Plot:
    """Return a plot of each task's response times relative to its deadline."""
    colour = COLOURS.get(run.executor, COLOURS["host"])
    summaries = {task["task"]: task for task in run.summary["tasks"]}
    thick_line: list[tuple[float | None, float | None]] = []
    thin_line: list[tuple[float | None, float | None]] = []
    dots: list[tuple[float, float, str]] = []
    rows = []
    for y, task in enumerate(tasks):
        response_times, deadline = summaries[task.id]["response_ms"], task.callback.deadline / _MS
        rows.append(
            (task.id, format_duration(task.callback.deadline), *(format_percentile(response_times, p) for p in _LEVELS))
        )
        if response_times["max"] is None:
            continue
        middle, maximum = 100 * response_times["p50"] / deadline, 100 * response_times["max"] / deadline
        p99_or_maximum = maximum if response_times.get("p99") is None else 100 * response_times["p99"] / deadline
        thick_line += [(middle, y), (p99_or_maximum, y), (None, None)]
        thin_line += [(p99_or_maximum, y), (maximum, y), (None, None)]
        figures_text = ", ".join(f"{p} {format_percentile(response_times, p)}" for p in _LEVELS)
        dots.append(
            (maximum, y, f"<b>{task.id}</b><br>{figures_text} ms<br>deadline {format_duration(task.callback.deadline)}")
        )
    figure = go.Figure()
    for points, width, name in ((thin_line, 1.5, "p99 to the largest"), (thick_line, 6, "p50 to p99")):
        figure.add_scatter(
            x=[x for x, _ in points],
            y=[y for _, y in points],
            mode="lines",
            name=name,
            line={"color": colour, "width": width},
            opacity=0.55 if width > 2 else 0.9,
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=[x for x, _, _ in dots],
        y=[y for _, y, _ in dots],
        mode="markers",
        name="largest",
        marker={"color": [COLOURS["late"] if x > 100 else colour for x, _, _ in dots], "size": 8},
        customdata=[link] * len(dots),
        hovertext=[text for _, _, text in dots],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.add_vline(x=100, line=LIMIT)
    figure.update_layout(
        height=90 + 18 * len(tasks),
        xaxis=value_axis("% of the deadline", [x for x, _, _ in dots], 100),
        yaxis={
            "tickvals": list(range(len(tasks))),
            "ticktext": [task.id.partition("/")[0] for task in tasks],
            "range": [len(tasks) - 0.4, -0.6],
            "showgrid": False,
        },
    )
    title = f"Response times of {run.executor} against the deadlines"
    table = Table(title, ("task", "deadline", *(f"{p}, ms" for p in _LEVELS)), rows)
    return Plot(
        id_,
        title,
        "A row for each task, the shortest period on top; the maximum is red if a job was late.",
        figure.to_plotly_json(),
        table,
        wide=True,
    )


def _curves(
    study: Study,
    samples: dict[Path, Samples],
    id_: str,
    title: str,
    description: str,
    unit: str,
    limit: float | None = None,
) -> Plot | None:
    """Return a plot of the cumulative distribution of each run's samples, or None if there are none."""
    figure, rows, links, ends = go.Figure(), [], [], []
    for run in study.runs:
        samples_of_run = samples[run.folder]
        finite_samples = np.sort(samples_of_run[np.isfinite(samples_of_run)])
        if not len(finite_samples):
            continue
        kept_indices = thin_indices(len(finite_samples))
        percentages = 100 * (kept_indices + 1) / len(samples_of_run)
        ends += [float(finite_samples[0]), float(finite_samples[-1])]
        figure.add_scatter(
            x=finite_samples[kept_indices],
            y=percentages,
            mode="lines",
            name=run.executor,
            line={"color": COLOURS.get(run.executor, COLOURS["host"]), "shape": "hv", "width": 2},
            customdata=[study.link_to_run(run)] * len(kept_indices),
            hovertemplate=f"<b>{run.executor}</b><br>%{{y:.3~f}} % at most %{{x:.4~g}} {unit}<extra></extra>",
        )
        levels = [
            float(finite_samples[max(int(np.ceil(p * len(samples_of_run))) - 1, 0)])
            if p * len(samples_of_run) <= len(finite_samples)
            else None
            for p in (0.5, 0.9, 0.99, 1.0)
        ]
        rows.append((run.executor, format_count(len(samples_of_run)), *(format_number(value) for value in levels)))
        links.append(study.links([run]))
    if not ends:
        return None
    xaxis = value_axis(unit, ends, limit)
    figure.update_layout(height=380, xaxis=xaxis, yaxis={"title": "% of samples", "range": [0, 102]})
    if limit is not None:
        figure.add_vline(x=limit, line=LIMIT)
    columns = ("executor", "samples", *(f"{name}, {unit}" for name in _LEVELS))
    return Plot(id_, title, description, figure.to_plotly_json(), Table(title, columns, rows, links))


def _responses(analysis: RunAnalysis) -> Samples:
    """Return the response times of all finished jobs, in per cent of their deadlines."""
    out = analysis.outcomes.select(analysis.outcomes.finish >= 0)
    return 100 * (out.finish - out.release) / (out.deadline - out.release)


def thin_indices(n: int) -> npt.NDArray[np.int64]:
    """Return indices spread evenly over n ranks, both ends and the last 50 ranks included, few enough to draw."""
    if n <= _MAX_POINTS + _TAIL:
        return np.arange(n)
    return np.unique(np.concatenate([np.linspace(0, n - 1, _MAX_POINTS).astype(np.int64), np.arange(n - _TAIL, n)]))
