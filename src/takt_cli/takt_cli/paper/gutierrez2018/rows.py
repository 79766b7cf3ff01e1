# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The rows of a part, computed from its measurements: one for each test and variant, over all rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import structs

from takt_cli.analysis.round_trip import RatioToReference, RoundTrips, read_round_trip, round_trip_summary
from takt_cli.analysis.trips import Count, Trips
from takt_cli.analysis.variants import Distribution, RatioOfMedians, Stalls, median_ratio
from takt_cli.paper.communication import (
    CommunicationFigures,
    Row,
    describe_traffic,
    part_state,
    rows_of,
    thin_points,
)
from takt_cli.paper.gutierrez2018.cases import PROFILE, Test
from takt_cli.results.communication import ROUND_TRIP_FORMAT
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds

Kind = Literal["missed", "lost"]


class Points(msgspec.Struct, frozen=True):
    """The points of the time plot: round trips as pairs of s and us, and the instants of losses in s."""

    trips: list[tuple[float, float]]
    lost: list[float]


class TripRow(Row, frozen=True, kw_only=True):
    """The figures of a variant in a test. `ratio` is that of medians to the reference, None if that was not run."""

    test: str
    round_trip_us: Distribution
    ratio: RatioToReference | None
    stalls: Stalls
    effective_period_ms: float | None
    duration_s: float
    traffic: str
    labels: list[str]
    points: Points

    def counts(self, kind: Kind) -> Count:
        """The counts of one way to fail."""
        return self.missed if kind == "missed" else self.lost


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """How tuned kernel threads change a variant.

    `ratio` is that of medians, tuned to plain. `points` is the difference in the share of failed cycles in percentage
    points, negative if fewer fail with tuning. Both have their interval over the rounds, None if there are too few.
    """

    variant: str
    ratio: RatioOfMedians | None
    points: MedianOfRounds | None
    failed_plain: list[float]
    failed_tuned: list[float]


class RoundTripFigures(CommunicationFigures, frozen=True, kw_only=True):
    rows: list[TripRow]
    effects: list[Effect]


def part_figures(tests: Sequence[Test], folder: Path) -> RoundTripFigures:
    """Return the figures of a part, from those measurements that exist."""
    state = part_state(folder, ROUND_TRIP_FORMAT)
    reads_by_test = {test.name: _read(test, tests, folder, state.names) for test in tests}
    rows: list[TripRow] = []
    for test in tests:
        # Rounds of the same variants make one row; in tests of hours each measurement is of another transport.
        reads = reads_by_test[test.name]
        for group in [[each] for each in reads] if test.hours else [reads]:
            rows += _rows(test, group)
    return extended(state.figures, RoundTripFigures, rows=rows, effects=_effects(tests, reads_by_test))


def _read(test: Test, tests: Sequence[Test], folder: Path, names: Sequence[str]) -> list[RoundTrips]:
    """Read the measurements with rows of the test: all, unless the part has measurements for each test."""
    in_pieces = any(each.profile for each in tests)
    return [read_round_trip(folder / name) for name in names if not in_pieces or name.startswith(f"{test.name}-")]


def merged(reads: Sequence[RoundTrips]) -> RoundTrips:
    """Return one measurement with the rounds of all of them."""
    first = reads[0]
    settings = replace(first.measurement.settings, rounds=sum(each.measurement.settings.rounds for each in reads))
    return RoundTrips(
        replace(first.measurement, envelope=structs.replace(first.measurement.envelope, settings=settings)),
        {name: [one for each in reads for one in each.rounds[name]] for name in first.rounds},
        {name: [one for each in reads for one in each.trips[name]] for name in first.trips},
    )


def _rows(test: Test, reads: Sequence[RoundTrips]) -> list[TripRow]:
    if not reads:
        return []
    round_trips, measurements = merged(reads), [each.measurement for each in reads]
    all_variants = round_trip_summary(round_trips).variants
    variants = {name: each for name, each in all_variants.items() if each.real_time.label == test.settings.label}
    common = {
        "test": test.name,
        "duration_s": sum(each.settings.duration * each.settings.rounds for each in measurements) / 1e9,
        "traffic": describe_traffic(measurements[-1].conditions.traffic),
        "labels": list(dict.fromkeys(label for each in measurements for label in each.settings.labels)),
    }
    points = {name: _points(round_trips.trips[name]) for name in variants}
    return rows_of(TripRow, measurements, variants, lambda name: common | {"points": points[name]})


def _points(rounds: Sequence[Trips]) -> Points:
    """Return the points of the time plot. The rounds are placed one after another."""
    trips: list[tuple[float, float]] = []
    losses: list[float] = []
    begin = 0.0
    for each in rounds:
        start = each.window.start
        trips += [(begin + s, us) for s, us in _thinned(each, len(rounds))]
        losses += [begin + float(at - start) / 1e9 for at in each.instants[each.lost]]
        begin += (each.window.end - start) / 1e9
    return Points(trips, losses[:: max(1, len(losses) // 200)])


def _thinned(trips: Trips, rounds: int) -> list[tuple[float, float]]:
    if len(trips.instants) == 0:
        return []
    offset = float(trips.instants[0] - trips.window.start) / 1e9
    return [(offset + s, us / 1000) for s, us in thin_points(trips.instants, trips.times, max(40, 600 // rounds))]


def _effects(tests: Sequence[Test], measurements: dict[str, list[RoundTrips]]) -> list[Effect]:
    """Return the effects by variant."""
    pair = {test.profile: measurements[test.name] for test in tests}
    untuned, tuned = pair.get(None, []), pair.get(PROFILE, [])
    if not untuned or not tuned:
        return []
    return [
        effect(name.rpartition(",")[0], *([each.trips[name] for each in side] for side in (untuned, tuned)))
        for name in untuned[0].trips
    ]


def effect(variant: str, plain: Sequence[list[Trips]], tuned: Sequence[list[Trips]]) -> Effect:
    """Compare plain and tuned measurements round by round, as far as both exist."""
    pairs = [(one[0], other[0]) for one, other in zip(plain, tuned, strict=False)]
    failed_plain, failed_tuned = ([100 * failed_share(pair[i]) for pair in pairs] for i in (0, 1))
    tuned_times, plain_times = ([pair[i].times for pair in pairs] for i in (1, 0))
    instants = ([p[1].instants for p in pairs], [p[0].instants for p in pairs])
    differences = [after - before for before, after in zip(failed_plain, failed_tuned, strict=True)]
    return Effect(
        variant=variant,
        ratio=median_ratio(tuned_times, plain_times, instants) if pairs else None,
        points=over_rounds(differences) if pairs else None,
        failed_plain=failed_plain,
        failed_tuned=failed_tuned,
    )


def failed_share(trips: Trips) -> float:
    """Return the share of cycles that were late, lost or skipped."""
    cycles = len(trips) + len(trips.skipped)
    return float(trips.late.sum() + trips.lost.sum() + len(trips.skipped)) / cycles if cycles else float("nan")
