# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests that a page shows what the terminal shows."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from takt_cli.report.page_table import page_table, page_text


def test_a_table_keeps_its_texts_without_their_looks() -> None:
    table = Table(title="Costs [bold]here[/bold]")
    table.add_column("executor")
    table.add_column("own CPU,\nus", justify="right")
    table.add_column("verdict")
    table.add_row("takt", "0.42 [0.41, 0.43]", Text("pass", style="green"), style="dim")
    table.add_row("baseline0", "", "a long sentence " * 20)
    shown = page_table(table)
    assert (shown.caption, shown.verdict) == ("Costs here", "verdict")
    assert list(shown.columns) == ["executor", "own CPU, us", "verdict"]
    assert shown.rows[0] == ("takt", "0.42 [0.41, 0.43]", "pass")
    assert shown.rows[1] == ("baseline0", "", ("a long sentence " * 20).strip())


def test_a_table_without_verdicts_highlights_none() -> None:
    table = Table("case", title="Cases")
    table.add_row("one")
    assert page_table(table).verdict == ""


def test_a_remark_is_one_line() -> None:
    assert page_text("first\nsecond [yellow]third[/yellow]") == "first second third"
