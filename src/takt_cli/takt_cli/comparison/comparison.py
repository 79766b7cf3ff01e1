# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The comparison of two results, of whatever kind they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from takt_cli.comparison.entry import Entry, with_holm_correction
from takt_cli.statistics.confidence import LEVEL

# Differences up to this share of A's figure are irrelevant.
MARGIN = 0.01


@dataclass(frozen=True)
class Request:
    """How two results are to be compared. `executors`: compare A's runs under the first with B's under the second.
    `force`: even if hosts or settings differ. `margin`: differences up to this share of A's figure count as none."""

    executors: tuple[str, str] | None = None
    force: bool = False
    margin: float = MARGIN


DEFAULT = Request()


class ComparedSide(msgspec.Struct, frozen=True):
    """A or B: its folder, the kind of its result, and how many runs or variants it has."""

    folder: str
    kind: str
    runs: int
    failed: int
    pending: int
    conclusive: int


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison. `unlike`: the conditions that differ, for which it had to be `forced`; `comparisons`: the number of
    figures whose difference has a probability."""

    schema_version: int = 1
    a: ComparedSide
    b: ComparedSide
    forced: bool
    unlike: list[str]
    notes: list[str]
    level: float = LEVEL
    comparisons: int
    entries: list[Entry]

    @classmethod
    def of(
        cls, a: ComparedSide, b: ComparedSide, entries: list[Entry], unlike: Sequence[str], notes: list[str]
    ) -> Comparison:
        """Return the comparison with these entries, corrected for their number."""
        return cls(
            a=a,
            b=b,
            forced=bool(unlike),
            unlike=list(dict.fromkeys(unlike)),
            notes=notes,
            comparisons=sum(entry.p is not None for entry in entries),
            entries=[entry.finite() for entry in with_holm_correction(entries)],
        )
