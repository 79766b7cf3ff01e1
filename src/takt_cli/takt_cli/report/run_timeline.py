# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interactive timeline of a part of a run: one row for each task, with the times of each job."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from takt_cli.analysis.grid import Fate, Outcomes
from takt_cli.report.formatting import format_number
from takt_cli.report.plotly_page import Plot, Table
from takt_cli.report.style import COLOURS
from takt_cli.report.timeline import Stretch
from takt_cli.spec.units import format_duration

_MS = 1e6
_ROW = 0.62
_FATES = {Fate.on_time: "on time", Fate.late: "late", Fate.skipped: "skipped", Fate.unfinished: "not finished"}


def run_timeline(stretch: Stretch, executor: str, link: str, id_: str) -> Plot:
    """Return the timeline as a plot. `link` is the link that its points open."""
    tasks = sorted(stretch.application.tasks, key=lambda task: (task.callback.period, task.index))
    row = {task.index: y for y, task in enumerate(tasks)}
    jobs = _jobs(stretch)
    late = {(job["task"], job["index"]) for job in jobs if job["fate"] in (Fate.late, Fate.unfinished)}
    text = {(job["task"], job["index"]): _text(stretch, job) for job in jobs}
    figure = go.Figure()
    waiting = [(job["task"], job["index"], job["release"], job["end"]) for job in jobs if job["begin"] >= 0]
    slices_within = stretch.slices[(stretch.slices["to"] > stretch.begin) & (stretch.slices["from"] < stretch.end)]
    running = [tuple(piece) for piece in slices_within.tolist()]
    parts = (
        ("released, waiting", "waiting", waiting),
        ("running", executor, [p for p in running if (p[0], p[1]) not in late]),
        ("running, finished late", "late", [p for p in running if (p[0], p[1]) in late]),
    )
    for name, colour, pieces in parts:
        figure.add_bar(
            base=[max(begin - stretch.begin, 0) / _MS for _, _, begin, _ in pieces],
            x=[(min(end, stretch.end) - max(begin, stretch.begin)) / _MS for _, _, begin, end in pieces],
            y=[row[task] for task, *_ in pieces],
            width=_ROW,
            orientation="h",
            name=name,
            marker={"color": COLOURS.get(colour, COLOURS["host"]), "line": {"width": 0}},
            customdata=[link] * len(pieces),
            hovertext=[text.get((task, index), "") for task, index, *_ in pieces],
            hovertemplate="%{hovertext}<extra></extra>",
            textposition="none",
        )
    skipped = [job for job in jobs if job["fate"] == Fate.skipped]
    stale = [job for job in jobs if (job["task"], job["index"]) in stretch.stale and job["begin"] >= stretch.begin]
    for name, symbol, colour, marked, instant_name in (
        ("skipped", "x-thin", "late", skipped, "release"),
        ("started on old data", "diamond", "stale", stale, "begin"),
    ):
        figure.add_scatter(
            x=[(job[instant_name] - stretch.begin) / _MS for job in marked],
            y=[row[job["task"]] for job in marked],
            mode="markers",
            name=name,
            marker={
                "symbol": symbol,
                "color": COLOURS[colour],
                "size": 7,
                "line": {
                    "color": COLOURS["late" if colour == "late" else "ink"],
                    "width": 1.5 if colour == "late" else 0.7,
                },
            },
            customdata=[link] * len(marked),
            hovertext=[text[(job["task"], job["index"])] for job in marked],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    labels = [f"{task.id.partition('/')[0]}, {format_duration(task.callback.period)}" for task in tasks]
    figure.update_layout(
        barmode="overlay",
        height=90 + 17 * len(tasks),
        xaxis={"title": "ms", "range": [0, (stretch.end - stretch.begin) / _MS]},
        yaxis={
            "tickvals": list(range(len(tasks))),
            "ticktext": labels,
            "tickfont": {"size": 12},
            "range": [len(tasks) - 0.4, -0.6],
            "showgrid": False,
        },
    )
    length = (stretch.end - stretch.begin) / _MS
    title = f"Timeline of {executor}, {length:g} ms"
    return Plot(
        id_,
        title,
        "A row for each task, the shortest period on top. Filled: running; pale: released and waiting.",
        figure.to_plotly_json(),
        _table(title, stretch, jobs, {task.index: task.id for task in tasks}),
        wide=True,
    )


def _jobs(stretch: Stretch) -> list[dict[str, Any]]:
    """Return the jobs of which some part lies within the stretch, in order of release."""
    out: Outcomes = stretch.outcomes
    ends = np.where(out.finish >= 0, out.finish, out.deadline)
    shown_jobs = out.select((out.release < stretch.end) & (ends > stretch.begin))
    ends = np.where(shown_jobs.finish >= 0, shown_jobs.finish, shown_jobs.deadline)
    jobs = [
        {
            "task": int(shown_jobs.task[i]),
            "index": int(shown_jobs.index[i]),
            "release": int(shown_jobs.release[i]),
            "deadline": int(shown_jobs.deadline[i]),
            "begin": int(shown_jobs.begin[i]),
            "finish": int(shown_jobs.finish[i]),
            "end": int(ends[i]),
            "fate": Fate(int(shown_jobs.fate[i])),
        }
        for i in np.lexsort((shown_jobs.task, shown_jobs.release))
    ]
    return [job for job in jobs if job["fate"] != Fate.skipped or job["release"] >= stretch.begin]


def _text(stretch: Stretch, job: dict[str, Any]) -> str:
    task = stretch.application.tasks[job["task"]]
    lines = [f"<b>{task.id}</b>, job {job['index']}", f"released at {_seconds_in_run(stretch, job['release'])}"]
    if job["begin"] >= 0:
        lines.append(f"started {format_number((job['begin'] - job['release']) / _MS)} ms later")
    if job["finish"] >= 0:
        response = (job["finish"] - job["release"]) / _MS
        lines.append(f"response {format_number(response)} ms, deadline {format_duration(task.callback.deadline)}")
    lines.append(_FATES.get(job["fate"], "unfinished when the run ended"))
    if (job["task"], job["index"]) in stretch.stale:
        lines.append("started on old data")
    return "<br>".join(lines)


def _table(title: str, stretch: Stretch, jobs: list[dict[str, Any]], names: dict[int, str]) -> Table:
    def after(job: dict[str, Any], what: str) -> str:
        return format_number((job[what] - job["release"]) / _MS) if job[what] >= 0 else "\u2013"

    rows = [
        (
            f"{names[job['task']]} {job['index']}",
            format_number((job["release"] - stretch.begin) / _MS),
            after(job, "begin"),
            after(job, "finish"),
            _FATES.get(job["fate"], "unfinished at the end"),
            "yes" if (job["task"], job["index"]) in stretch.stale else "no",
        )
        for job in jobs
    ]
    columns = ("job", "released at, ms", "started after, ms", "response, ms", "outcome", "on old data")
    return Table(f"Jobs: {title}", columns, rows)


def _seconds_in_run(stretch: Stretch, instant: int) -> str:
    return f"{format_number((instant - stretch.begin) / _MS)} ms"
