# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What every measurement happens in: a ROS domain of its own, programs that end with us, the host's
facts before and after, and nothing left in shared memory."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.errors import RunError
from takt_cli.host.cpu_locks import shared as cpus_shared
from takt_cli.host.cpus import allowed_cpus, aside
from takt_cli.host.domain import private_domain
from takt_cli.host.facts import host_facts
from takt_cli.host.loopback import demand_loopback
from takt_cli.host.middleware import SMALLEST_SEGMENT, Middleware, write_profile
from takt_cli.host.processes import Child, Children, uninterrupted
from takt_cli.host.programs import find_program
from takt_cli.host.realtime import Intruders
from takt_cli.host.rmw_choice import choice_of
from takt_cli.host.ros_security import demand_security
from takt_cli.host.scratch import scratch
from takt_cli.host.segments import demand_room
from takt_cli.run.progress import Progress
from takt_cli.run.shared_memory import SharedMemory
from takt_cli.surroundings.leftovers import clean_leftovers

# A wake-up that comes later is a stall of the host, in ns: docs/figures.md says so of every measurement.
_STALL = 200_000
# How long the probe would run if nobody ended it, in ns.
_PROBE_LONGEST = 48 * 3_600 * 10**9


@dataclass
class Session:
    """The surroundings of one measurement. `work` is a scratch folder that goes with it."""

    cpus: tuple[int, ...]
    work: Path
    middleware: Middleware
    children: Children
    shared: SharedMemory
    _programs: dict[str, str]
    _facts: dict[str, Any]
    intruders: Intruders

    def start(self, program: str, arguments: Sequence[str], name: str | None = None) -> Child:
        """A program of the lab, which `name` calls in messages."""
        log = self.work / f"{(name or program).replace(' ', '-')}.log"
        command = [self._programs[program], *arguments]
        return self.children.start(name or program, command, log, self.middleware.environment())

    def start_probe(self, cpu: int, out: Path) -> Child:
        """Watches a CPU of the host from now on; its stalls go to `out`, which ends in .npy."""
        arguments = ["--cpu", str(cpu), "--duration-ns", str(_PROBE_LONGEST), "--out", str(out)]
        arguments += ["--threshold-ns", str(_STALL)]
        probe = self.start("probe", arguments, "probe" if len(self.cpus) == 1 else f"probe {cpu}")
        probe.wait_for("ready", 15)
        return probe

    def watch(self, child: Child, others: Sequence[Child], length: float, grace: float, progress: Progress) -> None:
        """Until `child`, which takes `length` seconds and at most `grace` more, has ended well."""
        begun = time.monotonic()
        while child.running():
            for each in (child, *others):
                each.check()
            self.intruders.look_now_and_then()
            now = time.monotonic() - begun
            progress.at(now)
            if now > length + grace:
                raise RunError(f"{child.name} did not end in time; {child.last_words() or 'it reported nothing'}")
            time.sleep(0.05)
        child.check()

    def host(self) -> dict[str, Any]:
        """The host as it was before, what other real-time programs did since, and its load now."""
        self.intruders.look()
        after = {"other_realtime": self.intruders.found(), "load_after": list(os.getloadavg())}
        return self._facts | after


@contextmanager
def session(
    cpus: tuple[int, ...],
    profile: Path,
    programs: Sequence[str],
    segment: int = SMALLEST_SEGMENT,
    purpose: str = "measure",
    processes: int = 1,
    rmws: Sequence[str | None] = (None,),
) -> Iterator[Session]:
    """Whatever is started inside has ended when it is left, and has left nothing in shared memory.
    `profile` is where the middleware's settings are written, `processes` how many will use it at a time and find each
    other on this host; `purpose` is a word of its scratch folder's name. `rmws`: over which programs will be started,
    each said to them; None is the caller's choice. Raises a TaktError, before anything is started where the host would
    lose messages without a word."""
    demand(segment, processes, rmws)
    clean_leftovers()
    found = {name: str(find_program(name)) for name in programs}
    allowed = allowed_cpus()
    facts = host_facts(cpus)
    shared = SharedMemory()
    try:
        with (
            scratch(purpose) as work,
            cpus_shared(cpus),
            private_domain() as domain,
            aside(cpus),
            Children(allowed, before_end=shared.note) as children,
        ):
            intruders = Intruders(cpus, children.every_pid)
            rmw = next(filter(None, rmws), None)
            middleware = Middleware(domain, profile, segment, work, processes, rmw)
            # Before anything is started: whether programs can be.
            for each in rmws:
                middleware.environment(choice_of(each))
            write_profile(profile, segment, processes)
            yield Session(cpus, work, middleware, children, shared, found, facts, intruders)
    finally:
        with uninterrupted():
            shared.clean()


def demand(segment: int, processes: int, rmws: Sequence[str | None] = (None,)) -> None:
    """HostError where so many processes would not start, not find each other or lose messages without a word."""
    demand_security()
    if processes > 1:
        demand_loopback()
    demand_room(segment, processes, rmws)


def end_probe(probe: Child) -> None:
    """Has it write what it saw."""
    if not probe.running():
        probe.check()
        raise RunError(f"probe ended before the run did; {probe.last_words() or 'it reported nothing'}")
    probe.signal(signal.SIGTERM)
    if not probe.wait(10):
        raise RunError("probe did not end when asked to")
    probe.check()
