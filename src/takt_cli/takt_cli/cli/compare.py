# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt compare`: compare two results metric by metric, with confidence intervals."""

from __future__ import annotations

from pathlib import Path

from takt_cli.cli.kinds import comparison_of
from takt_cli.cli.output import show
from takt_cli.comparison.comparison import MARGIN, Request
from takt_cli.errors import UsageError
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.compare import compare_report
from takt_cli.results.folder import ResultFolder
from takt_cli.results.json_file import write_json
from takt_cli.spec.executors import ALL_EXECUTORS


def _command(
    a: Path, b: Path, executors: str | None, margin: float, force: bool, show_all: bool, out: Path | None, as_json: bool
) -> None:
    pair = None if executors is None else _executors(executors)
    result = comparison_of(a, b)(a, b, Request(pair, force, margin / 100))
    if out is not None:
        with ResultFolder(out) as folder:
            write_json(folder.path / "compare.json", result)
    show(as_json, result, *compare_report(result, show_all))


def _executors(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not set(names) <= set(ALL_EXECUTORS):
        raise UsageError(f"--executors {text}: give two of {', '.join(ALL_EXECUTORS)}, such as baseline0,takt")
    return names[0], names[1]


compare_command = verb("compare", read_usage(__name__, margin=[str(100 * MARGIN)]), _command)
