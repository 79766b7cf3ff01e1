# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables that all papers have, of verdicts and goals, and the conversion of tables into text formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence

from takt_cli.paper.claims import ClaimVerdict, Goal
from takt_cli.report.plotly_page import Link, Table
from takt_cli.results.result_file import SUMMARY_FILE
from takt_cli.results.verdict import TOO_SHORT

GOALS = "Goals for takt"
UNDECIDED = "not decidable"


def verdict_table(rows: Sequence[ClaimVerdict], claimant: str, sections: Collection[str] = ()) -> Table:
    """Return the table of claims. A claim links to the section of its part if that is one of `sections`."""
    columns = ("claim", "section", "printed", "verdict", "why", "decided by")
    return Table(
        f"What {claimant} claims",
        columns,
        [[row.claim, row.section, row.printed, row.verdict, row.why, row.rule] for row in rows],
        [[Link(row.part, f"#{row.part}")] if row.part in sections else [] for row in rows] if sections else (),
        links_title="figures",
        verdict="verdict",
        never_folded=True,
    )


def goal_table(rows: Sequence[Goal]) -> Table:
    """Return the table of goals."""
    words = {True: "yes", False: "no", None: UNDECIDED}
    cells = [[row.goal, TOO_SHORT if row.too_short else words[row.reached], row.why] for row in rows]
    return Table(GOALS, ("goal", "reached", "why"), cells, verdict="reached", never_folded=True)


def markdown(table: Table) -> str:
    """Return the table as GitHub-flavoured Markdown."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rows = [line(table.columns), line(["---"] * len(table.columns)), *map(line, table.rows)]
    return f"**{table.caption}**\n\n" + "\n".join(rows) + "\n"


def comma_separated(table: Table) -> str:
    """Return the table as CSV, with thin spaces removed from the figures."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([cell.replace("\u202f", "") for cell in row] for row in table.rows)
    return text.getvalue()


def run_links(folders: Sequence[str], file: str = SUMMARY_FILE, max_links: int = 5) -> list[Link]:
    """Return links to the runs that a row was computed from, at most `max_links` of them."""
    return [Link(place.rpartition("/")[2], f"{place}/{file}", place) for place in folders[:max_links]]
