# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure timers` for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.report.formatting import format_count, format_number, format_slope, format_spread


def timers_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: a row for each executor and each floor, and the rights that were not granted."""
    title = (
        f"{summary['callbacks']} empty timers in {summary['nodes']} nodes every "
        f"{format_number(summary['period_ms'])} ms, "
        f"{summary['phases']} phases, {summary['rounds']} x {format_number(summary['duration_s'])} s"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("executor")
    for name in ("own CPU,\nus", "process,\nus", "ratio to its floor\n(own CPU)", "run", "skipped"):
        table.add_column(name, justify="right")
    table.add_column("release jitter, us\np50 · p99 · max", justify="right")
    table.add_column("drift, us/min\n(95 %)", justify="right")
    for name, metrics in {**summary["executors"], **summary["floors"]}.items():
        cpu, jobs = metrics["cpu_us_per_callback"], metrics["jobs"]
        ratio = metrics.get("ratio_to_floor")
        table.add_row(
            name,
            format_number(cpu["own"]["median"]),
            format_number(cpu["process"]["median"]),
            _range(ratio) if ratio else "",
            format_count(jobs["run"]),
            format_count(jobs["skipped"]),
            format_spread(metrics["release_jitter_us"], ""),
            format_slope(metrics["drift_us_per_min"], "\n"),
            style="dim" if not ratio else None,
        )
    parts: list[RenderableType] = [table]
    parts.append(
        "CPU time per callback, median over the rounds; ratios with their range over the rounds. The floor is "
        "floor-wakeup for preemptive policies and floor-loop for the others; for nodes of rclcpp it is floor-rclcpp, "
        "one thread that sleeps and calls their timers."
    )
    virtual = virtual_time_label(summary)
    if virtual:
        parts.append(Text(virtual, style="yellow"))
    refused = sorted({line for f in summary["executors"].values() for line in f["refused"]})
    parts += [Text(f"not granted: {line}", style="yellow") for line in refused]
    parts.append(f"result: {folder}")
    return parts


def _range(statistics: dict[str, Any]) -> str:
    return (
        f"{format_number(statistics['median'])} ({format_number(statistics['min'])} to "
        f"{format_number(statistics['max'])})"
    )
