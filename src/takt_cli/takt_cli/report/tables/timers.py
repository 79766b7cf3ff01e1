# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure timers`."""

from __future__ import annotations

from rich.console import RenderableType

from takt_cli.analysis.timers import TimersSummary
from takt_cli.report.formatting import format_number, format_range, format_slope, format_spread
from takt_cli.report.tables.rows import Row, not_granted, table_of


def timers_title(summary: TimersSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        f"{summary.callbacks} empty timers in {summary.nodes} nodes every {format_number(summary.period_ms)} ms, "
        f"{summary.phases} phases, {summary.rounds} x {format_number(summary.duration_s)} s"
    )


def timers_report(summary: TimersSummary) -> list[RenderableType]:
    """Return the report: a row for each executor and each floor, and the rights that were not granted."""
    rows = [
        Row(
            {
                "executor": name,
                "own CPU,\nus": figures.cpu_us_per_callback.own.median,
                "process,\nus": figures.cpu_us_per_callback.process.median,
                "ratio to its floor\n(own CPU)": format_range(ratio.median, ratio.min, ratio.max) if ratio else "",
                "run": figures.jobs.run,
                "skipped": figures.jobs.skipped,
                "release jitter, us\np50 · p99 · max": format_spread(figures.release_jitter_us, ""),
                "drift, us/min\n(95 %)": format_slope(figures.drift_us_per_min, "\n"),
            },
            style=None if ratio else "dim",
        )
        for name, figures in {**summary.executors, **summary.floors}.items()
        for ratio in [figures.ratio_to_floor]
    ]
    remark = (
        "CPU time per callback, median over the rounds; ratios with their range over the rounds. The floor is "
        "floor-wakeup for preemptive policies and floor-loop for the others; for nodes of rclcpp it is floor-rclcpp, "
        "one thread that sleeps and calls their timers."
    )
    refused = sorted({line for each in summary.executors.values() for line in each.refused})
    return [table_of(timers_title(summary), rows), remark, *not_granted(refused)]
