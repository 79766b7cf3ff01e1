# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table and remarks of `takt soak`."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.soak import KINDS, SoakSummary
from takt_cli.report.formatting import (
    KEPT_OFF,
    describe_holders,
    format_count,
    format_number,
    format_share,
    format_slope,
    format_spread,
    format_with_causes,
)
from takt_cli.report.gauges import gauge_rows
from takt_cli.surroundings.load import describe_load

KIND_NAMES = {
    "unforced": "unforced",
    "transition": "at a change of scenario",
    "host": "at a stall of the host",
    "kept": "kept off the CPU by a thread",
    "forced": "late in the replay, too",
}


def soak_title(summary: SoakSummary) -> str:
    """Return what was measured, in a phrase."""
    hours = summary.hours
    length = f"{format_number(hours)} h" if hours >= 0.1 else f"{format_number(hours * 3600)} s"
    return f"soak of {length}, {summary.application}, at utilisation {format_number(summary.utilisation)}"


def soak_report(summary: SoakSummary) -> list[RenderableType]:
    """Return the report: jobs, misses by kind, drift, changes made and resources of the process."""
    table = Table(title=soak_title(summary), title_justify="left")
    table.add_column("figure")
    table.add_column("value", justify="right")
    misses, skipped, slope, late = (
        summary.misses,
        summary.skipped_most_urgent,
        summary.drift_us_per_min,
        summary.late_starts,
    )
    rows = [
        ("jobs", format_count(summary.jobs)),
        ("misses", f"{format_count(misses.late)} ({format_share(misses.late, summary.jobs)})"),
        *((f"  {KIND_NAMES[kind]}", format_count(getattr(misses, kind))) for kind in KINDS),
        ("skipped, warm-up included", format_count(summary.skipped)),
        (
            "  of the most urgent task (due to host, kept off)",
            format_with_causes(skipped.n, skipped.host, skipped.kept),
        ),
        ("response time p50 · p99 · max, ms", format_spread(summary.response_ms, "")),
        ("releases off the grid", format_count(slope.off_grid)),
        ("drift, us/min (95 %)", format_slope(slope)),
        ("scenario switches", format_count(summary.scenarios.switches)),
        ("  longest from request to effect, us", format_number(summary.scenarios.longest_us)),
        ("nodes added and removed again", format_count(summary.guests)),
        ("  time to add or remove one p50 · p99 · max, ms", format_spread(summary.change_ms, "")),
        ("start delay of the most urgent task p50 · p99 · max, us", format_spread(summary.start_delay_us, "")),
        (
            f"  starts after more than {format_number(late.bound_us)} us (due to host, kept off)",
            format_with_causes(late.starts, late.host, late.kept),
        ),
        *(
            [("messages of 4 MiB read by another process", format_count(summary.read_outside))]
            if summary.read_outside
            else []
        ),
        *gauge_rows(summary.gauges),
        ("background load (stress-ng)", describe_load(summary.stress)),
        ("stalls", format_count(summary.stalls.probe + summary.stalls.late_wakeups)),
        ("  seen by late wake-ups at releases only", format_count(summary.stalls.late_wakeups)),
        ("  in which a thread kept others off", format_count(sum(summary.stalls.kept_by.values()))),
    ]
    for row in rows:
        table.add_row(*row)
    parts: list[RenderableType] = [table]
    if kept_by := summary.stalls.kept_by:
        names = ", ".join(f"{name} in {format_count(n)}" for name, n in kept_by.items())
        parts.append(f"threads that had the CPU in stalls: {names}. {KEPT_OFF}")
    parts += [Text(f"not granted: {line}", style="yellow") for line in summary.refused]
    if late.refused:
        parts.append(
            Text(f"it is not known which threads had the CPU before late starts: {late.refused}", style="yellow")
        )
    elif holders := describe_holders(late):
        parts.append(f"threads that had the CPU before the other late starts: {holders}")
    return parts
