# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of tables for terminals of any width: names and figures stay complete, whatever else there is no room for."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from takt_cli.analysis.batch_summary import FiguresOverRuns, OverRuns
from takt_cli.report.tables.batch import batch_table
from takt_cli.report.tables.fitted import FittedTable
from takt_cli.report.tables.rows import Row

TITLES = ("application", "stale %", "data age")


def row(*cells: str) -> Row:
    return Row(dict(zip(TITLES, cells, strict=True)))


ROWS = (row("n20-u75-x20_80-m512KiB-1", "24 (16.8 to 31.2)", "7"), row("other", "0", "8"))
SHORT = (row("n20-u75-x20_80-m512KiB-1", "24", "7"), row("other", "0", "8"))
TABLE = FittedTable("all (some)", ROWS, SHORT, "all", ("data age", "stale %"), ("application",))


def rendered_lines(part: RenderableType, width: int, terminal: bool = True) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    console.print(part)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_a_wide_table_has_lines() -> None:
    lines = rendered_lines(TABLE, 59)
    assert lines[0] == "all (some)"
    assert lines[4] == "│ n20-u75-x20_80-m512KiB-1 │ 24 (16.8 to 31.2) │        7 │"
    assert rendered_lines(TABLE, 58)[0] == "all"


def test_a_narrow_table_is_shorter_and_names_missing_columns() -> None:
    lines = rendered_lines(TABLE, 37)
    assert lines == [
        "all",
        "                          stale  data",
        "application                   %   age",
        "n20-u75-x20_80-m512KiB-1     24     7",
        "other                         0     8",
    ]
    assert rendered_lines(TABLE, 32)[-1] == "no room for data age"


def test_into_a_file_nothing_is_left_out() -> None:
    lines = rendered_lines(TABLE, 50, terminal=False)
    assert lines[0] == "all (some)"
    assert [line.count("│") for line in lines if "24 (16.8" in line] == [4]


@pytest.mark.parametrize("width", [80, 100, 200])
def test_applications_and_executors_of_a_batch_can_be_distinguished(width: int) -> None:
    figures = OverRuns(5, 0.123, 0.0456, 0.789)
    shown = (
        "miss_ratio",
        "unforced_ratio",
        "stale_ratio",
        "data_age_max_ms",
        "dispatch_us",
        "host_misses",
        "decision_us",
    )
    names = [f"thesis_small-n50-u100-{size}-1" for size in ("512KiB", "8MiB")]
    verdicts = {"pass": 4, "inconclusive": 1}
    rows = [
        FiguresOverRuns(
            application=name, executor=executor, host=None, runs=5, verdicts=verdicts, **dict.fromkeys(shown, figures)
        )
        for name in names
        for executor in ("baseline0", "baseline1", "takt")
    ]
    text = "\n".join(rendered_lines(batch_table("runs", rows), width))
    for name in names:
        assert text.count(name) == 3
    for executor in ("baseline0", "baseline1"):
        assert text.count(executor) == 2
    assert text.count("12.3") == 3 * 6 if width == 200 else 6 <= text.count("12.3") <= 3 * 6
