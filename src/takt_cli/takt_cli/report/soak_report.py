# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Report of `takt soak`: a table for the terminal, and a plot over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.soak import KINDS, Soak
from takt_cli.report.formatting import (
    NONE,
    describe_holders,
    format_count,
    format_interval,
    format_number,
    format_share,
    format_spread,
    format_verdict,
)
from takt_cli.report.gauges import draw_memory, gauge_rows
from takt_cli.report.run_table import STYLES
from takt_cli.report.style import COLOURS, canvas, to_svg
from takt_cli.surroundings.load import describe_load

_WIDTH, _HEIGHT = 7.2, 6.4
_BLOCKS = 240
_KIND_NAMES = {
    "unforced": "unforced",
    "transition": "at a change of scenario",
    "host": "at a stall of the host",
    "forced": "late in the replay, too",
}
_MISS_COLOURS = {
    "unforced": "late",
    "transition": "baseline1",
    "host": "host",
    "forced": "skipped",
}


def _skipped(skipped: dict[str, int]) -> str:
    return f"{format_count(skipped['n'])}; {format_count(skipped['host'])}"


def soak_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: jobs, misses by kind, drift, changes made, resources of the process, and the verdict."""
    hours, misses, jobs = summary["hours"], summary["misses"], summary["jobs"]
    length = f"{format_number(hours)} h" if hours >= 0.1 else f"{format_number(hours * 3600)} s"
    table = Table(
        title=f"soak of {length}, {summary['application']}, at utilisation {format_number(summary['utilisation'])}",
        title_justify="left",
    )
    table.add_column("")
    table.add_column("", justify="right")
    scenarios, slope, late = summary["scenarios"], summary["drift_us_per_min"], summary["late_starts"]
    rows = [
        ("jobs", format_count(jobs)),
        ("misses", f"{format_count(misses['late'])} ({format_share(misses['late'], jobs)})"),
        *((f"  {_KIND_NAMES[kind]}", format_count(misses[kind])) for kind in KINDS),
        ("skipped, warm-up included", format_count(summary["skipped"])),
        ("  of the most urgent task; during a stall of the host", _skipped(summary["skipped_most_urgent"])),
        ("response time p50 · p99 · max, ms", format_spread(summary["response_ms"], "")),
        ("releases off the grid", format_count(slope["off_grid"])),
        ("drift, us/min (95 %)", _drift(slope)),
        ("scenario switches", format_count(scenarios["switches"])),
        ("  longest from request to effect, us", format_number(scenarios["longest_us"])),
        ("nodes added and removed again", format_count(summary["guests"])),
        ("  time to add or remove one p50 · p99 · max, ms", format_spread(summary["change_ms"], "")),
        ("start delay of the most urgent task p50 · p99 · max, us", format_spread(summary["start_delay_us"], "")),
        (
            f"  starts after more than {format_number(late['bound_us'])} us; during a stall of the host",
            f"{format_count(late['starts'])}; {format_count(late['host'])}",
        ),
        *(
            [("messages of 4 MiB read by another process", format_count(summary["read_outside"]))]
            if summary["read_outside"]
            else []
        ),
        *gauge_rows(summary["gauges"]),
        ("background load (stress-ng)", describe_load(summary["stress"])),
        ("stalls of the host", format_count(summary["stalls"])),
    ]
    for row in rows:
        table.add_row(*row)
    parts: list[RenderableType] = [table]
    parts += [Text(f"not granted: {line}", style="yellow") for line in summary["refused"]]
    if late["refused"]:
        parts.append(
            Text(f"it is not known which threads had the CPU before late starts: {late['refused']}", style="yellow")
        )
    elif holders := describe_holders(late):
        parts.append(f"threads that had the CPU before the other late starts: {holders}")
    parts.append(Text(format_verdict(summary["verdict"]), style=STYLES[summary["verdict"]["outcome"]]))
    parts.append(f"result: {folder}")
    return parts


def _drift(slope: dict[str, Any]) -> str:
    if slope["slope"] is None:
        return NONE
    return f"{slope['slope']:+.2f} ({format_interval(slope, '+.2f')})"


def soak_plot(soak: Soak) -> str:
    """Return the plot as an SVG document, with four panels over the same time axis.

    They show misses by kind, the start delay of the most urgent task, memory, and open files and threads.
    """
    with canvas(_WIDTH, _HEIGHT) as figure:
        axes = figure.subplots(4, 1, sharex=True, height_ratios=[1.2, 1, 1, 1])
        _misses(axes[0], soak)
        _delay(axes[1], soak)
        minutes = _minutes(soak, soak.gauges["at"])
        draw_memory(axes[2], minutes, soak.gauges)
        for name, colour in (("descriptors", "takt"), ("threads", "baseline0")):
            axes[3].plot(minutes, soak.gauges[name], color=COLOURS[colour], linewidth=1.4, label=name)
        axes[3].set_ylim(bottom=0)
        axes[3].set_title("Open files and threads")
        for each in axes:
            each.grid()
            each.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        axes[3].set_xlabel("time, minutes")
        return to_svg(figure, "A soak over time: misses by kind, start delay, memory, open files and threads")


def _misses(axes: Axes, soak: Soak) -> None:
    """Draw bars of the misses in each interval of the run, stacked by kind."""
    edges = np.linspace(0, _minutes(soak, np.array([soak.window.end]))[0], min(_BLOCKS, 60) + 1)
    bottom = np.zeros(len(edges) - 1)
    for kind, mask in soak.kinds.items():
        counts, _ = np.histogram(_minutes(soak, soak.jobs["release"][mask]), edges)
        colour = COLOURS[_MISS_COLOURS[kind]]
        axes.bar(edges[:-1], counts, np.diff(edges), bottom, align="edge", color=colour, label=_KIND_NAMES[kind])
        bottom += counts
    axes.set_ylim(0, max(1.0, float(bottom.max()) * 1.05))
    axes.set_title("Misses, by kind")


def _delay(axes: Axes, soak: Soak) -> None:
    rows = soak.most_urgent
    delay = (rows["start"] - rows["release"]) / 1000
    for block in np.array_split(np.arange(len(rows)), min(_BLOCKS, max(len(rows) // 20, 1))):
        if len(block) == 0:
            continue
        middle = _minutes(soak, rows["release"][block]).mean()
        axes.plot(
            [middle, middle], np.quantile(delay[block], [0.01, 0.99]), color=COLOURS["takt"], alpha=0.3, linewidth=1.2
        )
        axes.plot(middle, np.median(delay[block]), ".", color=COLOURS["takt"], markersize=2.5)
    axes.plot([], [], ".-", color=COLOURS["takt"], label="median,\np1 to p99")
    axes.set_title("Start delay of the most urgent task (release to start), us")


def _minutes(
    soak: Soak, instants: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return (instants - soak.window.start) / 60e9
