# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt report`: make an interactive HTML page of a result."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from takt_cli.cli.kinds import kind_in
from takt_cli.cli.output import show
from takt_cli.options.common import json_option
from takt_cli.results.atomic_file import write_atomically


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
    `takt measure`. The page is a single file that needs no network and no other file. Plots can be explored by mouse,
    touch or keyboard. Figures of runs link to the run they came from. Links to the files of a run are relative: they
    work while the page is in the result folder.

    \b
    Examples:
      takt report results/first
      takt report results/batch --out batch.html
    """
    # A spinner rather than a progress bar: the time to read a result cannot be predicted.
    with Console(stderr=True).status(f"drawing the page of {folder}"):
        kind = kind_in(folder)
        place = out or folder / kind.page_file
        page = kind.page(folder, place.absolute().parent)
        write_atomically(place, page.html)
    facts = {"page": str(place), "kind": kind.name, **page.facts, "bytes": place.stat().st_size}
    show(as_json, facts, f"page: {place}")
