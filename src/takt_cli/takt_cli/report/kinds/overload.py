# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt measure overload`: tables of tasks and of totals, and a chart over time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from rich.console import RenderableType
from rich.table import Table

from takt_cli.analysis.counters import MessageTotals
from takt_cli.analysis.grid import Fate
from takt_cli.analysis.overload import OverloadRun, OverloadSummary, StalledTime, pending_at
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Band, Limit, Line, Mark, Points
from takt_cli.report.formatting import format_share, format_spread
from takt_cli.report.kinds.over_time import BLOCKS, gauge_rows, memory_panel, spread_in_blocks, stacked_counts
from takt_cli.report.tables.rows import figures_table, not_granted, table_of
from takt_cli.report.texts import CHARTS
from takt_cli.report.values import NONE, Value, format_count, format_number
from takt_cli.surroundings.load import describe_load

_HEIGHT, _BARS = 1.75, 60


def overload_title(summary: OverloadSummary) -> str:
    """Return what was measured, in a phrase."""
    utilisation, length = format_number(summary.utilisation.overload), format_number(summary.overload_s)
    return f"Overload: utilisation {utilisation} for {length} s under {summary.policy}"


def overload_report(summary: OverloadSummary) -> list[RenderableType]:
    """Return the report: each task during the overload, totals of held and other tasks, and the recovery."""
    remark = "* held task: meets all of its deadlines in the simulator, the overload included"
    return [_tasks(summary), remark, _totals(summary), *not_granted(summary.refused)]


def _tasks(summary: OverloadSummary) -> Table:
    rows = [
        {
            "task": f"{task.task}{' *' if task.held else ''}",
            "priority": task.priority,
            "period": f"{format_number(task.period_ms)} ms",
            "queue": task.queue or "skip",
            "utilisation": f"{task.utilisation:.3f}",
            **{name: getattr(task, name) for name in ("jobs", "late", "skipped", "unforced", "host")},
            "response p50 · p99 · max": format_spread(task.response_ms, "ms"),
        }
        for task in summary.tasks
    ]
    return table_of(overload_title(summary), rows)


def _totals(summary: OverloadSummary) -> Table:
    held, others, calm, recovery = summary.held, summary.others, summary.calm, summary.recovery
    throttling, messages = summary.throttling, summary.messages
    missed_count = others.late + others.skipped
    windows = f"{format_count(throttling.windows)}, {format_number(throttling.total_ms)} ms in total"
    made_up_text = f"{format_number(throttling.made_up_ms)} ms in total"
    rows: list[tuple[str, Value]] = [
        (f"held tasks, at utilisation {held.utilisation:.3f}: jobs", held.jobs),
        ("  unforced misses", held.unforced),
        ("  misses due to real-time throttling, catching up included", held.throttled),
        ("  misses due to other stalls of the host, catching up included", held.host),
        ("  misses that occur in the replay, too", held.forced),
        ("  response time / deadline p50 · p99 · max", format_spread(held.response_of_deadline, "")),
        (
            "other tasks during the overload: late or skipped",
            f"{format_count(missed_count)} ({format_share(missed_count, others.jobs)})",
        ),
        (
            "all tasks before the overload and after recovery: unforced misses",
            f"{format_count(calm.unforced)} of {format_count(calm.jobs)}",
        ),
        *((f"{name}, during the overload", value) for name, value in gauge_rows(summary.gauges)),
        ("messages published · delivered · replaced", _messages(messages)),
        ("publications that found the message pool exhausted", messages.pool_exhausted),
        ("jobs pending at the end of the overload", recovery.pending),
        ("recovery: measured", _ms(recovery.measured_ms)),
        ("  bound, from the backlog in the replay", _ms(recovery.bound_ms)),
        ("  in the replay", _ms(recovery.replayed_ms)),
        (
            "  in the simulator with the WCETs (bound)",
            f"{_ms(recovery.simulated_ms)} ({_ms(recovery.simulated_bound_ms)})",
        ),
        ("real-time throttling: windows", windows),
        ("  until the held tasks had caught up, during the overload", made_up_text),
        ("  length p50 · p99 · max", format_spread(throttling.length_ms, "ms")),
        ("stalls of the host, throttling included", _stalls(summary.stalls)),
        ("background load (stress-ng)", describe_load(summary.stress)),
    ]
    return figures_table(None, rows)


def _ms(value: float | None) -> str:
    return NONE if value is None else f"{format_number(value)} ms"


def _messages(messages: MessageTotals) -> str:
    return " · ".join(format_count(n) for n in (messages.published, messages.delivered, messages.replaced))


def _stalls(stalls: StalledTime) -> str:
    return f"{format_count(stalls.n)}, {format_number(stalls.total_ms)} ms in total"


def overload_chart(run: OverloadRun) -> Chart:
    """Return the chart, with four panels over the same time axis, on which the overload is shaded. They show pending
    jobs, misses, response times of the held tasks, and memory."""
    gauges = run.run_analysis.result.gauges
    assert gauges is not None
    time = Axis("time, s; the overload is shaded")
    memory = memory_panel(_seconds(run, gauges["at"]), gauges, _HEIGHT, time)
    begin, end = _seconds(run, np.array([run.begin, run.end]))
    band = Band(float(begin), float(end), colour="waiting")
    panels = [_pending(run), _missed(run), _responses(run), memory]
    text = CHARTS["overload"]
    rows = [[replace(panel, marks=[band, *panel.marks])] for panel in panels]
    return Chart(text.title, rows, share="x", description=text.description)


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
