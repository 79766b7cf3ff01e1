# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Summary tables of a batch for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from takt_cli.report.formatting import NONE, format_count, format_number
from takt_cli.report.tables.fitted import Column, FittedTable, Row

# With more rows than this the table of single applications is left out; summary.json has them all.
_MOST_ROWS = 60
_INFINITE = "\u221e"
_RANGE = " (min to max)"
_COLUMNS = (
    Column("runs", 8),
    Column("misses %", 2),
    Column("unforced %", 6),
    Column("stale %", 3),
    Column("data age max ms", 5),
    Column("dispatch us/job", 4),
    Column("verdicts", 7),
)


def batch_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the terminal report of a batch: its tables, notes on the figures, and the runs that failed or are pending.

    There is a row for each application under each executor, or for each executor alone if there are too many
    applications.
    """
    runs = summary["runs"]
    title = f"{format_count(runs)} runs of {summary['duration_s']:g} s; median{_RANGE} over runs"
    parts: list[RenderableType] = []
    if 1 < len(summary["rows"]) <= _MOST_ROWS:
        parts.append(batch_table(title, summary["rows"], "application"))
    parts.append(batch_table("all applications" if parts else title, summary["executors"], None))
    parts += [Text(line, style="yellow") for line in notes(summary)]
    for failed in summary["failed"]:
        item = f"{failed['application']} under {failed['executor']}, run {failed['run']}"
        parts.append(Text(f"failed: {item}, {failed['attempts']} attempts: {failed['error']}", style="bold red"))
    if summary["pending"]:
        parts.append(Text(f"not run yet: {format_count(summary['pending'])}", style="bold yellow"))
    parts.append(f"result: {folder}")
    return parts


def notes(summary: dict[str, Any]) -> list[str]:
    """Return notes that qualify the figures: different hosts, different commits of takt, and rights not granted."""
    lines = []
    hosts = summary["hosts"]
    listed_hosts = ", ".join(f"{name} ({runs})" for name, runs in hosts["runs"].items())
    if hosts["differ"]:
        differences = "; ".join(f"{fact}: {' | '.join(values)}" for fact, values in hosts["differ"].items())
        lines.append(f"run on different kinds of hosts, each kind in rows of its own: {listed_hosts}: {differences}")
    elif len(hosts["runs"]) > 1:
        lines.append(f"run on {len(hosts['runs'])} hosts of one kind: {listed_hosts}")
    if len(summary["commits"]) > 1:
        commits = ", ".join(f"{commit[:9]} ({runs})" for commit, runs in summary["commits"].items())
        lines.append(f"these runs were made with several commits of takt: {commits}")
    lines += [f"not granted: {line}" for line in summary["refused"]]
    return lines


def batch_table(title: str, rows: list[dict[str, Any]], name: str | None) -> FittedTable:
    """Return the table of some rows of a batch's summary. `name` is the key and title of the first column, if any."""
    several_hosts = any(row["host"] for row in rows)
    columns = [Column(name, 0, breaks_at_words=True)] if name else []
    columns += [
        Column("executor", 1, breaks_at_words=True),
        *([Column("host", 1, breaks_at_words=True)] if several_hosts else []),
        *_COLUMNS,
    ]

    def cells(row: dict[str, Any], format_figures: Callable[..., str]) -> Row:
        identity = ([row[name]] if name else []) + [row["executor"]] + ([row["host"] or ""] if several_hosts else [])
        metrics = (
            format_count(row["runs"]),
            format_figures(row["miss_ratio"], 100),
            format_figures(row["unforced_ratio"], 100),
            format_figures(row["stale_ratio"], 100),
            format_figures(row["data_age_max_ms"]),
            format_figures(row["dispatch_us"]),
            ", ".join(f"{n} {outcome}" for outcome, n in sorted(row["verdicts"].items())),
        )
        return Row((*identity, *metrics))

    full_rows, short_rows = ([cells(row, shown) for row in rows] for shown in (format_over_runs, _median))
    return FittedTable(title, columns, full_rows, short_rows, title.replace(_RANGE, ""))


def format_over_runs(statistics: dict[str, Any], scale: float = 1) -> str:
    """Format median and range over runs as `2.1 (1.9 to 3.4)`, or the median alone if all runs have the same value."""
    if not statistics["n"]:
        return NONE
    median, minimum, maximum = (_format_value(statistics[name], scale) for name in ("median", "min", "max"))
    return median if minimum == maximum else f"{median} ({minimum} to {maximum})"


def _median(statistics: dict[str, Any], scale: float = 1) -> str:
    return _format_value(statistics["median"], scale) if statistics["n"] else NONE


def _format_value(value: float | None, scale: float) -> str:
    return _INFINITE if value is None else format_number(scale * value)
