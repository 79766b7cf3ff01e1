# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure data-age`: the age of a reader's data by number of other nodes."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table

from takt_cli.analysis.data_age import DataAgeSummary
from takt_cli.report.formatting import NONE, format_count, format_number


def data_age_title(summary: DataAgeSummary) -> str:
    """Return what was measured, in a phrase."""
    return f"Data age, runs of {format_number(summary.duration_s)} s"


def data_age_report(summary: DataAgeSummary) -> list[RenderableType]:
    """Return the report: a row for each run. The verdict considers only the runs with a bound."""
    limit = format_number(summary.limit_ms)
    table = Table(title=data_age_title(summary), title_justify="left")
    table.add_column("other\nnodes", justify="right")
    table.add_column("reader's\nphase", justify="right")
    table.add_column("max_age", justify="right")
    for name in ("n", "min · Q1 · median · Q3 · max, ms", f"above\n{limit} ms", "max in the\nsimulator, ms"):
        table.add_column(name, justify="right")
    for name in ("refreshed", "extra\nreleases", "missed*", "of them\nhost"):
        table.add_column(name, justify="right")
    for run in summary.runs:
        age, ages, bounded = run.data_age_ms, run.ages, run.max_age_ms is not None
        table.add_row(
            format_count(run.nodes),
            f"{format_number(run.phase_ms)} ms",
            f"{format_number(run.max_age_ms)} ms" if bounded else "none",
            format_count(age.n),
            " · ".join(format_number(each) for each in (age.min, age.q1, age.median, age.q3, age.max)),
            format_count(run.above_limit),
            format_number(run.simulated_data_age_max_ms),
            format_count(ages.refreshed) if bounded and ages else NONE,
            format_count(ages.extra_releases) if bounded and ages else NONE,
            format_count(run.misses_of_those),
            format_count(run.host_misses_of_those),
            style=None if bounded else "dim",
        )
    return [table, "* misses of the tasks that meet all deadlines in the simulator with their WCETs"]
