# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt measure overload` over time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.grid import Fate
from takt_cli.analysis.overload import OverloadRun, pending_at
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Band, Limit, Line, Mark, Points
from takt_cli.report.charts.over_time import BLOCKS, memory_panel, spread_in_blocks, stacked_counts

_HEIGHT, _BARS = 1.75, 60


def overload_chart(run: OverloadRun) -> Chart:
    """Return the chart, with four panels over the same time axis, on which the overload is shaded.

    They show pending jobs, misses, response times of the held tasks, and memory.
    """
    gauges = run.run_analysis.result.gauges
    assert gauges is not None
    time = Axis("time, s; the overload is shaded")
    memory = memory_panel(_seconds(run, gauges["at"]), gauges, _HEIGHT, time)
    begin, end = _seconds(run, np.array([run.begin, run.end]))
    band = Band(float(begin), float(end), colour="waiting")
    panels = [_pending(run), _missed(run), _responses(run), memory]
    title = "An overload over time: pending jobs, misses, response times of the held tasks, memory"
    description = (
        "From top to bottom over the same time: the jobs that were released but not finished, in the run and in its "
        "replay; the misses of the held tasks and of the others; how much of the time to the deadline the jobs of the "
        "held tasks took; and the memory of the process. The overload is shaded."
    )
    rows = [[replace(panel, marks=[band, *panel.marks])] for panel in panels]
    return Chart(title, rows, share="x", description=description)


def _pending(run: OverloadRun) -> Panel:
    """Return the maximum number of pending jobs in each interval, in the run and in its replay."""
    instants = np.linspace(run.window.start, run.window.end, 20 * BLOCKS).astype(np.int64)
    result = run.run_analysis.result
    assert result.replay is not None
    marks = [
        Line(
            _seconds(run, instants[::20]),
            pending_at(jobs, instants).reshape(BLOCKS, -1).max(axis=1),
            width=1.2,
            name=name,
            colour=colour,
        )
        for jobs, colour, name in ((result.replay, "host", "in the replay"), (result.jobs, "takt", "in the run"))
    ]
    return Panel(marks, "Pending jobs, maximum of each interval", y=Axis(low=0), height=_HEIGHT, key="right")


def _missed(run: OverloadRun) -> Panel:
    """Return bars of misses of held tasks and of other tasks, with ticks where the kernel throttled threads."""
    out = run.run_analysis.outcomes
    is_of_held_task = np.isin(out.task, run.held)
    begin, end = _seconds(run, np.array([run.window.start, run.window.end]))
    kinds = [
        (name, colour, _seconds(run, out.release[mask]))
        for name, colour, mask in (
            ("held tasks", "late", out.missed & is_of_held_task),
            ("others, skipped", "skipped", ~is_of_held_task & np.isin(out.fate, (Fate.skipped,))),
            ("others, late", "stale", ~is_of_held_task & np.isin(out.fate, (Fate.late, Fate.unfinished))),
        )
    ]
    throttled = _seconds(run, run.throttled["from"])
    ticks: list[Mark] = []
    if len(throttled):
        ticks.append(Points(throttled, np.zeros(len(throttled)), "tick", 7, name="throttling", colour="ink"))
    return stacked_counts("Misses", np.linspace(begin, end, _BARS + 1), kinds, _HEIGHT, ticks)


def _responses(run: OverloadRun) -> Panel:
    out = run.run_analysis.outcomes
    held_jobs = out.select(np.isin(out.task, run.held) & (out.finish >= 0))
    shares = (held_jobs.finish - held_jobs.release) / (held_jobs.deadline - held_jobs.release)
    order = np.argsort(held_jobs.release, kind="stable")
    spread = spread_in_blocks(_seconds(run, held_jobs.release[order]), shares[order], (0.5, 1.0), "median\nto max")
    marks = [*spread, Limit(1, dash="solid", width=0.8, colour="late")]
    title = "Response time / deadline of the held tasks"
    return Panel(marks, title, y=Axis(low=0), height=_HEIGHT, key="right")


def _seconds(run: OverloadRun, instants: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    seconds: npt.NDArray[np.float64] = (instants - run.window.t0) / 1e9
    return seconds
