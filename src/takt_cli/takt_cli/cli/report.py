# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt report`: the page of a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from takt_cli.analysis.compare_measured import measured_kind
from takt_cli.analysis.interference import holds_interference
from takt_cli.analysis.result_set import read_set
from takt_cli.cli.options import json_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import ResultError
from takt_cli.host.whole_file import write_whole
from takt_cli.report.interference_page import interference_page
from takt_cli.report.measured_page import measured_page
from takt_cli.report.paper_report import page_of
from takt_cli.report.study_report import result_page

_PAPER = "paper.json"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The page [default: report.html in DIR; of a paper, its page.html].",
)
@json_option
def report(folder: Path, out: Path | None, as_json: bool) -> None:
    """Make one page of the result in DIR: of a run, of a demo, of a batch, of a paper, of round trips or cycles, of
    interference.

    The page needs nothing else: it opens without a network, on a desk or a phone, in light or dark.
    Its plots can be looked into, by mouse, finger or keyboard; under each is a table, and every
    figure leads to the run that it came from. Links to a run's files are relative to the page:
    keep it in the folder if they are to work.

    \b
    Examples:
      takt report results/first
      takt report results/batch --out batch.html
    """
    # Nobody knows how long: a run under baseline1 has a record of each process.
    with Console(stderr=True).status(f"reading {folder}") as status:
        if (folder / _PAPER).exists():
            place, told = _of_paper(folder, out)
        elif (kind := measured_kind(folder)) is not None:
            status.update("drawing")
            place = out or folder / "report.html"
            write_whole(place, measured_page(folder, kind))
            told = {"kind": kind}
        elif holds_interference(folder):
            status.update("drawing")
            place = out or folder / "report.html"
            write_whole(place, interference_page(folder))
            told = {"kind": "interference"}
        else:
            result = read_set(folder)
            status.update("drawing")
            place = out or folder / "report.html"
            write_whole(place, result_page(result, place.absolute().parent))
            told = {"kind": result.kind, "runs": len(result.runs), "failed": len(result.failed)}
    if as_json:
        print_json({"page": str(place)} | told | {"bytes": place.stat().st_size})
    else:
        show(f"page: {place}")


def _of_paper(folder: Path, out: Path | None) -> tuple[Path, dict[str, Any]]:
    """Its page anew, from the figures that `takt paper` left."""
    path, place = folder / _PAPER, out or folder / "page.html"
    if place.absolute().parent.resolve() != folder.resolve():
        raise ResultError(f"{place}: the links of a paper's page are relative to {folder}; name a file in it by --out")
    try:
        summary = json.loads(path.read_text("utf-8"))
        page = page_of(summary)
        parts = list(summary["parts"].values())
        told = {"runs": sum(part["runs"] for part in parts), "failed": sum(len(part["failed"]) for part in parts)}
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ResultError(
            f"{path}: is not what this version of takt paper writes; run it again with --resume"
        ) from None
    write_whole(place, page)
    return place, {"kind": "paper"} | told
