# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure round-trip`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.round_trip import read_round_trip
from takt_cli.analysis.round_trip import summary_of as round_trip_figures
from takt_cli.cli.communication import Common, communication_options, measured
from takt_cli.cli.options import PERIOD
from takt_cli.cli.output import put
from takt_cli.errors import UsageError
from takt_cli.report.round_trip_table import round_trip_report
from takt_cli.report.trips_drawn import round_trip_plots
from takt_cli.run.remote import serve as serve_one
from takt_cli.run.round_trip import TRANSPORT_NAMES, RoundTripSettings, run_round_trip
from takt_cli.run.sides import LINK, PROCESS, where
from takt_cli.run.transports import transports

_ALL = ("takt", "baseline", "fastdds", "cyclonedds", "udp")


@click.command("round-trip", short_help="Messages there and back, over ROS 2 and raw transports.")
@click.option(
    "--transport",
    "names",
    multiple=True,
    metavar="T",
    help=f"{', '.join(TRANSPORT_NAMES)} or baseline; more may follow [default: those of "
    f"{', '.join(_ALL)} that are there].",
)
@click.argument("more", nargs=-1, metavar="[T]...")
@click.option(
    "--server",
    metavar="PLACE",
    help="same-node, same-process, process, link, ssh:HOST, or the address of another machine, where you start it "
    "[default: process, or link with --link].",
)
@click.option(
    "--payload", type=click.IntRange(0, 64 * 2**20), default=500, show_default=True, metavar="BYTES", help="A message."
)
@click.option("--period", type=PERIOD, default="10ms", show_default=True, help="From one sending to the next.")
@click.option("--deadline", type=PERIOD, help="A later reply is a missed deadline [default: the period].")
@click.option("--timeout", type=PERIOD, default="500ms", show_default=True, help="No reply within it is a loss.")
@click.option(
    "--beside",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="N",
    help="ROS 2 topics of no importance in the server's node (of same-process: in the client's); not beside raw ones.",
)
@click.option(
    "--through-middleware", is_flag=True, help="Over the RMW, even where client and server are in one process."
)
@click.option("--serve", metavar="WHERE", hidden=True, help="Serve, as another machine's command says.")
@communication_options
def round_trip(
    names: tuple[str, ...],
    more: tuple[str, ...],
    server: str | None,
    payload: int,
    period: int,
    deadline: int | None,
    timeout: int,
    beside: int,
    through_middleware: bool,
    serve: str | None,
    common: Common,
) -> None:
    """Gutierrez's test: a client sends `ping` at absolute instants and a server answers `pong`, each with a
    sequence number and a payload. A reply above the period is a missed deadline, and the next message goes
    out in the next free cycle; no reply in time is a loss; cycles without a message are counted apart.
    Full round trips, from the actual and from the intended sending.

    takt and the baselines go through the RMW, and so do, where takt was built beside rclcpp, nodes of rclcpp:
    takt-rclcpp, rclcpp-single, rclcpp-multi, rclcpp-events. In one process ROS 2 exchanges messages inside it,
    unless --through-middleware is given. fastdds, cyclonedds and udp are raw: they are no RMWs.
    All run in turns, over rounds, under the same load and traffic; the ratio is to raw Fast DDS.

    \b
    Examples:
      takt measure round-trip --transport takt fastdds udp --rounds 5
      takt measure round-trip --transport takt --rt all --rt none --load gutierrez --load-scale
      takt measure round-trip --link 100 --traffic 40 --rmw all --json
      takt measure round-trip --transport takt fastdds --duration 2 --rounds 1 --kernel rt
    """
    place = where(server or (LINK if common.conditions.link else PROCESS))
    if place.kind != LINK and common.conditions.link is not None:
        raise UsageError(f"--link: is not on the way to a server that is in the {place}; leave one of them out")
    if place.remote and common.on.guest is not None:
        raise UsageError(f"--kernel: a guest has no way to another machine ({place}); leave --server out")
    asked = names + more
    chosen = transports(asked or _ALL, place.one_process, TRANSPORT_NAMES)
    if beside:
        if asked and (raw := [each.name for each in chosen if not each.ros]):
            raise UsageError(f"--beside: {raw[0]} is no node of ROS, which nothing runs beside; leave one of them out")
        chosen = tuple(each for each in chosen if each.ros)
    settings = RoundTripSettings(
        **common.variants(chosen, "round_trip", bool(asked)),
        **common.given,
        payload=payload,
        period=period,
        deadline=deadline,
        timeout=timeout,
        server=place,
        beside=beside,
        through_middleware=through_middleware,
    )
    if serve is not None:
        return serve_one(settings, serve, put)

    def finish(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
        read = read_round_trip(folder)
        summary = round_trip_figures(read)
        return summary, round_trip_plots(read, summary)

    return measured(
        "round-trip",
        "round_trip",
        common,
        settings,
        run_round_trip,
        finish,
        round_trip_report,
    )
