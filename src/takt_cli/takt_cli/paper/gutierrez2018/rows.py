# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The rows of a part, computed from its measurements: one for each test and variant, over all rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from takt_cli.analysis.round_trip import RoundTrips, read_round_trip, summarise_round_trips
from takt_cli.analysis.trips import Trips
from takt_cli.analysis.variants import compute_from_record, median_ratio
from takt_cli.paper.communication import (
    describe_traffic,
    first_record,
    name_without_settings,
    part_state,
    thin_points,
)
from takt_cli.paper.gutierrez2018.cases import PROFILE, Test
from takt_cli.results.json_file import plain
from takt_cli.statistics.confidence import over_rounds
from takt_cli.surroundings.load import describe_load

Metrics = dict[str, Any]
_RECORDED_KEYS: tuple[str, ...] = (
    "transport",
    "raw",
    "rmw",
    "sent",
    "missed",
    "lost",
    "skipped",
    "round_trip_us",
    "ratio",
    "stalls",
)
_RECORDED_KEYS += ("effective_period_ms", "refused", "verdict")


def part_figures(tests: Sequence[Test], folder: Path) -> Metrics:
    """Return the figures of a part as JSON, from those measurements that exist."""
    state = part_state(folder)
    names: list[str] = state.pop("pieces")
    record = first_record(folder, names)
    reads_by_test = {test.name: _read(test, tests, folder, names) for test in tests}
    return {
        **state,
        "duration_s": record.get("duration_ns", 0) * record.get("rounds", 0) / 1e9,
        "began": record.get("began"),
        "host": record.get("host"),
        "absent": record.get("absent", []),
        "virtual": record.get("virtual"),
        "rows": [
            row
            for test in tests
            for reads in _group_by_variants(test, reads_by_test[test.name])
            for row in _rows(test, reads, folder)
        ],
        "effects": _effects(tests, reads_by_test),
    }


def _read(test: Test, tests: Sequence[Test], folder: Path, names: Sequence[str]) -> list[RoundTrips]:
    """Read the measurements with rows of the test: all, unless the part has measurements for each test."""
    in_pieces = any(each.profile for each in tests)
    return [read_round_trip(folder / name) for name in names if not in_pieces or name.startswith(f"{test.name}-")]


def _group_by_variants(test: Test, reads: list[RoundTrips]) -> list[list[RoundTrips]]:
    """Group the measurements into rounds of the same variants. In tests of hours each is of another transport."""
    return [[each] for each in reads] if test.lasts_hours else [reads]


def merged(reads: Sequence[RoundTrips]) -> RoundTrips:
    """Return one measurement with the rounds of all of them."""
    first = reads[0]
    record = first.measurement.record | {"rounds": sum(int(each.measurement.record["rounds"]) for each in reads)}
    return RoundTrips(
        replace(first.measurement, record=record),
        {name: [one for each in reads for one in each.rounds[name]] for name in first.rounds},
        {name: [one for each in reads for one in each.trips[name]] for name in first.trips},
    )


def _rows(test: Test, reads: Sequence[RoundTrips], folder: Path) -> list[Metrics]:
    if not reads:
        return []
    round_trips = merged(reads)
    summary = compute_from_record(round_trips.measurement, lambda _: summarise_round_trips(round_trips))
    records = [each.measurement.record for each in reads]
    last_conditions = [(record["conditions"] or {}) for record in records][-1]
    rows = []
    for name, metrics in summary["variants"].items():
        if metrics["real_time"]["label"] != test.settings.label:
            continue
        rows.append(
            {"test": test.name, "variant": name_without_settings(name, records[0]), "runs": summary["rounds"]}
            | {key: plain(metrics[key]) for key in _RECORDED_KEYS}
            | {
                "duration_s": sum(record["duration_ns"] * record["rounds"] for record in records) / 1e9,
                "virtual": records[0].get("virtual") is not None,
                "load": describe_load(last_conditions.get("load")),
                "traffic": describe_traffic(last_conditions),
                "labels": list(dict.fromkeys(label for record in records for label in record["labels"])),
                "points": _points(round_trips.trips[name]),
                "folders": [str(each.measurement.folder.relative_to(folder.parent)) for each in reads],
            }
        )
    return rows


def _points(rounds: Sequence[Trips]) -> Metrics:
    """Return the points of the time plot: round trips as pairs of s and us, and the instants of losses in s.

    The rounds are placed one after another.
    """
    trips, loss_instants, begin = [], [], 0.0
    for each in rounds:
        start = each.window.start
        trips += [[begin + s, us] for s, us in _thinned(each, len(rounds))]
        loss_instants += [begin + float(at - start) / 1e9 for at in each.intended[each.lost]]
        begin += (each.window.end - start) / 1e9
    return {"trips": trips, "lost": loss_instants[:: max(1, len(loss_instants) // 200)]}


def _thinned(trips: Trips, rounds: int) -> list[list[float]]:
    if len(trips.instants) == 0:
        return []
    offset = float(trips.instants[0] - trips.window.start) / 1e9
    return [[offset + s, us / 1000] for s, us in thin_points(trips.instants, trips.times, max(40, 600 // rounds))]


def _effects(tests: Sequence[Test], measurements: dict[str, list[RoundTrips]]) -> list[Metrics]:
    """Return by variant how tuned kernel threads change the median round trip and the share of failed cycles."""
    pair = {test.profile: measurements[test.name] for test in tests}
    untuned, tuned = pair.get(None, []), pair.get(PROFILE, [])
    if not untuned or not tuned:
        return []
    return [
        {"variant": name.rpartition(",")[0]}
        | effect(*([each.trips[name] for each in side] for side in (untuned, tuned)))
        for name in untuned[0].trips
    ]


def effect(untuned: Sequence[list[Trips]], tuned: Sequence[list[Trips]]) -> Metrics:
    """Compare plain and tuned measurements round by round, as far as both exist.

    `ratio` is that of medians, tuned to plain. `points` is the difference in the share of failed cycles in percentage
    points, negative if fewer fail with tuning. Both have their interval over the rounds, None if there are too few.
    """
    round_pairs = list(zip(untuned, tuned, strict=False))
    pairs = [(one[0], other[0]) for one, other in round_pairs]
    sides = (
        [[pair[i].times for pair in pairs] for i in (1, 0)],
        ([p[1].instants for p in pairs], [p[0].instants for p in pairs]),
    )
    (tuned_sides, plain_sides), instants = sides
    differences = [100 * (failed_share(other) - failed_share(one)) for one, other in pairs]
    return {
        "ratio": plain(median_ratio(tuned_sides, plain_sides, instants)) if pairs else None,
        "points": plain(over_rounds(differences)) if pairs else None,
        "failed_plain": [100 * failed_share(one) for one, _ in pairs],
        "failed_tuned": [100 * failed_share(other) for _, other in pairs],
    }


def failed_share(trips: Trips) -> float:
    """Return the share of cycles that were late, lost or skipped."""
    cycles = len(trips) + len(trips.skipped)
    return float(trips.late.sum() + trips.lost.sum() + len(trips.skipped)) / cycles if cycles else float("nan")
