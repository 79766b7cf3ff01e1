# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips: times, losses, deadline misses and skipped cycles of each variant, and its ratio to raw Fast DDS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from takt_cli.analysis.trips import Trips, outcome_counts
from takt_cli.analysis.variants import (
    Distribution,
    InterleavedSummary,
    MeasuredRounds,
    Measurement,
    RatioOfMedians,
    Round,
    VariantFigures,
    common_summary,
    median_ratio,
    percentile_summary,
    read_measurement,
    reasons_not_judged,
    variant_figures,
    verdict,
)
from takt_cli.results.communication import ROUND_TRIP_FORMAT, RoundTripSettings, Variant
from takt_cli.results.sample_files import TRIPS, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.percentiles import Percentiles, percentiles

REFERENCE = "fastdds"


@dataclass(frozen=True)
class RoundTrips(MeasuredRounds[RoundTripSettings]):
    """The samples behind the figures, for each variant by name, one entry per round."""

    trips: dict[str, list[Trips]]


class RatioToReference(RatioOfMedians, frozen=True, kw_only=True):
    """A ratio to the medians of the variant `to`."""

    to: str


class RoundTripVariant(VariantFigures, frozen=True, kw_only=True):
    """The figures of a variant. If the period could not be kept, the number of misses alone says little."""

    round_trip_us: Distribution
    from_intended_us: Distribution
    send_delay_us: Percentiles
    effective_period_ms: float | None
    medians_us: list[float | None]
    ratio: RatioToReference | None


class RoundTripSummary(InterleavedSummary, frozen=True, kw_only=True):
    """All figures of a measurement, by variant."""

    deadline_ms: float
    timeout_ms: float
    server: str
    variants: dict[str, RoundTripVariant]


def read_round_trip(folder: Path) -> RoundTrips:
    """Read the round trips in `folder`. Raises ResultError if there are none."""
    measurement = read_measurement(folder, ROUND_TRIP_FORMAT)
    rounds = measurement.rounds()
    return RoundTrips(
        measurement, rounds, {name: [_trips(measurement, each) for each in every] for name, every in rounds.items()}
    )


def round_trip_summary(round_trips: RoundTrips) -> RoundTripSummary:
    """Return all figures."""
    settings = round_trips.measurement.settings
    return extended(
        common_summary(round_trips.measurement),
        RoundTripSummary,
        deadline_ms=settings.deadline / 1e6,
        timeout_ms=settings.timeout / 1e6,
        server=str(settings.server),
        variants={each.name: _variant(round_trips, each) for each in settings.variants},
    )


def _trips(measurement: Measurement[RoundTripSettings], round_: Round) -> Trips:
    rows = read_rows(round_.folder / f"{round_.tag}.trips.npy", TRIPS)
    return Trips(rows, round_.window, measurement.timing, round_.relevant_stalls)


def _variant(round_trips: RoundTrips, variant: Variant) -> RoundTripVariant:
    measurement = round_trips.measurement
    rounds, trips = round_trips.rounds[variant.name], round_trips.trips[variant.name]
    counts = outcome_counts(trips)
    instants = [each.instants for each in trips]
    reasons = reasons_not_judged(measurement, rounds)
    return extended(
        variant_figures(measurement, variant, rounds, counts, verdict(counts, reasons, virtual=measurement.virtual)),
        RoundTripVariant,
        round_trip_us=percentile_summary([each.times for each in trips], instants),
        from_intended_us=percentile_summary([each.times_on_grid for each in trips], instants),
        send_delay_us=percentiles(np.concatenate([(each.sent - each.instants) / 1000.0 for each in trips])),
        effective_period_ms=_effective_period(trips),
        medians_us=[_median(each) for each in trips],
        ratio=_ratio(round_trips, variant),
    )


def _effective_period(trips: list[Trips]) -> float | None:
    gaps = np.concatenate([np.diff(each.sent) for each in trips])
    return float(np.mean(gaps)) / 1e6 if len(gaps) else None


def _median(trips: Trips) -> float | None:
    middle = float(np.median(trips.times)) if len(trips.times) else float("inf")
    return middle / 1000 if np.isfinite(middle) else None


def _ratio(round_trips: RoundTrips, variant: Variant) -> RatioToReference | None:
    """Return the ratio to raw Fast DDS with the same real-time settings, in the same rounds; None if there is none."""
    reference = round_trips.measurement.settings.like(variant, REFERENCE)
    if reference is None:
        return None
    rounds, reference_rounds = round_trips.trips[variant.name], round_trips.trips[reference.name]
    instants = [each.instants for each in rounds], [each.instants for each in reference_rounds]
    ratio = median_ratio([each.times for each in rounds], [each.times for each in reference_rounds], instants)
    return None if ratio is None else extended(ratio, RatioToReference, to=reference.name)
