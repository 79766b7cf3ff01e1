# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of two measurements of one kind: for each variant better, worse or no difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from takt_cli.analysis.virtual_time import check_same_kind_of_time
from takt_cli.comparison.compare import INCONCLUSIVE, SCHEMA_VERSION, Entry, entry_to_json, with_holm_correction
from takt_cli.comparison.figures import Figure
from takt_cli.errors import ResultError
from takt_cli.statistics.confidence import LEVEL


@dataclass(frozen=True)
class Side:
    """A or B: one of the two results that are compared. `subject` says what was measured; `facts` of host and settings
    must be equal; `variants` are the figures of each variant; the verdict on those in `inconclusive` is so."""

    folder: Path
    kind: str
    subject: str
    facts: Mapping[str, str]
    commit: str | None
    virtual: bool
    variants: Mapping[str, Sequence[Figure[Any]]]
    inconclusive: frozenset[str] = frozenset()


def compare_variants(a: Side, b: Side, force: bool, margin: float) -> dict[str, Any]:
    """Return the comparison, for JSON, in the format for runs.

    Variants of the same name are compared, or the only variants if each side has just one. Raises ResultError if A and
    B have no variant in common, if one is of virtual time and the other of a host, or if hosts or settings differ
    unless `force`."""
    check_same_kind_of_time(a.folder, a.virtual, b.folder, b.virtual)
    differences = [
        f"{name} ({a.facts.get(name, 'none')} / {b.facts.get(name, 'none')})"
        for name in dict.fromkeys([*a.facts, *b.facts])
        if a.facts.get(name) != b.facts.get(name)
    ]
    if differences and not force:
        raise ResultError(
            f"{a.folder} and {b.folder}: not of the same host and settings: {'; '.join(differences)}; "
            "compare other results, or give --force"
        )
    entries = [entry for pair in _pairs(a, b) for entry in _entries(a, b, pair, margin)]
    entries = with_holm_correction([replace(entry, unlike=tuple(differences)) for entry in entries])
    return {
        "schema_version": SCHEMA_VERSION,
        "a": _side_to_json(a),
        "b": _side_to_json(b),
        "forced": bool(differences),
        "unlike": differences,
        "notes": _notes(a, b),
        "level": LEVEL,
        "comparisons": sum(entry.p is not None for entry in entries),
        "entries": [entry_to_json(entry) for entry in entries],
    }


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
    doubtful = [name for name, side, who in (("A", a, pair[0]), ("B", b, pair[1])) if who in side.inconclusive]
    figures_of_b = {figure.name: figure for figure in b.variants[pair[1]]}
    for one in a.variants[pair[0]]:
        if (other := figures_of_b.get(one.name)) is None:
            continue
        value_a, value_b = one.value, other.value
        entry = Entry(a.subject, *pair, one.name, one.unit, value_a, value_b, value_b - value_a)
        entry = one.compare(other, entry, margin)
        if doubtful:
            reason = f"the verdict on {' and '.join(doubtful)} is inconclusive"
            entry = replace(entry, verdict=INCONCLUSIVE, why=reason, p=None)
        yield entry


def _notes(a: Side, b: Side) -> list[str]:
    commits = [str(side.commit)[:12] for side in (a, b)]
    return [] if commits[0] == commits[1] else [f"versions of takt: {commits[0]} in A, {commits[1]} in B"]


def _side_to_json(side: Side) -> dict[str, Any]:
    runs = len(side.variants)
    return {
        "folder": str(side.folder), "kind": side.kind, "runs": runs, "failed": 0, "pending": 0,
        "conclusive": runs - len(side.inconclusive),
    }  # fmt: skip
