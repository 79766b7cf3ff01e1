# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Output of a reproduced paper: the files of its folder, and the report for the terminal."""

from __future__ import annotations

import shutil
from typing import Literal

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from takt_cli.chart.svg import write_svgs
from takt_cli.paper.page import absent_variants, paper_page, summarise_verdicts
from takt_cli.paper.papers import find_paper
from takt_cli.paper.result import PaperResult
from takt_cli.paper.tables import comma_separated, goal_table, markdown, verdict_table
from takt_cli.paper.verdict import count
from takt_cli.report.plotly_page import Table
from takt_cli.results.atomic_file import replace_file
from takt_cli.results.json_file import write_json

_STYLES = {"good": "green", "bad": "red", "open": "yellow"}


def write_paper(result: PaperResult) -> None:
    """Write summary.json, page.html, figures/*.svg, tables/*.csv and tables.md into the folder of the result."""
    paper, folder, summary = find_paper(result.settings.paper), result.folder, result.summary
    tables = {"goals": goal_table(summary.goals), "claims": verdict_table(summary.claims, paper.file.claimant)}
    tables |= paper.tables(summary.parts)
    for name in ("figures", "tables"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    write_svgs(folder / "figures", paper.charts(summary.parts))
    for name, table in tables.items():
        (folder / "tables" / f"{name}.csv").write_text(comma_separated(table), "utf-8")
    replace_file(folder / "tables.md", "\n".join(markdown(table) for table in tables.values()).encode())
    replace_file(folder / "page.html", paper_page(result).encode())
    write_json(folder / "summary.json", summary)


def paper_report(result: PaperResult) -> list[RenderableType]:
    """Return the report for the terminal: verdicts on claims, goals, what is missing, and where the files are."""
    paper, folder, summary = find_paper(result.settings.paper), result.folder, result.summary
    options = result.settings.options
    parts = [
        f"{name}: {count(part.runs, 'run')}" + ("" if part.duration_s is None else f" of {part.duration_s:g} s")
        for name, part in summary.parts.items()
    ]
    claims = [(f"{row.section} {row.claim}: {row.printed}", row.verdict, row.why) for row in summary.claims]
    columns = ("section, claim: as printed", "verdict", "why")
    return [
        f"{paper.file.title}; scale {options.scale:g}, CPU {', '.join(map(str, options.cpus))}; {', '.join(parts)}",
        *(map(_grid, paper.tables(summary.parts).values()) if paper.shows_tables else ()),
        _grid(Table(f"What {paper.file.claimant} claims", columns, claims, verdict="verdict")),
        _grid(goal_table(summary.goals)),
        *summarise_verdicts(result),
        *(f"{name}: {fact}" for name, fact in paper.facts(summary.parts)),
        # As Text, so that square brackets in a path or an error message are not taken for markup.
        *(Text(f"not available: {line}", style="dim") for line in absent_variants(summary)),
        *map(Text, summary.faults),
        Text(f"{folder / 'page.html'}: all tables and figures; {folder / 'tables.md'}, {folder / 'figures'}"),
    ]


def _grid(table: Table) -> Grid:
    """Return the table for the terminal: in one of verdicts these are in colour, between their subject and reasons."""
    grid = Grid(title=table.caption, title_justify="left", box=box.SIMPLE, padding=(0, 1, 0, 0))
    ratios = (2, None, 3) if table.verdict else (None,) * len(table.columns)
    for name, kind, ratio in zip(table.columns, table.kinds, ratios, strict=True):
        justify: Literal["left", "right"] = "left" if kind or table.verdict else "right"
        grid.add_column(name, overflow="fold", justify=justify, ratio=ratio, no_wrap=name == table.verdict)
    for row in table.rows:
        named = zip(table.columns, row, strict=True)
        grid.add_row(
            *(Text(cell, _STYLES[table.outcome(cell)] if name == table.verdict else "") for name, cell in named)
        )
    return grid
