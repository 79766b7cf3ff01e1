# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips and cycles as they are compared with others of their kind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.cyclic import PRINTED, read_cyclic
from takt_cli.analysis.cyclic import summarise_cycles as cyclic_figures
from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.round_trip import read_round_trip
from takt_cli.analysis.round_trip import summarise_round_trips as round_trip_figures
from takt_cli.analysis.trips import Trips
from takt_cli.analysis.variants import KINDS, ROUND_TRIP
from takt_cli.comparison.compare import INCONCLUSIVE
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.comparison.variants import Side
from takt_cli.errors import ResultError
from takt_cli.results.sample_files import Mask
from takt_cli.statistics.confidence import in_order_of_time

_SETTINGS = (
    *("kind", "payload_bytes", "period_ns", "deadline_ns", "timeout_ns", "duration_ns", "warmup_ns"),
    *("qos", "server", "beside", "through"),
)
_FAULTS = ("missed", "lost", "skipped")


def measurement_kind(folder: Path) -> str | None:
    """Return which of these measurements is in a folder; None if none of them."""
    try:
        kind = json.loads((folder / "run.json").read_text("utf-8")).get("kind")
    except (OSError, ValueError, AttributeError):
        return None
    return str(kind) if kind in KINDS else None


def communication_side(folder: Path) -> Side:
    """Read one side of a comparison. Raises ResultError if `folder` holds neither round trips nor cycles."""
    kind = measurement_kind(folder)
    if kind is None:
        raise ResultError(
            f"{folder}: holds no round trips or cycles, unlike the other result; compare results of one kind"
        )
    variants: dict[str, Sequence[Figure[Any]]]
    if kind == ROUND_TRIP:
        trips = read_round_trip(folder)
        summary, record = round_trip_figures(trips), trips.measurement.record
        variants = {
            name: [
                *quantiles("round trip", "us", [(each.instants, each.times / 1000) for each in trips.trips[name]]),
                *_faults(trips.trips[name]),
            ]
            for name in summary["variants"]
        }
    else:
        cycles = read_cyclic(folder)
        summary, record = cyclic_figures(cycles), cycles.measurement.record
        variants = {
            name: [
                quantile
                for which in PRINTED
                for quantile in quantiles(
                    f"{which} delay", "us", [(each.instants, each.values / 1000) for each in cycles.delays(name, which)]
                )
            ]
            + _faults(cycles.trips(name))
            for name in summary["variants"]
        }
    doubts = {name for name, each in summary["variants"].items() if each["verdict"].outcome == INCONCLUSIVE}
    subject = f"{kind}, {record['payload_bytes']} bytes"
    virtual = bool(record.get("virtual"))
    return Side(folder, kind, subject, _facts(record), record.get("commit"), virtual, variants, frozenset(doubts))


def _facts(record: dict[str, Any]) -> dict[str, str]:
    conditions = record.get("conditions") or {}
    requested = {name: (condition or {}).get("asked") for name, condition in conditions.items()}
    facts = {name: record["host"].get(key) for name, key in FACTS.items()}
    facts |= {name.removesuffix("_ns").replace("_", " "): record.get(name) for name in _SETTINGS}
    return {name: str(value) for name, value in (facts | requested).items()}


def _faults(rounds: Sequence[Trips]) -> list[Figure[Any]]:
    return [Share(f"{kind} cycles", "%", [_hits(each, kind) for each in rounds]) for kind in _FAULTS]


def _hits(trips: Trips, kind: str) -> Mask:
    """Return which cycles of the round were hits, including cycles without a message, in order of time."""
    no_hits = np.zeros(len(trips.skipped), np.bool_)
    sent = {"missed": trips.late, "lost": trips.lost}.get(kind, np.zeros(len(trips), np.bool_))
    unordered_hits = np.concatenate([sent, ~no_hits if kind == "skipped" else no_hits])
    hits: Mask = in_order_of_time(unordered_hits, np.concatenate([trips.intended, trips.skipped]))
    return hits
