# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The two sides of a measurement of communication: one process or two, here, over a link or on another machine."""

from __future__ import annotations

import shlex
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from takt_cli.errors import RunError, RunTimeout, UsageError
from takt_cli.host.processes import Child
from takt_cli.host.programs import find_program
from takt_cli.run.limits import Limits
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import Session, end_probe
from takt_cli.surroundings.around import Around

SAME_NODE, SAME_PROCESS, PROCESS, LINK, SSH, BY_HAND = "same-node", "same-process", "process", "link", "ssh", "by hand"
_STARTING = 30.0
# What the end of a process may take once its files are whole, in s: Fast DDS can wait for ever in it.
_ENDING = 10.0
# On a link, and on machines that must agree beforehand.
CLIENT_PORT, SERVER_PORT = 47001, 47002


@dataclass(frozen=True)
class Where:
    """Where the other side is. `host` of another machine: its name or address, with a user for ssh."""

    kind: str
    host: str = ""

    @property
    def one_process(self) -> bool:
        return self.kind in (SAME_NODE, SAME_PROCESS)

    @property
    def remote(self) -> bool:
        return self.kind in (SSH, BY_HAND)

    @property
    def beyond_host(self) -> bool:
        """Where shared memory does not reach, or must not be used as if it did not."""
        return self.kind == LINK or self.remote

    def __str__(self) -> str:
        return f"{self.kind} {self.host}".strip()


def where(text: str) -> Where:
    """`same-node`, `same-process`, `process`, `link`, `ssh:HOST` or the ADDRESS of another machine. UsageError."""
    if text in (SAME_NODE, SAME_PROCESS, PROCESS, LINK):
        return Where(text)
    if text.startswith("ssh:") and len(text) > 4 and not text[4:].startswith("-"):
        return Where(SSH, text[4:])
    try:
        socket.getaddrinfo(text, None, socket.AF_INET)
    except (OSError, UnicodeError):
        raise UsageError(
            f"--server {text}: is neither same-node, same-process, process, link or ssh:HOST nor a host that is known"
        ) from None
    return Where(BY_HAND, text)


@dataclass(frozen=True)
class Side:
    """One process. `command`: on another machine, instead of a program of the lab here; `remote` makes it, from the
    ROS domain."""

    name: str
    tag: str
    arguments: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    remote: Callable[[int], tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Turn:
    """One variant in one round: `sides`, the measuring one first. `cpus` are probed."""

    program: str
    name: str
    tag: str
    sides: tuple[Side, ...]
    seconds: float
    limits: Limits
    environment: Mapping[str, str] = field(default_factory=dict)


def run_turn(
    place: Session, turn: Turn, folder: Path, progress: Progress, around: Around
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What its processes and the probes told; their samples are in `folder`. The load around it is let go when the
    grid is about to begin, and held when the samples are written. Raises a TaktError."""
    folder.mkdir(exist_ok=True)
    around.hold()
    progress.begin(f"{turn.name}, {folder.name.replace('-', ' ')}", turn.seconds)
    stalls = [folder / f"{turn.tag}.stalls-{cpu}.npy" for cpu in place.cpus]
    probes = [place.start_probe(cpu, file) for cpu, file in zip(place.cpus, stalls, strict=True)]
    measuring, *others = turn.sides
    servers = [_start(place, turn, each, folder) for each in others]
    for server in servers:
        server.wait_for("ready", _STARTING)
    client = _start(place, turn, measuring, folder)
    place.shared.note(place.children.pids())
    _watch(place, client, [*servers, *probes], turn.seconds, progress, around, turn.limits)
    around.hold()
    place.shared.note(place.children.pids())
    for server in servers:
        _end(server)
    for probe in probes:
        end_probe(probe)
    progress.end()
    # What is on another machine keeps its facts there.
    told = [read_json(folder / f"{side.tag}.json") for side in turn.sides if not side.command]
    return told, [read_json(file.with_suffix(".json")) for file in stalls]


def free_ports() -> tuple[int, int]:
    """Two UDP ports of the loopback that nobody uses now."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as two,
    ):
        for each in (one, two):
            each.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1]), int(two.getsockname()[1])


def address_towards(host: str) -> str:
    """Ours, as a host sees it; nothing is sent. UsageError if there is no way to it."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host.rpartition("@")[2], SERVER_PORT))
            return str(probe.getsockname()[0])
    except OSError as error:
        raise UsageError(f"--server {host}: there is no way to it: {error.strerror or error}") from None


def remote_ends(beyond: Where) -> tuple[str, str]:
    """Addresses with ports: ours, and that of the other machine. UsageError if it is not known."""
    try:
        there = socket.gethostbyname(beyond.host.rpartition("@")[2])
    except OSError as error:
        raise UsageError(f"--server {beyond.host}: is not known here: {error.strerror or error}") from None
    return f"{address_towards(there)}:{CLIENT_PORT}", f"{there}:{SERVER_PORT}"


def ssh(host: str, command: Sequence[str]) -> tuple[str, ...]:
    """Never asks; ends there what it has started when it ends here."""
    return ("ssh", "-tt", "-o", "BatchMode=yes", host, shlex.join(command))


def _start(place: Session, turn: Turn, side: Side, folder: Path) -> Child:
    name = f"{turn.program} {side.name} of {turn.name}"
    own = [str(find_program(turn.program)), "--side", side.name, "--out", str(folder), "--tag", side.tag]
    command = side.command or (*own, *side.arguments)
    environment = place.middleware.environment(turn.environment)
    return place.children.start(name, command, place.work / f"{side.tag}.log", environment, side.prefix)


def _watch(
    place: Session,
    client: Child,
    others: Sequence[Child],
    seconds: float,
    progress: Progress,
    around: Around,
    limits: Limits,
) -> None:
    """Until the client's files are whole."""
    deadline = time.monotonic() + seconds + limits.whole
    began: float | None = None
    while client.running() and not client.said("files"):
        for each in (client, *others):
            each.check()
            if each is not client and not each.running():
                raise RunError(
                    f"{each.name} ended before the measurement did: {each.last_words() or 'it reported nothing'}"
                )
        around.check()
        place.intruders.look_now_and_then()
        now = time.monotonic()
        if began is None and client.said("t0"):
            began = now
            around.release()
        if began is not None:
            progress.at(now - began)
        if now > deadline:
            what = "did not end in time" if began else "found no other side in time"
            raise RunTimeout(f"{client.name} {what}; {client.last_words() or 'it reported nothing'}")
        time.sleep(0.05)
    if not client.wait(_ENDING):
        client.kill()
    else:
        client.check()


def _end(server: Child) -> None:
    """Has it write what it saw."""
    if not server.running():
        server.check()
    server.signal(signal.SIGTERM)
    until = time.monotonic() + _STARTING
    while server.running() and not server.said("files") and time.monotonic() < until:
        time.sleep(0.02)
    if not server.wait(_ENDING):
        server.kill()
        server.wait(5.0)
