# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures variants of communication in turns: round by round, each round in another order."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from takt_cli.analysis.variants import SCHEMA_VERSION
from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.middleware import LOCALHOST, RANGE, SMALLEST_SEGMENT, write_profile
from takt_cli.host.rmw_choice import preloaded_libraries, rmw_variable
from takt_cli.host.versions import commit, versions
from takt_cli.results.folder import now
from takt_cli.results.json_file import plain
from takt_cli.run.limits import limits_of_sides
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, measurement_session
from takt_cli.run.sides import (
    BY_HAND,
    CLIENT_PORT,
    LINK,
    SERVER_PORT,
    PeerPlacement,
    Side,
    SideTurn,
    free_ports,
    remote_ends,
    run_turn,
)
from takt_cli.run.transports import Variant
from takt_cli.surroundings.setup import Conditions, RunningSurroundings, running_surroundings

_SECOND = 10**9
# About how long a load takes to become stationary, in s.
_SETTLES = 4.0
NOTHING = Conditions()
# Messages in shared memory per entry of the history: one in flight in each direction, with ample reserve.
_PIECES = 16
# The topics of each program.
_TOPICS = {"round_trip": ("ping", "pong"), "cyclic": ("request", "response")}


@dataclass(frozen=True, kw_only=True)
class InterleavedSettings:
    """The settings common to all such measurements. Times in nanoseconds; `duration` is that of a variant in a round.
    `cpus` are those of the measuring process and, if there is one, of the other process. `conditions` are load,
    traffic, link and limits. `absent` lists what `all` included but is not installed."""

    variants: tuple[Variant, ...]
    payload: int
    period: int
    timeout: int
    duration: int
    cpus: tuple[int, ...]
    deadline: int | None = None
    rounds: int = 1
    warmup: int = _SECOND
    reliable: bool = False
    depth: int = 1
    checkpoint: int = 60 * _SECOND
    absent: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    conditions: Conditions = NOTHING

    def tell(self, line: str) -> None:
        """Print a line for the user, such as a command to enter on another machine."""
        print(line, file=sys.stderr, flush=True)

    @property
    def parts(self) -> int:
        return self.rounds * len(self.variants)

    @property
    def seconds(self) -> float:
        """The duration of the whole measurement in s, including warm-ups. With a load it is approximate, as the load
        settles once at the beginning and again in every warm-up."""
        if not self.conditions.load:
            return self.parts * self.turn_seconds
        return _SETTLES + self.parts * (max(self.warmup / 1e9, _SETTLES) + self.duration / 1e9)

    @property
    def turn_seconds(self) -> float:
        return (self.warmup + self.duration) / 1e9

    @property
    def probed(self) -> tuple[int, ...]:
        """All CPUs that threads may run on: every allowed CPU if one of the variants does not set affinities."""
        return tuple(dict.fromkeys(cpu for each in self.variants for cpu in self.cpus_of(each)))

    def cpus_of(self, variant: Variant) -> tuple[int, ...]:
        """Return the CPUs that a variant's threads may run on."""
        bound = "affinity" in variant.real_time.parts
        return tuple(dict.fromkeys(self.cpus)) if bound else tuple(allowed_cpus())


LayOutSides = Callable[[Any, Variant], tuple[PeerPlacement, tuple[Side, ...]]]


def run_interleaved(
    kind: str,
    program: str,
    settings: InterleavedSettings,
    folder: Path,
    command: list[str],
    progress: Progress,
    own_record: Mapping[str, Any],
    lay_out_sides: LayOutSides,
) -> None:
    """Run the measurement. `lay_out_sides` returns where the other side of a variant runs, and its sides. `own_record`
    holds the entries of run.json that only this kind of measurement has."""
    if settings.conditions.link is None and any(
        lay_out_sides(settings, each)[0].kind == LINK for each in settings.variants
    ):
        raise UsageError("a measurement over a link needs a link; give --link 100 or --link 1000")
    processes: dict[str, list[Any]] = {each.name: [] for each in settings.variants}
    probes: dict[str, list[Any]] = {each.name: [] for each in settings.variants}
    start_time = now()
    everywhere = allowed_cpus()  # inside the session, this process is kept off the measured CPUs
    rmws = tuple(dict.fromkeys(each.rmw for each in settings.variants))
    programs, segment = ("probe", program), _segment(settings)
    # With a remote side there is no shared memory and no discovery on this host.
    processes_on_host = 2 if any(not lay_out_sides(settings, each)[0].beyond_host for each in settings.variants) else 0
    with measurement_session(
        settings.probed, folder / "fastdds.xml", programs, segment, processes=processes_on_host, rmws=rmws
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
                    turn = _turn(session, program, settled, each, lay_out_sides(settings, each), surroundings, folder)
                    process_record, probe_record = run_turn(
                        session, turn, folder / f"round-{number + 1}", progress, surroundings
                    )
                    processes[each.name].append(process_record)
                    probes[each.name].append(probe_record)
        conditions = surroundings.achieved()
        host, middleware = plain(session.host()), plain(session.middleware.facts())
        preload = {each: preloaded_libraries(session.middleware.environment(rmw_variable(each))) for each in rmws}
    record = {
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "command": command,
        "began": start_time,
        "payload_bytes": settings.payload,
        "period_ns": settings.period,
        "deadline_ns": settings.deadline or settings.period,
        "timeout_ns": settings.timeout,
        "duration_ns": settings.duration,
        "warmup_ns": settings.warmup,
        "warmed_up_ns": settled.warmup,
        "rounds": settings.rounds,
        "qos": {"reliability": "reliable" if settings.reliable else "best effort", "depth": settings.depth},
        **own_record,
        "absent": list(settings.absent),
        "labels": list(settings.labels),
        "conditions": conditions,
        "variants": [
            each.to_json() | {"cpus": list(settings.cpus_of(each)), "preloaded": preload[each.rmw]}
            for each in settings.variants
        ],
        "versions": versions(),
        "commit": commit(),
        "host": host,
        "middleware": middleware,
        "processes": processes,
        "probes": probes,
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


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
    addresses = _addresses(beyond_host, surroundings) if len(sides) == 2 else None
    placed = []
    for number, side in enumerate(sides):
        cpu = settings.cpus[min(number, len(settings.cpus) - 1)]
        address_options = [] if addresses is None else ["--here", addresses[number], "--there", addresses[1 - number]]
        prefix = tuple(surroundings.inside(("client", "server")[number])) if beyond_host.kind == LINK else ()
        arguments = (
            *shared,
            *limits.options,
            *address_options,
            *variant.real_time.options(cpu, settings.depth),
            *side.arguments,
        )
        command = side.remote(session.middleware.domain) if side.remote else ()
        if side.remote and beyond_host.kind == BY_HAND:
            settings.tell(f"on {beyond_host.host}: {shlex.join(command)}")
            continue
        placed.append(replace(side, arguments=arguments, prefix=prefix, command=command))
    environment = environment_of(session, program, variant, beyond_host, settings.depth, folder)
    return SideTurn(program, variant.name, variant.tag, tuple(placed), settings.turn_seconds, limits, environment)


def shared_arguments(settings: InterleavedSettings, variant: Variant, domain: int) -> list[str]:
    """Return the arguments of both sides."""
    return [
        *("--transport", variant.transport.program, "--payload", str(settings.payload)),
        *("--period-ns", str(settings.period), "--timeout-ns", str(settings.timeout)),
        *("--duration-ns", str(settings.duration), "--warmup-ns", str(settings.warmup)),
        *("--depth", str(settings.depth), "--domain", str(domain)),
        *("--checkpoint-ns", str(settings.checkpoint)),
        *(["--reliable"] if settings.reliable else []),
    ]


def _addresses(placement: PeerPlacement, surroundings: RunningSurroundings) -> tuple[str, str]:
    if placement.kind == LINK:
        return f"{surroundings.address('client')}:{CLIENT_PORT}", f"{surroundings.address('server')}:{SERVER_PORT}"
    if placement.remote:
        return remote_ends(placement)
    ports = free_ports()
    return f"127.0.0.1:{ports[0]}", f"127.0.0.1:{ports[1]}"


def environment_of(
    session: Session, program: str, variant: Variant, placement: PeerPlacement, depth: int, folder: Path
) -> dict[str, str]:
    """Return the environment variables of a variant in addition to the common ones: its RMW, and a profile for the
    middleware."""
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
    histories = dict.fromkeys(_TOPICS[program], history) if history else None
    write_profile(profile, session.middleware.segment_size, 2, not placement.beyond_host, priority, histories)
    environment |= {"FASTRTPS_DEFAULT_PROFILES_FILE": str(profile), "FASTDDS_DEFAULT_PROFILES_FILE": str(profile)}
    # Behind a link there are no nodes but these two.
    return environment | ({RANGE: "SUBNET"} if placement.beyond_host else {})
