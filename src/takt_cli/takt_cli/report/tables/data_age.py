# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure data-age` for the terminal: the age of a reader's data by number of other nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.formatting import NONE, format_count, format_number, format_verdict
from takt_cli.report.tables.run import STYLES


def data_age_report(summary: dict[str, Any], folder: Path) -> list[RenderableType]:
    """Return the report: a row for each run, and the verdict, which considers only the runs with a bound."""
    limit = format_number(summary["limit_ms"])
    table = Table(title=f"data age, runs of {format_number(summary['duration_s'])} s", title_justify="left")
    table.add_column("other\nnodes", justify="right")
    table.add_column("reader's\nphase", justify="right")
    table.add_column("max_age", justify="right")
    for name in ("n", "min · Q1 · median · Q3 · max, ms", f"above\n{limit} ms", "max in the\nsimulator, ms"):
        table.add_column(name, justify="right")
    for name in ("refreshed", "extra\nreleases", "missed*", "of them\nhost"):
        table.add_column(name, justify="right")
    for run in summary["runs"]:
        age, bounded = run["data_age_ms"], run["max_age_ms"] is not None
        ages = run["ages"] or {}
        table.add_row(
            format_count(run["nodes"]),
            f"{format_number(run['phase_ms'])} ms",
            f"{format_number(run['max_age_ms'])} ms" if bounded else "none",
            format_count(age["n"]),
            " · ".join(format_number(age[name]) for name in ("min", "q1", "median", "q3", "max")),
            format_count(run["above_limit"]),
            format_number(run["simulated_data_age_max_ms"]),
            format_count(ages.get("refreshed")) if bounded else NONE,
            format_count(ages.get("extra_releases")) if bounded else NONE,
            format_count(run["misses_of_those"]),
            format_count(run["host_misses_of_those"]),
            style=None if bounded else "dim",
        )
    parts: list[RenderableType] = [
        table,
        "* misses of the tasks that meet all deadlines in the simulator with their WCETs",
    ]
    parts.append(Text(format_verdict(summary["verdict"]), style=STYLES[summary["verdict"].outcome]))
    parts.append(f"result: {folder}")
    return parts
