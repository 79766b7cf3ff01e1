# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of two measurements of round trips or cycles: for each variant better, worse or no difference."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.cyclic import PRINTED, Cycles, read_cyclic
from takt_cli.analysis.cyclic import summarise_cycles as cyclic_figures
from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.round_trip import RoundTrips, read_round_trip
from takt_cli.analysis.round_trip import summarise_round_trips as round_trip_figures
from takt_cli.analysis.trips import Trips
from takt_cli.analysis.variants import KINDS, ROUND_TRIP
from takt_cli.analysis.virtual_time import check_same_kind_of_time
from takt_cli.comparison.compare import (
    INCONCLUSIVE,
    MARGIN,
    SCHEMA_VERSION,
    Entry,
    entry_to_json,
    with_holm_correction,
    with_verdict,
)
from takt_cli.comparison.metric import Metric
from takt_cli.errors import ResultError
from takt_cli.results.sample_files import Ints, Mask
from takt_cli.statistics.confidence import (
    LEVEL,
    difference,
    difference_of_shares,
    in_order_of_time,
    interval_without_hits,
    quantile,
    share,
)
from takt_cli.statistics.correlation import TOO_SHORT
from takt_cli.statistics.difference import Difference, difference_from_interval, difference_of_sequences, has_few_hits
from takt_cli.statistics.percentiles import LEVELS, Samples, percentiles

_SETTINGS = (
    *("kind", "payload_bytes", "period_ns", "deadline_ns", "timeout_ns", "duration_ns", "warmup_ns"),
    *("qos", "server", "beside", "through"),
)


@dataclass(frozen=True)
class _Side:
    """A or B: one of the two results that are compared, with its samples and its summary."""

    folder: Path
    samples: RoundTrips | Cycles
    summary: dict[str, Any]

    @property
    def record(self) -> dict[str, Any]:
        return self.samples.measurement.record

    def trips(self, name: str) -> list[Trips]:
        return self.samples.trips[name] if isinstance(self.samples, RoundTrips) else self.samples.trips(name)

    def times(self, name: str) -> dict[str, list[tuple[Ints, Samples]]]:
        """Return the times of a variant: by name, for each round, the instants and the times in us."""
        if isinstance(self.samples, RoundTrips):
            return {"round trip": [(each.instants, each.times / 1000) for each in self.samples.trips[name]]}
        return {
            f"{which} delay": [(each.instants, each.values / 1000) for each in self.samples.delays(name, which)]
            for which in PRINTED
        }

    def conclusive(self, name: str) -> bool:
        return bool(self.summary["variants"][name]["verdict"].outcome != INCONCLUSIVE)


def measurement_kind(folder: Path) -> str | None:
    """Return which of these measurements is in a folder; None if none of them."""
    try:
        kind = json.loads((folder / "run.json").read_text("utf-8")).get("kind")
    except (OSError, ValueError, AttributeError):
        return None
    return str(kind) if kind in KINDS else None


def compare_measurements(a: Path, b: Path, force: bool = False, margin: float = MARGIN) -> dict[str, Any]:
    """Return the comparison, for JSON, in the format for runs.

    Variants of the same name are compared, or the only variants if each side has just one. Raises ResultError if A and
    B have no variant in common, if one is of virtual time and the other of a host, or if hosts or settings differ
    unless `force`."""
    side_a, side_b = _read_side(a), _read_side(b)
    check_same_kind_of_time(a, side_a.record, b, side_b.record)
    differences = _differing_conditions(side_a.record, side_b.record)
    if differences and not force:
        raise ResultError(
            f"{a} and {b}: not of the same host and settings: {'; '.join(differences)}; "
            "compare other results, or give --force"
        )
    names_a, names_b = list(side_a.summary["variants"]), list(side_b.summary["variants"])
    pairs = [(name, name) for name in names_a if name in names_b]
    if not pairs and len(names_a) == len(names_b) == 1:
        pairs = [(names_a[0], names_b[0])]
    if not pairs:
        raise ResultError(f"{a} and {b}: nothing is in both: {', '.join(names_a)} in A, {', '.join(names_b)} in B")
    entries = [entry for pair in pairs for entry in _entries(side_a, side_b, pair, margin)]
    entries = with_holm_correction([replace(entry, unlike=tuple(differences)) for entry in entries])
    return {
        "schema_version": SCHEMA_VERSION,
        "a": _side_to_json(side_a),
        "b": _side_to_json(side_b),
        "forced": bool(differences),
        "unlike": differences,
        "notes": _notes(side_a.record, side_b.record),
        "level": LEVEL,
        "comparisons": sum(entry.p is not None for entry in entries),
        "entries": [entry_to_json(entry) for entry in entries],
    }


def _read_side(folder: Path) -> _Side:
    kind = measurement_kind(folder)
    if kind is None:
        raise ResultError(
            f"{folder}: holds no round trips or cycles, unlike the other result; compare results of one kind"
        )
    if kind == ROUND_TRIP:
        trips = read_round_trip(folder)
        return _Side(folder, trips, round_trip_figures(trips))
    cycles = read_cyclic(folder)
    return _Side(folder, cycles, cyclic_figures(cycles))


def _side_to_json(side: _Side) -> dict[str, Any]:
    names = list(side.summary["variants"])
    conclusive = sum(side.conclusive(name) for name in names)
    return {
        "folder": str(side.folder), "kind": side.record["kind"], "runs": len(names), "failed": 0, "pending": 0,
        "conclusive": conclusive,
    }  # fmt: skip


def _differing_conditions(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    def facts(record: dict[str, Any]) -> dict[str, str]:
        conditions = record.get("conditions") or {}
        requested = {name: (condition or {}).get("asked") for name, condition in conditions.items()}
        host_facts = {name: record["host"].get(key) for name, key in FACTS.items()}
        host_facts |= {name.removesuffix("_ns").replace("_", " "): record.get(name) for name in _SETTINGS}
        return {name: str(value) for name, value in (host_facts | requested).items()}

    facts_a, facts_b = facts(one), facts(other)
    return [
        f"{name} ({facts_a.get(name, 'none')} / {facts_b.get(name, 'none')})"
        for name in dict.fromkeys([*facts_a, *facts_b])
        if facts_a.get(name) != facts_b.get(name)
    ]


def _notes(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    commits = [str(record.get("commit"))[:12] for record in (one, other)]
    return [] if commits[0] == commits[1] else [f"versions of takt: {commits[0]} in A, {commits[1]} in B"]


def _entries(one: _Side, other: _Side, pair: tuple[str, str], margin: float) -> list[Entry]:
    doubtful = [name for name, side, who in (("A", one, pair[0]), ("B", other, pair[1])) if not side.conclusive(who)]
    entries = [*_compare_times(one, other, pair, margin), *_compare_faults(one, other, pair, margin)]
    if not doubtful:
        return entries
    reason = f"the verdict on {' and '.join(doubtful)} is inconclusive"
    return [replace(entry, verdict=INCONCLUSIVE, why=reason, p=None) for entry in entries]


def _compare_times(one: _Side, other: _Side, pair: tuple[str, str], margin: float) -> list[Entry]:
    times_a, times_b = one.times(pair[0]), other.times(pair[1])
    entries = []
    for quantity in times_a:
        for level in ("p50", "p99"):
            share, least = LEVELS[level]
            sides = (times_a[quantity], times_b[quantity])
            if min(len(values) for side in sides for _, values in side) < least:
                continue
            metric = Metric(f"{quantity} {level}", "us", lambda _totals, _length: None)

            def figure(values: Samples, level: str = level) -> float:
                value = percentiles(values).figure(level)
                return math.inf if value is None else float(value)

            entry = _entry(one, pair, metric, sides, figure)
            entries.append(_compare_quantile(entry, metric, margin, sides, (figure, share)))
    return entries


def _compare_faults(one: _Side, other: _Side, pair: tuple[str, str], margin: float) -> list[Entry]:
    """Compare the shares of faults over the rounds, each of which counts as one value; if a round has no hits, or the
    rounds are too few or too correlated, over the cycles of all rounds."""
    sides = [side.trips(name) for side, name in zip((one, other), pair, strict=True)]
    entries = []
    for kind in ("missed", "lost", "skipped"):
        hits = [[_hits(each, kind) for each in side] for side in sides]
        shares = [np.array([100 * each.mean() if len(each) else 0.0 for each in side]) for side in hits]
        metric = Metric(f"{kind} cycles", "%", lambda _totals, _length: None)
        share_a, share_b = (float(each.mean()) for each in shares)
        count_a, count_b = map(len, shares)
        entry = Entry(
            _measurement_label(one),
            *pair,
            metric.name,
            "%",
            share_a,
            share_b,
            share_b - share_a,
            over="runs",
            n_a=count_a,
            n_b=count_b,
        )
        few_hits = any(has_few_hits(each / 100) for each in shares)
        over_rounds = None if few_hits else difference_of_sequences(shares[0], shares[1])
        if over_rounds is not None:
            entries.append(with_verdict(entry, metric, margin, over_rounds))
            continue
        cycles = [np.concatenate(side) for side in hits]
        entry = replace(entry, over="samples", n_a=len(cycles[0]), n_b=len(cycles[1]))
        if (cycle_difference := _difference_over_cycles(cycles[0], cycles[1])) is None:
            entries.append(replace(entry, verdict=TOO_SHORT, why="few rounds, and cycles that are too correlated"))
        else:
            entries.append(with_verdict(entry, metric, margin, cycle_difference))
    return entries


def _hits(trips: Trips, kind: str) -> Mask:
    """Return which cycles of the round were hits, including cycles without a message, in order of time."""
    no_hits = np.zeros(len(trips.skipped), np.bool_)
    sent = {"missed": trips.late, "lost": trips.lost}.get(kind, np.zeros(len(trips), np.bool_))
    unordered_hits = np.concatenate([sent, ~no_hits if kind == "skipped" else no_hits])
    hits: Mask = in_order_of_time(unordered_hits, np.concatenate([trips.intended, trips.skipped]))
    return hits


def _difference_over_cycles(hits_a: Mask, hits_b: Mask) -> Difference | None:
    """Return the difference of the shares of hits, in per cent; None if it is too short to judge."""
    if not (len(hits_a) and len(hits_b)):
        return None
    interval_a, interval_b = (interval_without_hits(share(hits), len(hits)) for hits in (hits_a, hits_b))
    interval = difference_of_shares(interval_b, interval_a, len(hits_b), len(hits_a))
    share_difference = difference_from_interval(interval) if interval.is_given else None
    return share_difference and share_difference.times(100)


def _measurement_label(side: _Side) -> str:
    return f"{side.record['kind']}, {side.record['payload_bytes']} bytes"


def _entry(
    one: _Side,
    pair: tuple[str, str],
    metric: Metric,
    sides: tuple[Sequence[tuple[Ints, Samples]], Sequence[tuple[Ints, Samples]]],
    figure: Callable[[Samples], float],
) -> Entry:
    figure_a, figure_b = (figure(np.concatenate([values for _, values in side])) for side in sides)
    return Entry(_measurement_label(one), *pair, metric.name, metric.unit, figure_a, figure_b, figure_b - figure_a)


def _compare_quantile(
    entry: Entry,
    metric: Metric,
    margin: float,
    sides: tuple[Sequence[tuple[Ints, Samples]], Sequence[tuple[Ints, Samples]]],
    figure_and_level: tuple[Callable[[Samples], float], float],
) -> Entry:
    """Compare a quantile over the rounds, each of which counts as one value; if they are too few or too correlated,
    over the samples of all rounds. `figure_and_level`: a function that computes the figure, and the level of the
    quantile."""
    figure, level = figure_and_level
    over_rounds = difference_of_sequences(*(np.array([figure(values) for _, values in side]) for side in sides))
    if over_rounds is not None:
        entry = replace(entry, over="runs", n_a=len(sides[0]), n_b=len(sides[1]))
        return with_verdict(entry, metric, margin, over_rounds)
    pooled = [[np.concatenate(each) for each in zip(*side, strict=True)] for side in sides]
    entry = replace(entry, over="samples", n_a=len(pooled[0][0]), n_b=len(pooled[1][0]))
    interval_a, interval_b = (quantile(in_order_of_time(values, at), level) for at, values in pooled)
    if not (interval_a.is_given and interval_b.is_given):
        return replace(entry, verdict=TOO_SHORT, why="few rounds, and samples that are too correlated")
    return with_verdict(entry, metric, margin, difference_from_interval(difference(interval_b, interval_a)))
