# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips between two ROS 2 nodes or over raw transports, measured in interleaved turns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.variants import ROUND_TRIP
from takt_cli.run.interleaved import InterleavedSettings, run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.remote import check_manual_start, serve_command
from takt_cli.run.sides import PROCESS, SAME_NODE, SSH, PeerPlacement, Side, remote_ends, ssh
from takt_cli.run.transports import Variant
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP

MS = 10**6
TRANSPORT_NAMES = ("takt", "baseline0", "baseline1", TAKT_RCLCPP, *RCLCPP, "fastdds", "cyclonedds", "udp")
OTHER_PROCESS = PeerPlacement(PROCESS)


@dataclass(frozen=True, kw_only=True)
class RoundTripSettings(InterleavedSettings):
    """The settings of the measurement. Times in nanoseconds. A reply later than `deadline` (None: the period) counts as
    missed, one later than `timeout` as lost. `beside` is the number of topics of additional, non-critical ROS 2 traffic
    in the server's node. With `through_middleware`, messages go over the RMW even within one process."""

    payload: int = 500
    period: int = 10 * MS
    timeout: int = 500 * MS
    server: PeerPlacement = OTHER_PROCESS
    beside: int = 0
    through_middleware: bool = False


def run_round_trip(settings: RoundTripSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement. It leaves in `folder` run.json and, for each round, samples, facts and stalls of every
    variant. Raises a TaktError."""
    check_manual_start(settings, settings.server)
    own_record = {
        "server": str(settings.server),
        "beside": settings.beside,
        "through_middleware": settings.through_middleware,
    }
    run_interleaved(ROUND_TRIP, "round_trip", settings, folder, command, progress, own_record, _sides)


def _sides(settings: RoundTripSettings, variant: Variant) -> tuple[PeerPlacement, tuple[Side, ...]]:
    """Return the client, and the server if it is a process of its own."""
    topic_options = ("--beside", str(settings.beside)) if settings.beside else ()
    if settings.server.one_process:
        node_options = ("--same-node",) if settings.server.kind == SAME_NODE else ()
        way_options = ("--through-middleware",) if settings.through_middleware and variant.transport.ros else ()
        return settings.server, (Side("both", variant.tag, node_options + way_options + topic_options),)
    if settings.server.remote:
        return settings.server, _sides_over_network(settings, variant)
    return settings.server, (Side("client", variant.tag), Side("server", f"{variant.tag}.server", topic_options))


def _sides_over_network(settings: RoundTripSettings, variant: Variant) -> tuple[Side, ...]:
    """Return the sides for a server on another machine."""
    place = settings.server
    ends = remote_ends(place)

    def command(domain: int) -> tuple[str, ...]:
        serves = serve_command(settings, variant, domain, *ends)
        return ssh(place.host, serves) if place.kind == SSH else serves

    return Side("client", variant.tag), Side("server", f"{variant.tag}.server", remote=command)
