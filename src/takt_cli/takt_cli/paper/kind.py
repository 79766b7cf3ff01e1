# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A reproduced paper as a kind of result."""

from __future__ import annotations

from pathlib import Path

from takt_cli.errors import ResultError
from takt_cli.measurements.kind import Page, ResultKind
from takt_cli.paper.page import paper_page
from takt_cli.paper.result import PAPER_FORMAT, read_paper_result


def _page(folder: Path, page_folder: Path) -> Page:
    if page_folder.resolve() != folder.resolve():
        raise ResultError(
            f"{page_folder}: the links of a paper's page are relative to {folder}; name a file in that folder by --out"
        )
    result = read_paper_result(folder)
    parts = result.summary.parts.values()
    runs, failed = sum(part.runs for part in parts), sum(len(part.failed) for part in parts)
    return Page(paper_page(result), {"runs": runs, "failed": failed})


PAPER = ResultKind(name=PAPER_FORMAT.kind, command="takt paper", page=_page, page_file="page.html")
