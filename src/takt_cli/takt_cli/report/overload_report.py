# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Report of `takt measure overload`: tables for the terminal, and a plot over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.grid import Fate
from takt_cli.analysis.overload import OverloadRun, pending_at
from takt_cli.report.formatting import (
    NONE,
    format_count,
    format_number,
    format_share,
    format_spread,
    format_verdict,
)
from takt_cli.report.gauges import draw_memory, gauge_rows
from takt_cli.report.run_table import STYLES
from takt_cli.report.style import COLOURS, canvas, to_svg
from takt_cli.surroundings.load import describe_load

_S, _MS = 1e9, 1e6
_WIDTH, _HEIGHT = 7.2, 7.0
# The number of intervals that curves and bars divide the run into.
_BLOCKS, _BARS = 240, 60


def overload_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: each task during the overload, totals of held and other tasks, recovery, and the verdict."""
    parts: list[RenderableType] = [_tasks(summary), _totals(summary)]
    parts += [Text(f"not granted: {line}", style="yellow") for line in summary["refused"]]
    parts.append(Text(format_verdict(summary["verdict"]), style=STYLES[summary["verdict"]["outcome"]]))
    parts.append(f"result: {folder}")
    return parts


def _tasks(summary: dict[str, Any]) -> Table:
    load = summary["utilisation"]
    title = (
        f"utilisation {format_number(load['overload'])} for {format_number(summary['overload_s'])} s under "
        f"{summary['policy']}"
    )
    table = Table(
        title=title,
        title_justify="left",
        caption="* held task: meets all of its deadlines in the simulator, the overload included",
        caption_justify="left",
    )
    table.add_column("task")
    for name in ("priority", "period", "queue", "utilisation", "jobs", "late", "skipped", "unforced", "host"):
        table.add_column(name, justify="right")
    table.add_column("response p50 · p99 · max", justify="right")
    for task in summary["tasks"]:
        table.add_row(
            f"{task['task']}{' *' if task['held'] else ''}",
            format_count(task["priority"]),
            f"{format_number(task['period_ms'])} ms",
            format_count(task["queue"]) if task["queue"] else "skip",
            f"{task['utilisation']:.3f}",
            *(format_count(task[name]) for name in ("jobs", "late", "skipped", "unforced", "host")),
            format_spread(task["response_ms"], "ms"),
        )
    return table


def _totals(summary: dict[str, Any]) -> Table:
    held, others, calm, recovery = (summary[name] for name in ("held", "others", "calm", "recovery"))
    throttling, messages = summary["throttling"], summary["messages"]
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    missed_count = others["late"] + others["skipped"]
    windows = f"{format_count(throttling['windows'])}, {format_number(throttling['total_ms'])} ms in total"
    made_up_text = f"{format_number(throttling['made_up_ms'])} ms in total"
    rows = [
        (f"held tasks, at utilisation {held['utilisation']:.3f}: jobs", format_count(held["jobs"])),
        ("  unforced misses", format_count(held["unforced"])),
        ("  misses due to real-time throttling, catching up included", format_count(held["throttled"])),
        ("  misses due to other stalls of the host, catching up included", format_count(held["host"])),
        ("  misses that occur in the replay, too", format_count(held["forced"])),
        ("  response time / deadline p50 · p99 · max", format_spread(held["response_of_deadline"], "")),
        (
            "other tasks during the overload: late or skipped",
            f"{format_count(missed_count)} ({format_share(missed_count, others['jobs'])})",
        ),
        (
            "all tasks before the overload and after recovery: unforced misses",
            f"{format_count(calm['unforced'])} of {format_count(calm['jobs'])}",
        ),
        *((f"{name}, during the overload", value) for name, value in gauge_rows(summary["gauges"])),
        ("messages published · delivered · replaced", _messages(messages)),
        ("publications that found the message pool exhausted", format_count(messages["pool_exhausted"])),
        ("jobs pending at the end of the overload", format_count(recovery["pending"])),
        ("recovery: measured", _ms(recovery["measured_ms"])),
        ("  bound, from the backlog in the replay", _ms(recovery["bound_ms"])),
        ("  in the replay", _ms(recovery["replayed_ms"])),
        ("  in the simulator with the WCETs (bound)", _format_pair(recovery, "simulated_ms", "simulated_bound_ms")),
        ("real-time throttling: windows", windows),
        ("  until the held tasks had caught up, during the overload", made_up_text),
        ("  length p50 · p99 · max", format_spread(throttling["length_ms"], "ms")),
        ("stalls of the host, throttling included", _stalls(summary["stalls"])),
        ("background load (stress-ng)", describe_load(summary["stress"])),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _ms(value: float | None) -> str:
    return NONE if value is None else f"{format_number(value)} ms"


def _format_pair(statistics: dict[str, Any], value: str, bound: str) -> str:
    return f"{_ms(statistics[value])} ({_ms(statistics[bound])})"


def _messages(messages: dict[str, int]) -> str:
    return " · ".join(format_count(messages[name]) for name in ("published", "delivered", "replaced"))


def _stalls(stalls: dict[str, Any]) -> str:
    return f"{format_count(stalls['n'])}, {format_number(stalls['total_ms'])} ms in total"


def overload_plot(run: OverloadRun) -> str:
    """Return the plot as an SVG document, with four panels over the same time axis.

    They show pending jobs, misses, response times of the held tasks, and memory.
    """
    with canvas(_WIDTH, _HEIGHT) as figure:
        axes = figure.subplots(4, 1, sharex=True)
        _pending(axes[0], run)
        _missed(axes[1], run)
        _responses(axes[2], run)
        gauges = run.run_analysis.result.gauges
        assert gauges is not None
        draw_memory(axes[3], _seconds(run, gauges["at"]), gauges)
        begin, end = _seconds(run, np.array([run.begin, run.end]))
        for each in axes:
            each.axvspan(begin, end, color=COLOURS["waiting"], linewidth=0, zorder=0)
            each.grid()
            each.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        axes[3].set_xlabel("time, s; the overload is shaded")
        return to_svg(figure, "An overload over time: pending jobs, misses, response times of the held tasks, memory")


def _pending(axes: Axes, run: OverloadRun) -> None:
    """Draw the maximum number of pending jobs in each interval, in the run and in its replay."""
    instants = np.linspace(run.window.start, run.window.end, 20 * _BLOCKS).astype(np.int64)
    replay = run.run_analysis.result.replay
    assert replay is not None
    for jobs, colour, label in (
        (replay, "host", "in the replay"),
        (run.run_analysis.result.jobs, "takt", "in the run"),
    ):
        pending = pending_at(jobs, instants).reshape(_BLOCKS, -1).max(axis=1)
        axes.plot(_seconds(run, instants[::20]), pending, color=COLOURS[colour], linewidth=1.2, label=label)
    axes.set_ylim(bottom=0)
    axes.set_title("Pending jobs, maximum of each interval")


def _missed(axes: Axes, run: OverloadRun) -> None:
    """Draw bars of misses of held tasks and of other tasks, and ticks where the kernel throttled real-time threads."""
    out = run.run_analysis.outcomes
    is_of_held_task = np.isin(out.task, run.held)
    begin, end = _seconds(run, np.array([run.window.start, run.window.end]))
    edges = np.linspace(begin, end, _BARS + 1)
    bottom = np.zeros(len(edges) - 1)
    kinds = (
        ("late", out.missed & is_of_held_task, "late", "held tasks"),
        ("skipped", ~is_of_held_task & np.isin(out.fate, (Fate.skipped,)), "skipped", "others, skipped"),
        ("stale", ~is_of_held_task & np.isin(out.fate, (Fate.late, Fate.unfinished)), "stale", "others, late"),
    )
    for _, mask, colour, label in kinds:
        counts, _ = np.histogram(_seconds(run, out.release[mask]), edges)
        axes.bar(edges[:-1], counts, np.diff(edges), bottom, align="edge", color=COLOURS[colour], label=label)
        bottom += counts
    throttling_begins = _seconds(run, run.throttled["from"])
    if len(throttling_begins):
        axes.plot(
            throttling_begins,
            np.zeros(len(throttling_begins)),
            "|",
            color=COLOURS["ink"],
            markersize=7,
            label="throttling",
        )
    axes.set_ylim(0, max(1.0, float(bottom.max()) * 1.05))
    axes.set_title("Misses")


def _responses(axes: Axes, run: OverloadRun) -> None:
    out = run.run_analysis.outcomes
    held_jobs = out.select(np.isin(out.task, run.held) & (out.finish >= 0))
    shares = (held_jobs.finish - held_jobs.release) / (held_jobs.deadline - held_jobs.release)
    order = np.argsort(held_jobs.release, kind="stable")
    for block in np.array_split(order, min(_BLOCKS, max(len(order) // 20, 1))):
        if len(block) == 0:
            continue
        middle = _seconds(run, held_jobs.release[block]).mean()
        axes.plot([middle, middle], [np.median(shares[block]), shares[block].max()], color=COLOURS["takt"], alpha=0.4)
        axes.plot(middle, np.median(shares[block]), ".", color=COLOURS["takt"], markersize=2.5)
    axes.plot([], [], ".-", color=COLOURS["takt"], label="median\nto max")
    axes.axhline(1, color=COLOURS["late"], linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.set_title("Response time / deadline of the held tasks")


def _seconds(run: OverloadRun, instants: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    seconds: npt.NDArray[np.float64] = (instants - run.window.t0) / _S
    return seconds
