# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables for the terminal, made of rows that map the titles of columns to values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from takt_cli.report.values import Value, format_value
from takt_cli.results.verdict import TOO_SHORT, Verdict

STYLES = {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow", TOO_SHORT: "bold yellow"}
"""The styles of verdicts."""


class Row(NamedTuple):
    """A row that is shown in a style, or below which there is a line."""

    cells: Mapping[str, Value]
    style: str | None = None
    ends_section: bool = False


def table_of(
    title: str | None,
    rows: Iterable[Row | Mapping[str, Value]],
    texts: Collection[str] | None = None,
    *,
    no_wrap: Collection[str] = (),
    **look: Any,
) -> Table:
    """Return the table of the rows, with the columns of all of them; a row need not have each. The columns of
    `texts`, by default the first one, are set flush left; the others are figures, set flush right. Those of `no_wrap`
    have no line breaks. `look` is for `rich.table.Table`."""
    every = [row if isinstance(row, Row) else Row(row) for row in rows]
    names = list(dict.fromkeys(name for row in every for name in row.cells))
    table = Table(title=title, title_justify="left", **look)
    for name in names:
        is_text = name in (names[:1] if texts is None else texts)
        table.add_column(name, justify="left" if is_text else "right", no_wrap=name in no_wrap)
    for row in every:
        cells = (format_value(row.cells.get(name, "")) for name in names)
        table.add_row(*cells, style=row.style, end_section=row.ends_section)
    return table


def figures_table(
    title: str | None, figures: Iterable[tuple[str, Value]], texts: Collection[str] = ("figure",)
) -> Table:
    """Return the table of named figures, one below the other."""
    rows = [{"figure": name, "value": value} for name, value in figures]
    return table_of(title, rows, texts, show_header=title is not None)


def warnings(lines: Iterable[str], prefix: str = "") -> list[Text]:
    """Return lines that a reader must not overlook."""
    return [Text(prefix + line, style="yellow") for line in lines]


def not_granted(refused: Iterable[str]) -> list[Text]:
    """Return a line for each right that was not granted."""
    return warnings(refused, "not granted: ")


def verdict_text(verdict: Verdict) -> Text:
    """Return the outcome of a verdict in its colour."""
    return Text(verdict.outcome, style=STYLES.get(verdict.outcome, ""))
