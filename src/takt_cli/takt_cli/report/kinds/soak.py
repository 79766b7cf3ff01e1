# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt soak`: a table, remarks, and a chart over time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from rich.console import RenderableType

from takt_cli.analysis.soak import KINDS, Soak, SoakSummary
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Line
from takt_cli.report.formatting import describe_holders, format_share, format_slope, format_spread, format_with_causes
from takt_cli.report.kinds.over_time import gauge_rows, memory_panel, spread_in_blocks, stacked_counts
from takt_cli.report.tables.rows import figures_table, not_granted, warnings
from takt_cli.report.texts import CHARTS, REMARKS
from takt_cli.report.values import Value, format_count, format_number
from takt_cli.surroundings.load import describe_load

KIND_NAMES = {
    "unforced": "unforced",
    "transition": "at a change of scenario",
    "host": "at a stall of the host",
    "kept": "kept off the CPU by a thread",
    "forced": "late in the replay, too",
}
_HEIGHT, _BARS = 1.6, 60
_COLOURS = {"unforced": "late", "transition": "baseline1", "host": "host", "kept": "baseline0", "forced": "skipped"}


def soak_title(summary: SoakSummary) -> str:
    """Return what was measured, in a phrase."""
    hours = summary.hours
    length = f"{format_number(hours)} h" if hours >= 0.1 else f"{format_number(hours * 3600)} s"
    return f"soak of {length}, {summary.application}, at utilisation {format_number(summary.utilisation)}"


def soak_report(summary: SoakSummary) -> list[RenderableType]:
    """Return the report: jobs, misses by kind, drift, changes made and resources of the process."""
    misses, skipped, slope = summary.misses, summary.skipped_most_urgent, summary.drift_us_per_min
    late = summary.late_starts
    rows: list[tuple[str, Value]] = [
        ("jobs", summary.jobs),
        ("misses", f"{format_count(misses.late)} ({format_share(misses.late, summary.jobs)})"),
        *((f"  {KIND_NAMES[kind]}", getattr(misses, kind)) for kind in KINDS),
        ("skipped, warm-up included", summary.skipped),
        (
            "  of the most urgent task (due to host, kept off)",
            format_with_causes(skipped.n, skipped.host, skipped.kept),
        ),
        ("response time p50 · p99 · max, ms", format_spread(summary.response_ms, "")),
        ("releases off the grid", slope.off_grid),
        ("drift, us/min (95 %)", format_slope(slope)),
        ("scenario switches", summary.scenarios.switches),
        ("  longest from request to effect, us", summary.scenarios.longest_us),
        ("nodes added and removed again", summary.guests),
        ("  time to add or remove one p50 · p99 · max, ms", format_spread(summary.change_ms, "")),
        ("start delay of the most urgent task p50 · p99 · max, us", format_spread(summary.start_delay_us, "")),
        (
            f"  starts after more than {format_number(late.bound_us)} us (due to host, kept off)",
            format_with_causes(late.starts, late.host, late.kept),
        ),
        *([("messages of 4 MiB read by another process", summary.read_outside)] if summary.read_outside else []),
        *gauge_rows(summary.gauges),
        ("background load (stress-ng)", describe_load(summary.stress)),
        ("stalls", summary.stalls.probe + summary.stalls.late_wakeups),
        ("  seen by late wake-ups at releases only", summary.stalls.late_wakeups),
        ("  in which a thread kept others off", sum(summary.stalls.kept_by.values())),
    ]
    parts: list[RenderableType] = [figures_table(soak_title(summary), rows)]
    if kept_by := summary.stalls.kept_by:
        names = ", ".join(f"{name} in {format_count(n)}" for name, n in kept_by.items())
        parts.append(f"threads that had the CPU in stalls: {names}. {REMARKS['kept off']}")
    parts += not_granted(summary.refused)
    if late.refused:
        parts += warnings([f"it is not known which threads had the CPU before late starts: {late.refused}"])
    elif holders := describe_holders(late):
        parts.append(f"threads that had the CPU before the other late starts: {holders}")
    return parts


def soak_charts(soak: Soak, _: SoakSummary) -> dict[str, Chart]:
    """Return the chart by its name, with four panels over the same time axis."""

    def minutes(instants: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return (instants - soak.window.start) / 60e9

    edges = np.linspace(0, minutes(np.array([soak.window.end]))[0], _BARS + 1)
    kinds = [
        (KIND_NAMES[kind], _COLOURS[kind], minutes(soak.jobs["release"][mask])) for kind, mask in soak.kinds.items()
    ]
    rows, at = soak.most_urgent, minutes(soak.gauges["at"])
    delays = (rows["start"] - rows["release"]) / 1000
    spread = spread_in_blocks(minutes(rows["release"]), delays, (0.01, 0.99), "median,\np1 to p99")
    open_things = [
        Line(at, soak.gauges[name], width=1.4, name=name, colour=colour)
        for name, colour in (("descriptors", "takt"), ("threads", "baseline0"))
    ]
    panels = [
        stacked_counts("Misses, by kind", edges, kinds, _HEIGHT),
        Panel(spread, "Start delay of the most urgent task (release to start), us", height=_HEIGHT, key="right"),
        memory_panel(at, soak.gauges, _HEIGHT),
        Panel(open_things, "Open files and threads", Axis("time, minutes"), Axis(low=0), _HEIGHT, key="right"),
    ]
    text = CHARTS["soak"]
    return {"soak": Chart(text.title, [[panel] for panel in panels], share="x", description=text.description)}
