# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure timers`."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.timers import OverRounds, TimersSummary
from takt_cli.report.formatting import format_count, format_number, format_slope, format_spread


def timers_title(summary: TimersSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        f"{summary.callbacks} empty timers in {summary.nodes} nodes every {format_number(summary.period_ms)} ms, "
        f"{summary.phases} phases, {summary.rounds} x {format_number(summary.duration_s)} s"
    )


def timers_report(summary: TimersSummary) -> list[RenderableType]:
    """Return the report: a row for each executor and each floor, and the rights that were not granted."""
    table = Table(title=timers_title(summary), title_justify="left")
    table.add_column("executor")
    for name in ("own CPU,\nus", "process,\nus", "ratio to its floor\n(own CPU)", "run", "skipped"):
        table.add_column(name, justify="right")
    table.add_column("release jitter, us\np50 · p99 · max", justify="right")
    table.add_column("drift, us/min\n(95 %)", justify="right")
    for name, figures in {**summary.executors, **summary.floors}.items():
        cpu, jobs, ratio = figures.cpu_us_per_callback, figures.jobs, figures.ratio_to_floor
        table.add_row(
            name,
            format_number(cpu.own.median),
            format_number(cpu.process.median),
            _range(ratio) if ratio else "",
            format_count(jobs.run),
            format_count(jobs.skipped),
            format_spread(figures.release_jitter_us, ""),
            format_slope(figures.drift_us_per_min, "\n"),
            style="dim" if not ratio else None,
        )
    remark = (
        "CPU time per callback, median over the rounds; ratios with their range over the rounds. The floor is "
        "floor-wakeup for preemptive policies and floor-loop for the others; for nodes of rclcpp it is floor-rclcpp, "
        "one thread that sleeps and calls their timers."
    )
    refused = sorted({line for each in summary.executors.values() for line in each.refused})
    return [table, remark, *(Text(f"not granted: {line}", style="yellow") for line in refused)]


def _range(ratio: OverRounds) -> str:
    return f"{format_number(ratio.median)} ({format_number(ratio.min)} to {format_number(ratio.max)})"
