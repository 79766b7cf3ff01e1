# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips: times, losses, deadline misses and skipped cycles of each variant, and its ratio to raw Fast DDS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.trips import Trips, outcome_counts
from takt_cli.analysis.variants import (
    ROUND_TRIP,
    SCHEMA_VERSION,
    Measurement,
    RatioOfMedians,
    Round,
    compute_from_record,
    median_ratio,
    percentile_summary,
    read_measurement,
    reasons_not_judged,
    refused_requests,
    stall_summary,
    verdict,
)
from takt_cli.results.sample_files import TRIPS, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import percentiles

REFERENCE = "fastdds"


@dataclass(frozen=True)
class RoundTrips:
    """The samples behind the figures, for each variant by name, one entry per round."""

    measurement: Measurement
    rounds: dict[str, list[Round]]
    trips: dict[str, list[Trips]]


def read_round_trip(folder: Path) -> RoundTrips:
    """Read the round trips in `folder`. Raises ResultError if there are none."""
    measurement = read_measurement(folder, ROUND_TRIP)
    trips_by_variant = compute_from_record(measurement, lambda m: {v["name"]: m.rounds(v) for v in m.variants})
    trips = {name: [_trips(measurement, each) for each in rounds] for name, rounds in trips_by_variant.items()}
    return RoundTrips(measurement, trips_by_variant, trips)


def round_trip_summary(folder: Path) -> dict[str, Any]:
    """Return all figures of a result of `takt measure round-trip`. Raises ResultError if `folder` has none."""
    read = read_round_trip(folder)
    return compute_from_record(read.measurement, lambda _: summarise_round_trips(read))


def summarise_round_trips(round_trips: RoundTrips) -> dict[str, Any]:
    """Return all figures, for JSON."""
    record = round_trips.measurement.record
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": ROUND_TRIP,
        "payload_bytes": record["payload_bytes"],
        "period_ms": record["period_ns"] / 1e6,
        "deadline_ms": record["deadline_ns"] / 1e6,
        "timeout_ms": record["timeout_ns"] / 1e6,
        "duration_s": record["duration_ns"] / 1e9,
        "rounds": record["rounds"],
        "server": record["server"],
        "qos": record["qos"],
        "absent": record["absent"],
        "labels": record["labels"],
        "conditions": record["conditions"],
        "variants": {v["name"]: _variant(round_trips, v) for v in round_trips.measurement.variants},
        "host": record["host"],
        "virtual": record.get("virtual"),
    }


def _trips(measurement: Measurement, round_: Round) -> Trips:
    rows = read_rows(round_.folder / f"{round_.tag}.trips.npy", TRIPS)
    return Trips(rows, round_.window, measurement.timing, round_.relevant_stalls)


def _variant(round_trips: RoundTrips, variant: dict[str, Any]) -> dict[str, Any]:
    name = variant["name"]
    rounds, trips = round_trips.rounds[name], round_trips.trips[name]
    counts = outcome_counts(trips)
    instants = [each.instants for each in trips]
    processes = [each.processes for each in rounds]
    return {
        **{key: variant[key] for key in ("transport", "raw", "rmw", "real_time")},
        **counts,
        "round_trip_us": percentile_summary([each.times for each in trips], instants),
        "from_intended_us": percentile_summary([each.times_on_grid for each in trips], instants),
        "send_delay_us": percentiles(np.concatenate([(each.sent - each.intended) / 1000.0 for each in trips])),
        # If the period could not be kept, the number of misses alone says little.
        "effective_period_ms": _effective_period(trips),
        "medians_us": [_median(each) for each in trips],
        "ratio": _ratio(round_trips, variant),
        "stalls": stall_summary(rounds),
        "allocator": [p.get("allocator") for p in processes[0]],
        "refused": refused_requests(round_trips.measurement.record, variant, processes),
        "verdict": verdict(
            counts, reasons_not_judged(round_trips.measurement, rounds), virtual=round_trips.measurement.virtual
        ),
    }


def _effective_period(trips: list[Trips]) -> float | None:
    gaps = np.concatenate([np.diff(each.sent) for each in trips])
    return float(np.mean(gaps)) / 1e6 if len(gaps) else None


def _median(trips: Trips) -> float | None:
    middle = float(np.median(trips.times)) if len(trips.times) else float("inf")
    return middle / 1000 if np.isfinite(middle) else None


class RatioToReference(RatioOfMedians, frozen=True, kw_only=True):
    """A ratio to the medians of the variant `to`."""

    to: str


def _ratio(round_trips: RoundTrips, variant: dict[str, Any]) -> RatioToReference | None:
    """Return the ratio to raw Fast DDS with the same real-time settings, in the same rounds; None if there is none."""
    reference_name = next(
        (
            v["name"]
            for v in round_trips.measurement.variants
            if v["transport"] == REFERENCE and v["real_time"]["label"] == variant["real_time"]["label"]
        ),
        None,
    )
    if reference_name is None or reference_name == variant["name"]:
        return None
    rounds, reference_rounds = round_trips.trips[variant["name"]], round_trips.trips[reference_name]
    instants = [each.instants for each in rounds], [each.instants for each in reference_rounds]
    ratio = median_ratio([each.times for each in rounds], [each.times for each in reference_rounds], instants)
    return None if ratio is None else extended(ratio, RatioToReference, to=reference_name)
