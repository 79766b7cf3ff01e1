# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt report`: make an interactive HTML page of a result."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from takt_cli.cli.kinds import kind_in
from takt_cli.cli.output import show
from takt_cli.options.usage import read_usage, verb
from takt_cli.results.atomic_file import write_atomically


def _command(folder: Path, out: Path | None, as_json: bool) -> None:
    # A spinner rather than a progress bar: the time to read a result cannot be predicted.
    with Console(stderr=True).status(f"drawing the page of {folder}"):
        kind = kind_in(folder)
        place = out or folder / kind.page_file
        page = kind.page(folder, place.absolute().parent)
        write_atomically(place, page.html)
    facts = {"page": str(place), "kind": kind.name, **page.facts, "bytes": place.stat().st_size}
    show(as_json, facts, f"page: {place}")


report = verb("report", read_usage(__name__), _command)
