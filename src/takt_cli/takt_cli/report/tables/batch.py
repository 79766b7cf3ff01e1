# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Summary tables of a batch for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.batch_summary import BatchSummary, FiguresOverRuns, OverRuns
from takt_cli.report.tables.fitted import FittedTable
from takt_cli.report.tables.rows import Row, warnings
from takt_cli.report.values import NONE, format_count, format_number

# With more rows than this the table of single applications is left out; summary.json has them all.
_MOST_ROWS = 60
_INFINITE = "\u221e"
_RANGE = " (min to max)"
# The columns in the order in which they are left out on a narrow terminal.
_LEAVE = (
    "runs",
    "verdicts",
    "unforced %",
    "data age max ms",
    "dispatch us/job",
    "stale %",
    "misses %",
    "host",
    "executor",
)


def batch_report(summary: BatchSummary, folder: Path) -> list[RenderableType]:
    """Return the terminal report of a batch: its tables, notes on the figures, and the runs that failed or are pending.
    There is a row for each application under each executor, or for each executor alone if there are too many
    applications."""
    runs = summary.runs
    title = f"{format_count(runs)} runs of {summary.duration_s:g} s; median{_RANGE} over runs"
    parts: list[RenderableType] = []
    if 1 < len(summary.rows) <= _MOST_ROWS:
        parts.append(batch_table(title, summary.rows))
    parts.append(batch_table("all applications" if parts else title, summary.executors))
    parts += warnings(notes(summary))
    for failed in summary.failed:
        item = f"{failed.application} under {failed.executor}, run {failed.run}"
        parts.append(Text(f"failed: {item}, {failed.attempts} attempts: {failed.error}", style="bold red"))
    if summary.pending:
        parts.append(Text(f"not run yet: {format_count(summary.pending)}", style="bold yellow"))
    parts.append(f"result: {folder}")
    return parts


def notes(summary: BatchSummary) -> list[str]:
    """Return notes that qualify the figures: different hosts, different commits of takt, and rights not granted."""
    lines = []
    hosts = summary.hosts
    listed_hosts = ", ".join(f"{name} ({runs})" for name, runs in hosts.runs.items())
    if hosts.differ:
        differences = "; ".join(f"{fact}: {' | '.join(values)}" for fact, values in hosts.differ.items())
        lines.append(f"run on different kinds of hosts, each kind in rows of its own: {listed_hosts}: {differences}")
    elif len(hosts.runs) > 1:
        lines.append(f"run on {len(hosts.runs)} hosts of one kind: {listed_hosts}")
    if len(summary.commits) > 1:
        commits = ", ".join(f"{commit[:9]} ({runs})" for commit, runs in summary.commits.items())
        lines.append(f"these runs were made with several commits of takt: {commits}")
    lines += [f"not granted: {line}" for line in summary.refused]
    return lines


def batch_table(title: str, rows: Sequence[FiguresOverRuns]) -> FittedTable:
    """Return the table of some rows of a batch's summary, with the application if they are of one each."""
    names = ("application", "executor", "host")
    named = [name for name in names if any(getattr(row, name) for row in rows)]

    def cells(row: FiguresOverRuns, format_figures: Callable[..., str]) -> Row:
        return Row({
            **{name: getattr(row, name) or "" for name in named},
            "runs": format_count(row.runs),
            "misses %": format_figures(row.miss_ratio, 100),
            "unforced %": format_figures(row.unforced_ratio, 100),
            "stale %": format_figures(row.stale_ratio, 100),
            "data age max ms": format_figures(row.data_age_max_ms),
            "dispatch us/job": format_figures(row.dispatch_us),
            "verdicts": ", ".join(f"{n} {outcome}" for outcome, n in sorted(row.verdicts.items())),
        })  # fmt: skip

    full_rows, short_rows = ([cells(row, shown) for row in rows] for shown in (format_over_runs, _median))
    return FittedTable(title, full_rows, short_rows, title.replace(_RANGE, ""), _LEAVE, names)


def format_over_runs(statistics: OverRuns, scale: float = 1) -> str:
    """Format median and range over runs as `2.1 (1.9 to 3.4)`, or the median alone if all runs have the same value."""
    if not statistics.n:
        return NONE
    median, minimum, maximum = (
        _format_value(value, scale) for value in (statistics.median, statistics.min, statistics.max)
    )
    return median if minimum == maximum else f"{median} ({minimum} to {maximum})"


def _median(statistics: OverRuns, scale: float = 1) -> str:
    return _format_value(statistics.median, scale) if statistics.n else NONE


def _format_value(value: float | None, scale: float) -> str:
    return _INFINITE if value is None else format_number(scale * value)
