# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Output of a reproduced paper: the files of its folder, and the report for the terminal."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from takt_cli.chart.chart import Chart
from takt_cli.chart.svg import write_svgs
from takt_cli.paper.verdict import describe_runs
from takt_cli.report.charts.thesis import thesis_charts
from takt_cli.report.gutierrez_page import gutierrez_charts, gutierrez_page
from takt_cli.report.icra_page import icra_charts, icra_page
from takt_cli.report.paper_page import absent_variants, summarise_verdicts
from takt_cli.report.plotly_page import Table
from takt_cli.report.tables.gutierrez import gutierrez_tables
from takt_cli.report.tables.icra import icra_tables
from takt_cli.report.tables.paper import GOALS, UNDECIDED, comma_separated, goal_table, markdown, verdict_table
from takt_cli.report.tables.thesis import recording_costs, thesis_tables
from takt_cli.report.thesis_page import thesis_page
from takt_cli.results.json_file import plain
from takt_cli.statistics.correlation import TOO_SHORT

Metrics = dict[str, Any]

_STYLES = {
    "confirmed": "green",
    "better": "bold green",
    "not confirmed": "red",
    "inconclusive": "yellow",
    "yes": "green",
    "no": "bold red",
    UNDECIDED: "yellow",
    TOO_SHORT: "yellow",
}


class PaperPresentation(NamedTuple):
    """The functions that show the results of a paper.

    `claimant` is what makes the claims. `tables` and `charts` take the figures by part. `make_page` takes the content
    of paper.json and returns HTML. `tables_shown` says of the name of a table whether the terminal shows it, too.
    """

    claimant: str
    tables: Callable[[dict[str, Metrics]], dict[str, Table]]
    charts: Callable[[dict[str, Metrics]], dict[str, Chart]]
    make_page: Callable[[Metrics], str]
    tables_shown: Callable[[str], bool] = lambda _: False


PRESENTATIONS = {
    "thesis2021": PaperPresentation("the thesis", thesis_tables, thesis_charts, thesis_page),
    "gutierrez2018": PaperPresentation("the paper", gutierrez_tables, gutierrez_charts, gutierrez_page, lambda _: True),
    "icra2021": PaperPresentation("the paper", icra_tables, icra_charts, icra_page, lambda _: True),
}


def render_page(summary: Metrics) -> str:
    """Return the page as HTML. `summary` is the content of paper.json."""
    return PRESENTATIONS[summary["paper"]].make_page(summary)


def write_paper(summary: Metrics, folder: Path) -> None:
    """Write paper.json, page.html, figures/*.svg, tables/*.csv and tables.md into the folder `folder`."""
    presentation = PRESENTATIONS[summary["paper"]]
    tables = {"goals": goal_table(summary["goals"]), "claims": verdict_table(summary["claims"], presentation.claimant)}
    tables |= presentation.tables(summary["parts"])
    for name in ("figures", "tables"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    write_svgs(folder / "figures", presentation.charts(summary["parts"]))
    for name, table in tables.items():
        (folder / "tables" / f"{name}.csv").write_text(comma_separated(table), "utf-8")
    (folder / "tables.md").write_text("\n".join(markdown(table) for table in tables.values()), "utf-8")
    (folder / "page.html").write_text(presentation.make_page(summary), "utf-8")
    (folder / "paper.json").write_text(json.dumps(plain(summary), indent=1, allow_nan=False) + "\n", "utf-8")


def paper_report(summary: Metrics, folder: Path) -> list[RenderableType]:
    """Return the report for the terminal: verdicts on claims, goals, what is missing, and where the files are."""
    presentation, setup = PRESENTATIONS[summary["paper"]], summary["setup"]
    parts = [
        f"{name}: {describe_runs(part['runs'])}" + (f" of {part['duration_s']:g} s" if "duration_s" in part else "")
        for name, part in summary["parts"].items()
    ]
    claim_rows = [
        (f"{row['section']} {row['claim']}: {row['printed']}", row["verdict"], row["why"]) for row in summary["claims"]
    ]
    return [
        f"{summary['title']}; scale {setup['scale']:g}, CPU {', '.join(map(str, setup['cpus']))}; {', '.join(parts)}",
        *(
            _plain(table)
            for name, table in presentation.tables(summary["parts"]).items()
            if presentation.tables_shown(name)
        ),
        _grid(f"What {presentation.claimant} claims", ("section, claim: as printed", "verdict", "why"), claim_rows),
        _grid(GOALS, ("goal", "reached", "why"), goal_table(summary["goals"]).rows),
        *summarise_verdicts(summary, presentation.claimant),
        *([f"measurement overhead per job: {cost}"] if (cost := recording_costs(summary["parts"])) else []),
        # As Text, so that square brackets in a path or an error message are not taken for markup.
        *(Text(f"not available: {line}", style="dim") for line in absent_variants(summary)),
        *map(Text, summary["faults"]),
        Text(f"{folder / 'page.html'}: all tables and figures; {folder / 'tables.md'}, {folder / 'figures'}"),
    ]


def _plain(table: Table) -> Grid:
    grid = Grid(title=table.caption, title_justify="left", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for name, kind in zip(table.columns, table.kinds, strict=True):
        grid.add_column(name, overflow="fold", justify="left" if kind else "right")
    for row in table.rows:
        grid.add_row(*map(Text, row))
    return grid


def _grid(title: str, columns: tuple[str, str, str], rows: Sequence[Sequence[str]]) -> Grid:
    """Return a table of what is judged, its verdict in colour, and the reasons."""
    grid = Grid(title=title, title_justify="left", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for name, ratio in zip(columns, (2, None, 3), strict=True):
        grid.add_column(name, overflow="fold", ratio=ratio, no_wrap=ratio is None)
    for subject, verdict, explanation in rows:
        grid.add_row(Text(subject), Text(verdict, style=_STYLES[verdict]), Text(explanation))
    return grid
