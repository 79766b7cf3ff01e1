# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures variants of communication in turns: round by round, each round in another order."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.middleware import LOCALHOST, RANGE, SMALLEST_SEGMENT, write_profile
from takt_cli.host.rmw_choice import preloaded_libraries, rmw_variable
from takt_cli.results.communication import (
    BY_HAND,
    LINK,
    MOST_SIZES,
    InterleavedRecord,
    InterleavedSettings,
    PeerPlacement,
    SideProcess,
    Variant,
)
from takt_cli.results.folder import now
from takt_cli.results.program import Probe
from takt_cli.results.result_file import ResultFormat
from takt_cli.run.limits import limits_of_sides
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, measurement_session
from takt_cli.run.sides import CLIENT_PORT, SERVER_PORT, Side, SideTurn, free_ports, remote_ends, run_turn
from takt_cli.surroundings.setup import RunningSurroundings, running_surroundings

_SECOND = 10**9
# Messages in shared memory per entry of the history: one in flight in each direction, with ample reserve.
_PIECES = 16
# The topics of each program; of those of the last one, there is one for each size.
TOPICS = {
    "round_trip": ("ping", "pong"),
    "cyclic": ("request", "response"),
    "one_way": tuple(f"message{number}" for number in range(MOST_SIZES)),
}
Settings = TypeVar("Settings", bound=InterleavedSettings)


def run_interleaved(
    kind: ResultFormat[Settings, InterleavedRecord],
    program: str,
    settings: Settings,
    folder: Path,
    command: list[str],
    progress: Progress,
    lay_out_sides: Callable[[Settings, Variant], tuple[PeerPlacement, tuple[Side, ...]]],
) -> None:
    """Run the measurement. It leaves in `folder` its result and, for each round, samples, facts and stalls of every
    variant. `lay_out_sides` returns where the other side of a variant runs, and its sides."""
    layouts = {each.name: lay_out_sides(settings, each) for each in settings.variants}
    if settings.conditions.link is None and any(place.kind == LINK for place, _ in layouts.values()):
        raise UsageError("a measurement over a link needs a link; give --link 100 or --link 1000")
    processes: dict[str, list[list[SideProcess]]] = {each.name: [] for each in settings.variants}
    probes: dict[str, list[list[Probe]]] = {each.name: [] for each in settings.variants}
    began = now()
    everywhere = allowed_cpus()  # inside the session, this process is kept off the measured CPUs
    rmws = tuple(dict.fromkeys(each.rmw for each in settings.variants))
    programs, segment = ("probe", program), _segment(settings)
    # With a remote side there is no shared memory and no discovery on this host.
    processes_on_host = max(max(len(sides), 2) if not place.beyond_host else 0 for place, sides in layouts.values())
    with measurement_session(
        settings.probed(everywhere), folder / "fastdds.xml", programs, segment, processes=processes_on_host, rmws=rmws
    ) as session:
        with running_surroundings(settings.conditions, session.work, everywhere) as surroundings:
            if settings.conditions.load:
                progress.say("letting the load settle")
            # Between turns the load is stopped, so it settles anew in every warm-up.
            warmup = max(settings.warmup, math.ceil(surroundings.steady()) * _SECOND)
            settled = replace(settings, warmup=warmup)
            for number in range(settings.rounds):
                # Each round begins with another variant, so that none is always the first after a pause.
                first_variant = number % len(settings.variants)
                for each in settings.variants[first_variant:] + settings.variants[:first_variant]:
                    turn = _turn(session, program, settled, each, layouts[each.name], surroundings, folder)
                    reports, probe_reports = run_turn(
                        session, turn, folder / f"round-{number + 1}", progress, surroundings
                    )
                    processes[each.name].append(reports)
                    probes[each.name].append(probe_reports)
        preloaded = {
            each.name: preloaded_libraries(session.middleware.environment(rmw_variable(each.rmw)))
            for each in settings.variants
        }
        record = InterleavedRecord(warmed_up=warmup, preloaded=preloaded, processes=processes, probes=probes)
        kind.write(folder, origin_of(session, command, began, surroundings.achieved()), settings, record)


def _segment(settings: InterleavedSettings) -> int:
    size = SMALLEST_SEGMENT
    while size < _PIECES * (settings.depth + 1) * settings.payload:
        size *= 2
    return size


def _turn(
    session: Session,
    program: str,
    settings: InterleavedSettings,
    variant: Variant,
    layout: tuple[PeerPlacement, tuple[Side, ...]],
    surroundings: RunningSurroundings,
    folder: Path,
) -> SideTurn:
    beyond_host, sides = layout
    limits = limits_of_sides(settings.timeout / 1e9, beyond_host.kind == BY_HAND)
    shared = shared_arguments(settings, variant, session.middleware.domain)
    sizes = len(settings.payloads)
    addresses = _addresses(beyond_host, surroundings, sizes, len(sides) - 1) if len(sides) > 1 else []
    placed = []
    for number, side in enumerate(sides):
        cpu = settings.cpus[min(number, len(settings.cpus) - 1)]
        # Each side has a port for each size; the first one knows where those of the others begin.
        address_options = ["--here", addresses[number], "--there", addresses[0 if number else 1]] if addresses else []
        prefix = tuple(surroundings.inside("server" if number else "client")) if beyond_host.kind == LINK else ()
        arguments = (
            *shared,
            *limits.options,
            *address_options,
            *variant.real_time.options(cpu, settings.depth),
            *side.arguments,
        )
        command = side.remote(session.middleware.domain) if side.remote else ()
        if side.remote and beyond_host.kind == BY_HAND:
            print(f"on {beyond_host.host}: {shlex.join(command)}", file=sys.stderr, flush=True)
            continue
        placed.append(replace(side, arguments=arguments, prefix=prefix, command=command))
    environment = environment_of(
        session, TOPICS[program], variant, beyond_host, settings.depth, folder, max(len(sides), 2)
    )
    return SideTurn(program, variant.name, variant.tag, tuple(placed), settings.turn_seconds, limits, environment)


def shared_arguments(settings: InterleavedSettings, variant: Variant, domain: int) -> list[str]:
    """Return the arguments of both sides."""
    return [
        *("--transport", variant.transport.program, "--payload", *map(str, settings.payloads)),
        *("--period-ns", str(settings.period), "--timeout-ns", str(settings.timeout)),
        *("--duration-ns", str(settings.duration), "--warmup-ns", str(settings.warmup)),
        *("--depth", str(settings.depth), "--domain", str(domain)),
        *("--checkpoint-ns", str(settings.checkpoint)),
        *(["--reliable"] if settings.reliable else []),
    ]


def _addresses(placement: PeerPlacement, surroundings: RunningSurroundings, sizes: int, others: int) -> list[str]:
    """Return the address of the measuring side and those of the others, with the first of their ports."""
    if placement.kind == LINK:
        here, there = f"{surroundings.address('client')}:{CLIENT_PORT}", surroundings.address("server")
        return [here, *(f"{there}:{SERVER_PORT + number * sizes}" for number in range(others))]
    if placement.remote:
        return list(remote_ends(placement))
    own, theirs = free_ports(sizes, others * sizes)
    return [f"127.0.0.1:{own}", *(f"127.0.0.1:{theirs + number * sizes}" for number in range(others))]


def environment_of(
    session: Session,
    topics: Sequence[str],
    variant: Variant,
    placement: PeerPlacement,
    depth: int,
    folder: Path,
    processes: int = 2,
) -> dict[str, str]:
    """Return the environment variables of a variant in addition to the common ones: its RMW, and a profile for the
    middleware, with the histories of `topics`."""
    environment = rmw_variable(variant.rmw)
    if not variant.transport.ros and not placement.beyond_host:
        environment[RANGE] = LOCALHOST  # the lab's own programs confine themselves to this host
    priority, history = variant.real_time.profile_priority, variant.real_time.history(depth) if variant.rmw else 0
    if not placement.beyond_host and priority is None and not history:
        return environment
    # The profile's file name says what it contains.
    parts = [("udp", placement.beyond_host), (f"fifo{priority}", priority is not None), (f"history{history}", history)]
    profile = folder / "-".join(["fastdds", *(name for name, applies in parts if applies)])
    profile = profile.with_suffix(".xml")
    histories = dict.fromkeys(topics, history) if history else None
    write_profile(profile, session.middleware.segment_size, processes, not placement.beyond_host, priority, histories)
    environment |= {"FASTRTPS_DEFAULT_PROFILES_FILE": str(profile), "FASTDDS_DEFAULT_PROFILES_FILE": str(profile)}
    # Behind a link there are no nodes but these two.
    return environment | ({RANGE: "SUBNET"} if placement.beyond_host else {})
