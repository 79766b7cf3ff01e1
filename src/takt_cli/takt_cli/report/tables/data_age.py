# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt measure data-age`: the age of a reader's data by number of other nodes."""

from __future__ import annotations

from rich.console import RenderableType

from takt_cli.analysis.data_age import DataAgeSummary
from takt_cli.report.formatting import format_number
from takt_cli.report.tables.rows import Row, table_of


def data_age_title(summary: DataAgeSummary) -> str:
    """Return what was measured, in a phrase."""
    return f"Data age, runs of {format_number(summary.duration_s)} s"


def data_age_report(summary: DataAgeSummary) -> list[RenderableType]:
    """Return the report: a row for each run. The verdict considers only the runs with a bound."""
    rows = [
        Row(
            {
                "other\nnodes": run.nodes,
                "reader's\nphase": f"{format_number(run.phase_ms)} ms",
                "max_age": f"{format_number(run.max_age_ms)} ms" if bounded else "none",
                "n": age.n,
                "min · Q1 · median · Q3 · max, ms": " · ".join(
                    format_number(each) for each in (age.min, age.q1, age.median, age.q3, age.max)
                ),
                f"above\n{format_number(summary.limit_ms)} ms": run.above_limit,
                "max in the\nsimulator, ms": run.simulated_data_age_max_ms,
                "refreshed": (run.ages or {}).get("refreshed") if bounded else None,
                "extra\nreleases": (run.ages or {}).get("extra_releases") if bounded else None,
                "missed*": run.misses_of_those,
                "of them\nhost": run.host_misses_of_those,
            },
            style=None if bounded else "dim",
        )
        for run in summary.runs
        for age, bounded in [(run.data_age_ms, run.max_age_ms is not None)]
    ]
    return [
        table_of(data_age_title(summary), rows),
        "* misses of the tasks that meet all deadlines in the simulator with their WCETs",
    ]
