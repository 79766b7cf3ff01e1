# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs of applications as kinds of result: a single run, a demo, and a batch."""

from __future__ import annotations

from pathlib import Path

from takt_cli.analysis.result_set import BATCH, DEMO, RUN, read_set
from takt_cli.comparison.compare import compare
from takt_cli.comparison.comparison import Comparison, Request
from takt_cli.measurements.kind import Page, ResultKind
from takt_cli.report.study_report import result_page


def _page(folder: Path, page_folder: Path) -> Page:
    result = read_set(folder)
    return Page(result_page(result, page_folder), {"runs": len(result.runs), "failed": len(result.failed)})


def _compare(a: Path, b: Path, request: Request) -> Comparison:
    return compare(read_set(a), read_set(b), request)


RUN_SETS = tuple(
    ResultKind(name=name, command=f"takt {name}", page=_page, compare=_compare) for name in (RUN, DEMO, BATCH)
)
