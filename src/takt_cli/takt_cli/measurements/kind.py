# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What `takt report` and `takt compare` know about a kind of result: a measurement, a set of runs or a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from takt_cli.comparison.comparison import Comparison, Request


@dataclass(frozen=True)
class Page:
    """A page as HTML, and facts about the result for `takt report --json`."""

    html: str
    facts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ResultKind:
    """A kind of result."""

    name: str
    command: str
    """The command that makes it."""
    page: Callable[[Path, Path], Page]
    """Returns the page of the result in a folder. Its links are relative to the second folder, in which it will be.
    Raises ResultError if it cannot be made or not be there."""
    page_file: str = "report.html"
    """The name of the page unless another one is given."""
    compare: Callable[[Path, Path, Request], Comparison] | None = None
    """Compares two results, None if that is not possible. Results of two kinds are comparable if these have the same
    function. Raises ResultError or UsageError."""
