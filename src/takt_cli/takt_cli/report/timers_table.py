# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Empty timers as a table for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.words import NONE, count, number, spread


def timers_report(summary: dict[str, Any], place: Path) -> list[RenderableType]:
    """A row for each executor and floor, and what was not granted."""
    title = (
        f"{summary['callbacks']} empty timers in {summary['nodes']} nodes every {number(summary['period_ms'])} ms, "
        f"{summary['phases']} phases, {summary['rounds']} x {number(summary['duration_s'])} s"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("executor")
    for name in (
        "own CPU us/callback",
        "process CPU us/callback",
        "ratio to floor",
        "floor",
        "released",
        "run",
        "skipped",
        "release jitter us p50 · p99 · max",
        "drift us/min (95 %)",
    ):
        table.add_column(name, justify="right")
    for name, figures in {**summary["executors"], **summary["floors"]}.items():
        cpu, jobs = figures["cpu_us_per_callback"], figures["jobs"]
        ratio = figures.get("ratio_to_floor")
        table.add_row(
            name,
            _range(cpu["own"]),
            _range(cpu["process"]),
            _range(ratio) if ratio else "",
            figures.get("floor", ""),
            count(jobs["released"]),
            count(jobs["run"]),
            count(jobs["skipped"]),
            spread(figures["release_jitter_us"], ""),
            _drift(figures["drift_us_per_min"]),
            style="dim" if not ratio else None,
        )
    refused = sorted({line for f in summary["executors"].values() for line in f["refused"]})
    parts: list[RenderableType] = [table, "CPU and ratios: median over the rounds (smallest to largest)"]
    parts += [Text(f"not granted: {line}", style="yellow") for line in refused]
    parts.append(f"result: {place}")
    return parts


def _range(figures: dict[str, Any]) -> str:
    return f"{number(figures['median'])} ({number(figures['min'])} to {number(figures['max'])})"


def _drift(figures: dict[str, Any]) -> str:
    if figures["slope"] is None:
        return NONE
    return f"{figures['slope']:+.2g} ({figures['low']:+.2g} to {figures['high']:+.2g})"
