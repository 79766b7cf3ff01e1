# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure round-trip`: round-trip times of ROS 2 messages and of raw transports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from takt_cli.analysis.round_trip import RoundTrips, read_round_trip, round_trip_summary
from takt_cli.analysis.trips import Trips
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import Comparison, Measurement
from takt_cli.options.common import PERIOD
from takt_cli.options.communication import Common, communication_options
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

_OPTIONS = (
    click.option(
        "--transport",
        "names",
        multiple=True,
        metavar="TRANSPORT",
        help=f"What to measure: {', '.join(TRANSPORT_NAMES)}, or baseline for the one of baseline0 and baseline1 that "
        f"fits --server. Further names may follow, separated by spaces [default: those of {', '.join(_ALL)} that this "
        "build has].",
    ),
    click.argument("more", nargs=-1, metavar="[TRANSPORT]..."),
    click.option(
        "--server",
        metavar="PLACE",
        help="Where the server runs: same-node or same-process (with the client), process (another one on this host), "
        "link (the other end of --link), ssh:HOST (started there; takt must be on its PATH), or the address of a "
        "machine on which you start the printed command yourself [default: process, or link with --link].",
    ),
    click.option(
        "--payload",
        type=click.IntRange(0, 64 * 2**20),
        default=500,
        show_default=True,
        metavar="BYTES",
        help="Payload of each message, in bytes.",
    ),
    click.option(
        "--period",
        type=PERIOD,
        default="10ms",
        show_default=True,
        help="Time between two pings of the client, above 0.",
    ),
    click.option(
        "--deadline",
        type=PERIOD,
        help="A reply that comes later than this after its ping was sent is a deadline miss; above 0 "
        "[default: the period].",
    ),
    click.option(
        "--timeout",
        type=PERIOD,
        default="500ms",
        show_default=True,
        help="A reply that has not come within this time counts as lost; above 0.",
    ),
    click.option(
        "--beside",
        type=click.IntRange(0, 1000),
        default=0,
        show_default=True,
        metavar="TOPICS",
        help="Number of further, uncritical ROS 2 topics, each with 100 messages of 1 KiB per second, in the server's "
        "node (with same-process in the client's). Raw transports have no nodes and are left out.",
    ),
    click.option(
        "--through-middleware",
        is_flag=True,
        help="Send over the RMW even if client and server are in one process [default: such messages stay inside the "
        "process].",
    ),
    communication_options("10"),
)


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
    hits: Mask = in_order_of_time(unordered_hits, np.concatenate([trips.intended, trips.skipped]))
    return hits


def _figures(round_trips: RoundTrips) -> dict[str, Sequence[Figure[Any]]]:
    return {
        name: [*quantiles("round trip", "us", [(each.instants, each.times / 1000) for each in rounds]), *faults(rounds)]
        for name, rounds in round_trips.trips.items()
    }


ROUND_TRIP = Measurement(
    short_help="Round-trip times over ROS 2 and raw transports.",
    help="""
    Measure full round-trip times: a client sends `ping` periodically, a server answers `pong`.

    For engineers who must know the delay and loss of ROS 2 communication under load, and for researchers who repeat
    the measurements of Gutierrez and others (2018). Pings are due at absolute instants; each has a sequence number
    and a payload. A reply later than --deadline is a deadline miss, none within --timeout a loss; after a late one
    the next ping goes out in the next free cycle, and cycles without a ping are counted as skipped. Times are given
    from the actual and from the intended instant of sending.

    takt, baseline0 (one executor like ROS 2's single-threaded one) and baseline1 (one process per node) run ROS 2
    nodes; so do, where takt was built with rclcpp, takt-rclcpp, rclcpp-single, rclcpp-multi and rclcpp-events.
    fastdds, cyclonedds and udp are raw transports without ROS. A variant is a transport over an RMW with real-time
    settings; all variants take turns in every round under the same load and traffic, and the ratio of each to raw
    Fast DDS is given.

    \b
    Examples:
      takt measure round-trip --transport takt fastdds udp --rounds 5
      takt measure round-trip --transport takt --rt all --rt none --load gutierrez --load-scale
      takt measure round-trip --link 100 --traffic 40 --rmw all --json
      takt measure round-trip --transport takt fastdds --duration 2 --rounds 1 --kernel rt
    """,
    options=_OPTIONS,
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
    comparison=Comparison(
        subject=lambda settings: f"round-trip, {settings.payload} bytes", may_differ=MAY_DIFFER, figures=_figures
    ),
)
MEASUREMENTS = (ROUND_TRIP,)
