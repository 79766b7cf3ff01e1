# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Round trips between two ROS 2 nodes or over raw transports, measured in interleaved turns."""

from __future__ import annotations

from pathlib import Path

from takt_cli.results.communication import ROUND_TRIP_FORMAT, SAME_NODE, SSH, PeerPlacement, RoundTripSettings, Variant
from takt_cli.run.interleaved import run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.remote import check_manual_start, serve_command
from takt_cli.run.sides import Side, remote_ends, ssh
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP

TRANSPORT_NAMES = ("takt", "baseline0", "baseline1", TAKT_RCLCPP, *RCLCPP, "fastdds", "cyclonedds", "udp")


def run_round_trip(settings: RoundTripSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, as `run_interleaved` does. Raises a TaktError."""
    check_manual_start(settings, settings.server)
    run_interleaved(ROUND_TRIP_FORMAT, "round_trip", settings, folder, command, progress, _sides)


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
