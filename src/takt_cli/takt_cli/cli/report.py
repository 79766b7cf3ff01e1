# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt report`: make an interactive HTML page of a result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from takt_cli.analysis.result_set import read_set
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import ResultError
from takt_cli.measurements.page import benchmarks_page, measurement_page
from takt_cli.measurements.registry import measurement_in
from takt_cli.options.common import json_option
from takt_cli.paper.folder import PAPER_FILE, read_summary
from takt_cli.paper.page import paper_page
from takt_cli.report.study_report import result_page
from takt_cli.results.atomic_file import write_atomically
from takt_cli.results.benchmark import ALL_FORMAT
from takt_cli.results.result_file import kind_of


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="HTML file to write [default: report.html in DIR; for a paper page.html in DIR].",
)
@json_option
def report(folder: Path, out: Path | None, as_json: bool) -> None:
    """Make one interactive HTML page of the result in the folder DIR.

    For anyone who wants to study or share a result: that of `takt run`, `demo`, `batch`, `soak` or `paper`, or of any
    `takt measure`, `all` included. The page is a single file that needs no network and no other file. Plots can be
    explored by mouse, touch or keyboard. Figures of runs link to the run they came from. Links to the files of a run
    are relative: they work while the page is in the result folder.

    \b
    Examples:
      takt report results/first
      takt report results/batch --out batch.html
    """
    # A spinner rather than a progress bar: the time to read a result cannot be predicted.
    with Console(stderr=True).status(f"reading {folder}") as status:
        if (folder / PAPER_FILE).exists():
            place, facts = _make_paper_page(folder, out)
        elif (measurement := measurement_in(folder)) is not None:
            status.update("drawing")
            place = out or folder / "report.html"
            write_atomically(place, measurement_page(measurement, folder))
            facts = {"kind": measurement.name}
        elif kind_of(folder) == ALL_FORMAT.kind:
            status.update("drawing")
            place = out or folder / "report.html"
            write_atomically(place, benchmarks_page(folder))
            facts = {"kind": ALL_FORMAT.kind}
        else:
            result = read_set(folder)
            status.update("drawing")
            place = out or folder / "report.html"
            write_atomically(place, result_page(result, place.absolute().parent))
            facts = {"kind": result.kind, "runs": len(result.runs), "failed": len(result.failed)}
    if as_json:
        print_json({"page": str(place)} | facts | {"bytes": place.stat().st_size})
    else:
        print_output(f"page: {place}")


def _make_paper_page(folder: Path, out: Path | None) -> tuple[Path, dict[str, Any]]:
    """Make the page of a paper anew from paper.json; return its path and facts for --json.

    Raises a ResultError if paper.json is not readable, or if the page would lie outside `folder`.
    """
    place = out or folder / "page.html"
    if place.absolute().parent.resolve() != folder.resolve():
        raise ResultError(
            f"{place}: the links of a paper's page are relative to {folder}; name a file in that folder by --out"
        )
    summary = read_summary(folder)
    write_atomically(place, paper_page(summary))
    parts = summary.parts.values()
    return place, {
        "kind": "paper",
        "runs": sum(part.runs for part in parts),
        "failed": sum(len(part.failed) for part in parts),
    }
