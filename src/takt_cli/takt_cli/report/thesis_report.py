# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is left of the thesis's evaluation in a folder, and what a terminal shows of it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from takt_cli.report.interactive import Table
from takt_cli.report.thesis_page import tally, thesis_page
from takt_cli.report.thesis_plots import thesis_plots
from takt_cli.report.thesis_tables import goal_table, markdown, own_measuring, thesis_tables, verdict_table

_STYLES = {
    "confirmed": "green",
    "better": "bold green",
    "not confirmed": "red",
    "inconclusive": "yellow",
    "yes": "green",
    "no": "bold red",
    "nobody can say": "yellow",
}


def write_thesis(summary: dict[str, Any], place: Path) -> None:
    """paper.json, page.html, figures/*.svg, tables/*.csv and tables.md."""
    tables = thesis_tables(summary["parts"])
    tables = {"goals": goal_table(summary["goals"]), "claims": verdict_table(summary["claims"])} | tables
    for name in ("figures", "tables"):
        shutil.rmtree(place / name, ignore_errors=True)
        (place / name).mkdir()
    for name, svg in thesis_plots(summary["parts"]).items():
        (place / "figures" / f"{name}.svg").write_text(svg, "utf-8")
    for name, table in tables.items():
        (place / "tables" / f"{name}.csv").write_text(_csv(table), "utf-8")
    (place / "tables.md").write_text("\n".join(markdown(table) for table in tables.values()), "utf-8")
    (place / "page.html").write_text(thesis_page(summary), "utf-8")
    (place / "paper.json").write_text(json.dumps(summary, indent=1, allow_nan=False) + "\n", "utf-8")


def thesis_report(summary: dict[str, Any], place: Path) -> list[RenderableType]:
    """Goals and verdicts, what is missing, and where the rest is."""
    setup = summary["setup"]
    parts = [
        f"{name}: {part['runs']} runs" + (f" of {part['duration_s']:g} s" if "duration_s" in part else "")
        for name, part in summary["parts"].items()
    ]
    said = [
        (f"{row['section']} {row['claim']}: {row['printed']}", row["verdict"], row["why"]) for row in summary["claims"]
    ]
    return [
        f"{summary['title']}; scale {setup['scale']:g}, CPU {', '.join(map(str, setup['cpus']))}; {', '.join(parts)}",
        _grid("What the thesis claims", ("section, claim: as printed", "verdict", "why"), said),
        _grid("What must be seen of takt", ("goal", "seen", "why"), goal_table(summary["goals"]).rows),
        *tally(summary),
        *([f"own measuring per job: {cost}"] if (cost := own_measuring(summary["parts"])) else []),
        # Text: what looks like markup in a path or an error is none.
        *map(Text, summary["faults"]),
        Text(f"{place / 'page.html'}: all tables and figures; {place / 'tables.md'}, {place / 'figures'}"),
    ]


def _grid(title: str, columns: tuple[str, str, str], rows: Sequence[Sequence[str]]) -> Grid:
    """What is judged, the verdict in its colour, and why."""
    grid = Grid(title=title, title_justify="left", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for name, ratio in zip(columns, (2, None, 3), strict=True):
        grid.add_column(name, overflow="fold", ratio=ratio, no_wrap=ratio is None)
    for what, verdict, why in rows:
        grid.add_row(Text(what), Text(verdict, style=_STYLES[verdict]), Text(why))
    return grid


def _csv(table: Table) -> str:
    """With plain figures: no thin spaces in them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([cell.replace("\u202f", "") for cell in row] for row in table.rows)
    return text.getvalue()
