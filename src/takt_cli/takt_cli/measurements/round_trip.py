# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure round-trip`: round-trip times of ROS 2 messages and of raw transports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.round_trip import RoundTrips, RoundTripSummary, read_round_trip, round_trip_summary
from takt_cli.analysis.trips import Trips
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.communication import Common, communication_options
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.round_trip import round_trip_report, round_trip_title
from takt_cli.report.kinds.trips import round_trip_charts
from takt_cli.results.communication import (
    LINK,
    PROCESS,
    ROUND_TRIP_FORMAT,
    InterleavedSettings,
    RoundTripSettings,
)
from takt_cli.results.sample_files import Mask
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.round_trip import TRANSPORT_NAMES, run_round_trip
from takt_cli.run.sides import parse_peer_placement
from takt_cli.run.transports import transports_by_name
from takt_cli.statistics.confidence import in_order_of_time
from takt_cli.surroundings.tools import TOOLS

_ALL = ("takt", "baseline", "fastdds", "cyclonedds", "udp")
# The settings that may differ between two results; what of `conditions` was asked for must be equal, as their origins
# tell.
MAY_DIFFER = frozenset({"variants", "cpus", "rounds", "checkpoint", "absent", "labels", "conditions"})


def _settings(
    names: tuple[str, ...],
    more: tuple[str, ...],
    server: str | None,
    payload: int,
    period: int,
    deadline: int | None,
    timeout: int,
    beside: int,
    through_middleware: bool,
    common: Common,
    kernel: OnKernel,
) -> RoundTripSettings:
    place = parse_peer_placement(server or (LINK if common.conditions.link else PROCESS))
    if place.kind != LINK and common.conditions.link is not None:
        raise UsageError(f"--link: is not on the way to --server {place}; leave one of them out")
    if place.remote and kernel.guest is not None:
        raise UsageError(f"--kernel: a guest has no network to another machine ({place}); leave --server out")
    requested_names = names + more
    chosen = transports_by_name(requested_names or _ALL, place.one_process, TRANSPORT_NAMES)
    if beside:
        if requested_names and (raw_names := [each.name for each in chosen if not each.ros]):
            raise UsageError(f"--beside: {raw_names[0]} has no ROS node to add topics to; leave one of them out")
        chosen = tuple(each for each in chosen if each.ros)
    return RoundTripSettings(
        **common.settings(chosen, "round_trip", bool(requested_names), "--transport"),
        payload=payload,
        period=period,
        deadline=deadline or 0,
        timeout=timeout,
        server=place,
        beside=beside,
        through_middleware=through_middleware,
    )


def tools_of(settings: InterleavedSettings) -> Sequence[str]:
    """Return the programs of the system that the surroundings need."""
    return TOOLS if settings.conditions.any() else ()


def faults(rounds: Sequence[Trips]) -> list[Figure[Any]]:
    """Return the shares of cycles that failed, by which results are compared."""
    return [
        Share(f"{kind} cycles", "%", [_hits(each, kind) for each in rounds]) for kind in ("missed", "lost", "skipped")
    ]


def _hits(trips: Trips, kind: str) -> Mask:
    """Return which cycles of the round were hits, including cycles without a message, in order of time."""
    no_hits = np.zeros(len(trips.skipped), np.bool_)
    sent = {"missed": trips.late, "lost": trips.lost}.get(kind, np.zeros(len(trips), np.bool_))
    unordered_hits = np.concatenate([sent, ~no_hits if kind == "skipped" else no_hits])
    hits: Mask = in_order_of_time(unordered_hits, np.concatenate([trips.instants, trips.skipped]))
    return hits


def _figures(round_trips: RoundTrips, _: RoundTripSummary) -> dict[str, Sequence[Figure[Any]]]:
    return {
        name: [*quantiles("round trip", "us", [(each.instants, each.times / 1000) for each in rounds]), *faults(rounds)]
        for name, rounds in round_trips.trips.items()
    }


ROUND_TRIP = Measurement(
    usage=read_usage(__name__, transports=TRANSPORT_NAMES, default=_ALL),
    further_options=(communication_options("10"),),
    settings=_settings,
    format=ROUND_TRIP_FORMAT,
    programs=("probe", "round_trip"),
    tools=tools_of,
    run=run_round_trip,
    read=read_round_trip,
    summarise=round_trip_summary,
    title=round_trip_title,
    tables=round_trip_report,
    charts=round_trip_charts,
    verdicts=lambda summary: {name: figures.verdict for name, figures in summary.variants.items()},
    comparison=ComparisonRules(
        subject=lambda settings: f"round-trip, {settings.payload} bytes", may_differ=MAY_DIFFER, figures=_figures
    ),
)
MEASUREMENTS = (ROUND_TRIP,)
