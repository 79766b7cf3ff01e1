# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs the server side of round trips on another machine, started over ssh or by the user."""

from __future__ import annotations

import time
from collections.abc import Callable

from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program
from takt_cli.host.scratch import scratch_folder
from takt_cli.results.communication import BY_HAND, InterleavedSettings, PeerPlacement, Variant
from takt_cli.run.interleaved import TOPICS, environment_of, shared_arguments
from takt_cli.run.session import measurement_session

_STARTING = 30.0


def serve_command(
    settings: InterleavedSettings, variant: Variant, domain: int, local_address: str, remote_address: str
) -> tuple[str, ...]:
    """Return the command that serves a variant on the machine with the address `remote_address`."""
    rt = variant.real_time
    words = [
        "takt",
        "measure",
        "serve",
        f"{domain},{remote_address},{local_address}",
        "--transport",
        variant.transport.name,
    ]
    words += ["--payload", str(settings.payload), "--period", f"{settings.period}ns", "--depth", str(settings.depth)]
    words += ["--rt", ",".join(rt.requested) or "none", "--plan", str(rt.plan), "--plan-by", rt.priority_method]
    words += ["--rmw", variant.rmw] if variant.rmw else []
    return (*words, *(["--reliable"] if settings.reliable else []))


def check_manual_start(settings: InterleavedSettings, placement: PeerPlacement) -> None:
    """Raise a UsageError if the user would have to start a server several times."""
    if placement.kind == BY_HAND and len(settings.variants) > 1:
        raise UsageError(
            f"--server {placement.host}: a server started by hand serves a single variant; give one --transport and "
            "one --rt, or ssh:HOST"
        )


def serve(settings: InterleavedSettings, addresses: str, say: Callable[[str], None]) -> None:
    """Serve one variant, given by `DOMAIN,HERE,THERE`, until asked to end. Raises a TaktError."""
    parts = addresses.split(",")
    if len(parts) != 3 or not parts[0].isdecimal() or len(settings.variants) != 1:
        raise UsageError(f"serve {addresses}: give DOMAIN,HERE,THERE and one variant, as the measuring side prints it")
    domain, own_address, other_address = parts
    (each,) = settings.variants
    with (
        scratch_folder("serve") as folder,
        measurement_session(
            settings.probed(allowed_cpus()), folder / "fastdds.xml", ("round_trip",), processes=0, rmws=(each.rmw,)
        ) as place,
    ):
        placement_of_peer = PeerPlacement(BY_HAND, other_address)
        environment = environment_of(place, TOPICS["round_trip"], each, placement_of_peer, settings.depth, folder)
        arguments = ["--side", "server", "--out", str(folder), "--tag", "server"]
        arguments += ["--here", own_address, "--there", other_address]
        arguments += shared_arguments(settings, each, int(domain))
        arguments += each.real_time.options(settings.cpus[-1], settings.depth)
        environment = place.middleware.environment(environment | {"ROS_DOMAIN_ID": domain})
        program = str(find_program("round_trip"))
        server = place.children.start("round_trip server", [program, *arguments], folder / "log", environment)
        server.wait_for("ready", _STARTING)
        say("ready")
        while server.running():
            time.sleep(0.1)
        server.check()
