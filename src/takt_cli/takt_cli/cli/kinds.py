# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All kinds of result by name, and which of them a folder holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from takt_cli.comparison.comparison import Comparison, Request
from takt_cli.errors import ResultError
from takt_cli.measurements.compare import measured_kind
from takt_cli.measurements.kind import Page, ResultKind
from takt_cli.measurements.page import benchmarks_page
from takt_cli.measurements.registry import all_measurements
from takt_cli.measurements.run_sets import RUN_SETS
from takt_cli.paper.kind import PAPER
from takt_cli.results.benchmark import ALL_FORMAT
from takt_cli.results.result_file import require_kind

ALL_BENCHMARKS = ResultKind(
    name=ALL_FORMAT.kind, command="takt measure all", page=lambda folder, _: Page(benchmarks_page(folder))
)


@cache
def all_kinds() -> dict[str, ResultKind]:
    """Return all kinds by name. The first call takes as long as `all_measurements`."""
    measured = map(measured_kind, all_measurements().values())
    return {kind.name: kind for kind in (*measured, ALL_BENCHMARKS, *RUN_SETS, PAPER)}


def kind_in(folder: Path) -> ResultKind:
    """Return the kind of the result in `folder`. Raises ResultError if it holds none, or one that is damaged."""
    if (known := all_kinds().get(name := require_kind(folder))) is None:
        raise ResultError(f"{folder}: is the result of a {name}, which this takt does not know; measure again")
    return known


def comparison_of(a: Path, b: Path) -> Callable[[Path, Path, Request], Comparison]:
    """Return the function that compares two results. Raises ResultError if there is none."""
    kinds = [kind_in(folder) for folder in (a, b)]
    for folder, kind in zip((a, b), kinds, strict=True):
        if kind.compare is None:
            raise ResultError(f"{folder}: a result of {kind.command} cannot be compared with another")
    if kinds[0].compare is not kinds[1].compare or kinds[0].compare is None:
        raise ResultError(f"{b}: is of another kind than {a}; compare results of one kind")
    return kinds[0].compare
