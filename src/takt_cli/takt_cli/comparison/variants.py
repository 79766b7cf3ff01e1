# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of two measurements of one kind: for each variant better, worse or no difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from takt_cli.analysis.virtual_time import check_same_kind_of_time
from takt_cli.comparison.comparability import differences, require_alike, version_notes
from takt_cli.comparison.comparison import ComparedSide, Comparison, Request
from takt_cli.comparison.entry import Entry
from takt_cli.comparison.figures import Figure
from takt_cli.errors import ResultError
from takt_cli.results.origin import Origin


@dataclass(frozen=True)
class Side:
    """A or B: one of the two results that are compared. `subject` says what was measured; `facts` of host and settings
    must be equal; `variants` are the figures of each variant. `inconclusive` are the variants on which the verdict is
    so, with an empty name if it is that on the whole."""

    folder: Path
    kind: str
    subject: str
    facts: Mapping[str, str]
    origin: Origin
    variants: Mapping[str, Sequence[Figure[Any]]]
    inconclusive: frozenset[str] = frozenset()

    def doubtful(self, variant: str) -> bool:
        return not self.inconclusive.isdisjoint({variant, ""})

    def compared(self) -> ComparedSide:
        runs = len(self.variants)
        return ComparedSide(str(self.folder), self.kind, runs, 0, 0, runs - sum(map(self.doubtful, self.variants)))


def compare_variants(a: Side, b: Side, request: Request) -> Comparison:
    """Return the comparison of two measurements.

    Variants of the same name are compared, or the only variants if each side has just one. Raises ResultError if A and
    B have no variant in common, if one is of virtual time and the other of a host, or if hosts or settings differ
    unless it is forced."""
    check_same_kind_of_time(a.folder, a.origin.virtual is not None, b.folder, b.origin.virtual is not None)
    unlike = differences([a.facts], [b.facts])
    require_alike(a.folder, b.folder, unlike, request.force)
    entries = [entry for pair in _pairs(a, b) for entry in _entries(a, b, pair, request.margin)]
    entries = [replace(entry, unlike=tuple(unlike)) for entry in entries]
    return Comparison.of(a.compared(), b.compared(), entries, unlike, version_notes(a.origin, b.origin))


def _pairs(a: Side, b: Side) -> list[tuple[str, str]]:
    names_a, names_b = list(a.variants), list(b.variants)
    pairs = [(name, name) for name in names_a if name in names_b]
    if not pairs and len(names_a) == len(names_b) == 1:
        return [(names_a[0], names_b[0])]
    if not pairs:
        raise ResultError(
            f"{a.folder} and {b.folder}: nothing is in both: {', '.join(names_a)} in A, {', '.join(names_b)} in B"
        )
    return pairs


def _entries(a: Side, b: Side, pair: tuple[str, str], margin: float) -> Iterator[Entry]:
    doubtful = [name for name, side, who in (("A", a, pair[0]), ("B", b, pair[1])) if side.doubtful(who)]
    figures_of_b = {figure.name: figure for figure in b.variants[pair[1]]}
    for one in a.variants[pair[0]]:
        if (other := figures_of_b.get(one.name)) is None:
            continue
        value_a, value_b = one.value, other.value
        entry = Entry(a.subject, *pair, one.name, one.unit, value_a, value_b, value_b - value_a)
        yield one.compare(other, entry, margin).doubtful(doubtful)
