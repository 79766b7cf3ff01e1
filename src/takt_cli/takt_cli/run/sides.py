# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The two sides of a communication measurement: in one process or two, on this host, over a link or on another host."""

from __future__ import annotations

import shlex
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from takt_cli.errors import RunError, RunTimeout, UsageError
from takt_cli.host.patience import Patience
from takt_cli.host.polling import becomes_true
from takt_cli.host.processes import Child
from takt_cli.host.programs import find_program
from takt_cli.results.communication import (
    BY_HAND,
    LINK,
    PROCESS,
    SAME_NODE,
    SAME_PROCESS,
    SSH,
    PeerPlacement,
    SideProcess,
)
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Probe
from takt_cli.run.limits import Limits
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, end_probe
from takt_cli.surroundings.setup import RunningSurroundings

_STARTING = 30.0
# How often consecutive free ports are looked for.
_ATTEMPTS = 100
# How long a process may take to end once its files are complete, in s: Fast DDS may hang at its end.
_ENDING = 10.0
# The UDP ports over a link, and with another machine, which must know them in advance.
CLIENT_PORT, SERVER_PORT = 47001, 47002


def parse_peer_placement(text: str) -> PeerPlacement:
    """Parse `same-node`, `same-process`, `process`, `link`, `ssh:HOST` or the ADDRESS of another machine. Raises a
    UsageError."""
    if text in (SAME_NODE, SAME_PROCESS, PROCESS, LINK):
        return PeerPlacement(text)
    if text.startswith("ssh:") and len(text) > 4 and not text[4:].startswith("-"):
        return PeerPlacement(SSH, text[4:])
    try:
        socket.getaddrinfo(text, None, socket.AF_INET)
    except (OSError, UnicodeError):
        raise UsageError(
            f"--server {text}: is neither same-node, same-process, process, link or ssh:HOST nor a known host"
        ) from None
    return PeerPlacement(BY_HAND, text)


@dataclass(frozen=True)
class Side:
    """A side of the measurement, as a process. If `command` is set, it is run instead of the lab's program, on another
    machine; `remote` makes that command from the ROS domain. `prefix` is put before the program's command."""

    name: str
    tag: str
    arguments: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    remote: Callable[[int], tuple[str, ...]] | None = None


@dataclass(frozen=True)
class SideTurn:
    """A turn of one variant in one round. The first of `sides` is the one that measures."""

    program: str
    name: str
    tag: str
    sides: tuple[Side, ...]
    seconds: float
    limits: Limits
    environment: Mapping[str, str] = field(default_factory=dict)


def run_turn(
    session: Session, turn: SideTurn, folder: Path, progress: Progress, surroundings: RunningSurroundings
) -> tuple[list[SideProcess], list[Probe]]:
    """Run a turn, and return the reports of its processes and of the probes; samples are in `folder`. The background
    load is released just before the grid begins, and stopped when the samples are written. Raises a TaktError."""
    folder.mkdir(exist_ok=True)
    surroundings.hold()
    progress.begin(f"{turn.name}, {folder.name.replace('-', ' ')}", turn.seconds)
    stalls = [folder / f"{turn.tag}.stalls-{cpu}.npy" for cpu in session.cpus]
    probes = [session.start_probe(cpu, file) for cpu, file in zip(session.cpus, stalls, strict=True)]
    measuring, *others = turn.sides
    servers = [_start(session, turn, each, folder) for each in others]
    for server in servers:
        server.wait_for("ready", _STARTING)
    client = _start(session, turn, measuring, folder)
    session.shared.note(session.children.pids())
    _watch(session, client, [*servers, *probes], turn.seconds, progress, surroundings, turn.limits)
    surroundings.hold()
    session.shared.note(session.children.pids())
    for server in servers:
        _end(server)
    for probe in probes:
        end_probe(probe)
    progress.end()
    # The report of a side on another machine remains there.
    reports = [read_json(folder / f"{side.tag}.json", SideProcess) for side in turn.sides if not side.command]
    return reports, [read_json(file.with_suffix(".json"), Probe) for file in stalls]


def free_ports(*counts: int) -> list[int]:
    """Return, for each count, the first of so many consecutive UDP ports on the loopback interface that are currently
    free. Raises a RunError if there are none."""
    with ExitStack() as bound:

        def block_of(count: int) -> int:
            for _ in range(_ATTEMPTS):
                with ExitStack() as stack:
                    first = 0
                    try:
                        for offset in range(count):
                            each = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                            each.bind(("127.0.0.1", first + offset if first else 0))
                            first = first or int(each.getsockname()[1])
                    except (OSError, OverflowError):
                        continue  # one of the following ports is taken
                    bound.enter_context(stack.pop_all())
                    return first
            raise RunError(f"no {count} consecutive UDP ports are free on 127.0.0.1; end programs that use many")

        return [block_of(count) for count in counts]


def address_towards(host: str) -> str:
    """Return this machine's address as seen by `host`, without sending anything. Raises a UsageError if there is no
    route to it."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host.rpartition("@")[2], SERVER_PORT))
            return str(probe.getsockname()[0])
    except OSError as error:
        raise UsageError(f"--server {host}: there is no route to it: {error.strerror or error}") from None


def remote_ends(placement: PeerPlacement) -> tuple[str, str]:
    """Return the addresses with ports of this machine and of the other one. Raises a UsageError if it is unknown."""
    try:
        remote_address = socket.gethostbyname(placement.host.rpartition("@")[2])
    except OSError as error:
        raise UsageError(f"--server {placement.host}: is not a known host: {error.strerror or error}") from None
    return f"{address_towards(remote_address)}:{CLIENT_PORT}", f"{remote_address}:{SERVER_PORT}"


def ssh(host: str, command: Sequence[str]) -> tuple[str, ...]:
    """Return the command that runs `command` over ssh. It never prompts, and ends the remote processes when it ends."""
    return ("ssh", "-tt", "-o", "BatchMode=yes", host, shlex.join(command))


def _start(session: Session, turn: SideTurn, side: Side, folder: Path) -> Child:
    name = f"{turn.program} {side.name} of {turn.name}"
    own_command = [str(find_program(turn.program)), "--side", side.name, "--out", str(folder), "--tag", side.tag]
    command = side.command or (*own_command, *side.arguments)
    environment = session.middleware.environment(turn.environment)
    return session.children.start(name, command, session.work / f"{side.tag}.log", environment, side.prefix)


def _watch(
    session: Session,
    client: Child,
    others: Sequence[Child],
    seconds: float,
    progress: Progress,
    surroundings: RunningSurroundings,
    limits: Limits,
) -> None:
    """Wait until the client's files are complete. Raises a RunError if a process fails, a RunTimeout if it takes too
    long."""
    patience = Patience()
    window_begin: float | None = None
    while client.running() and not client.has_printed("files"):
        for each in (client, *others):
            each.check()
            if each is not client and not each.running():
                raise RunError(f"{each.name} ended before the measurement did: {each.reported()}")
        surroundings.check()
        session.intruders.take_sample_if_due()
        now = time.monotonic()
        if window_begin is None and client.has_printed("t0"):
            window_begin = now
            surroundings.release()
        if window_begin is not None:
            progress.at(now - window_begin)
        if patience.waited() > seconds + limits.total:
            failure = "did not end in time" if window_begin else "did not discover the other side in time"
            raise RunTimeout(f"{client.name} {failure}; {client.reported()}")
        time.sleep(0.05)
    if not client.wait(_ENDING):
        client.kill()
    else:
        client.check()


def _end(server: Child) -> None:
    """Let the server write its results, and wait for its end."""
    if not server.running():
        server.check()
    server.signal(signal.SIGTERM)
    becomes_true(lambda: not server.running() or server.has_printed("files"), _STARTING)
    if not server.wait(_ENDING):
        server.kill()
        server.wait(5.0)
