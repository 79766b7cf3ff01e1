# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The environment of every measurement: a ROS domain of its own, programs that end with this process, the host's
properties before and after, and nothing left behind in shared memory."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from takt_cli.errors import RunError
from takt_cli.host.cpu_locks import lock_shared as cpus_shared
from takt_cli.host.cpus import allowed_cpus, keep_off
from takt_cli.host.domain import private_domain
from takt_cli.host.facts import host_facts
from takt_cli.host.loopback import require_loopback
from takt_cli.host.middleware import SMALLEST_SEGMENT, Middleware, write_profile
from takt_cli.host.patience import Patience
from takt_cli.host.processes import Child, Children
from takt_cli.host.programs import find_program
from takt_cli.host.realtime import Intruders
from takt_cli.host.rmw_choice import rmw_variable
from takt_cli.host.ros_security import require_security
from takt_cli.host.scratch import scratch_folder
from takt_cli.host.segments import require_space
from takt_cli.results.origin import Host
from takt_cli.run.progress import Progress
from takt_cli.run.shared_memory import SharedMemory
from takt_cli.signals import uninterrupted
from takt_cli.surroundings.leftovers import clean_leftovers

# A wake-up that is later by more than this, in ns, is a stall of the host, for all measurements (docs/figures.md).
_STALL = 200_000
# How long the probe would run if it were not ended, in ns.
_PROBE_LONGEST = 48 * 3_600 * 10**9


@dataclass
class Session:
    """The environment of one measurement. `work` is a scratch folder that is removed at its end."""

    cpus: tuple[int, ...]
    work: Path
    middleware: Middleware
    children: Children
    shared: SharedMemory
    _programs: dict[str, str]
    _facts: Host
    intruders: Intruders

    def start(self, program: str, arguments: Sequence[str], name: str | None = None) -> Child:
        """Start a program of the lab; `name` is what messages call it."""
        log = self.work / f"{(name or program).replace(' ', '-')}.log"
        command = [self._programs[program], *arguments]
        return self.children.start(name or program, command, log, self.middleware.environment())

    def start_probe(self, cpu: int, out: Path, period: int = 1_000_000) -> Child:
        """Start a probe that watches a CPU for stalls of the host, every `period` ns; they are written to `out`, which
        ends in .npy."""
        arguments = ["--cpu", str(cpu), "--duration-ns", str(_PROBE_LONGEST), "--out", str(out)]
        arguments += ["--period-ns", str(period), "--threshold-ns", str(_STALL)]
        probe = self.start("probe", arguments, "probe" if len(self.cpus) == 1 else f"probe {cpu}")
        probe.wait_for("ready", 15)
        return probe

    def watch(self, child: Child, others: Sequence[Child], length: float, grace: float, progress: Progress) -> None:
        """Wait for `child`, which takes `length` seconds and may take at most `grace` more. Raises a RunError if it, or
        one of the `others`, fails or takes too long."""
        begin = time.monotonic()
        patience = Patience()
        while child.running():
            for each in (child, *others):
                each.check()
            self.intruders.take_sample_if_due()
            progress.at(time.monotonic() - begin)
            if patience.waited() > length + grace:
                raise RunError(f"{child.name} did not end in time; {child.reported()}")
            time.sleep(0.05)
        child.check()

    def host(self) -> Host:
        """Return the host's properties as they were at the beginning, the CPU time that other real-time programs have
        used since, and the load average now."""
        self.intruders.take_sample()
        return msgspec.structs.replace(
            self._facts, other_realtime=self.intruders.cpu_time_by_thread(), load_after=list(os.getloadavg())
        )


@contextmanager
def measurement_session(
    cpus: tuple[int, ...],
    profile: Path,
    programs: Sequence[str],
    segment: int = SMALLEST_SEGMENT,
    purpose: str = "measure",
    processes: int = 1,
    rmws: Sequence[str | None] = (None,),
) -> Iterator[Session]:
    """Open a session for a measurement. When the context is left, everything that was started inside it has ended,
    without leftovers in shared memory. `profile` is where the middleware's settings are written; `processes` is how
    many processes use it at a time and discover each other on this host; `purpose` is part of the scratch folder's
    name. `rmws` lists the RMWs of the programs; None is the caller's choice. Raises a TaktError, for instance, before
    anything starts, if the host would lose messages without a warning."""
    require_capacity(segment, processes, rmws)
    clean_leftovers()
    program_paths = {name: str(find_program(name)) for name in programs}
    allowed = allowed_cpus()
    facts = host_facts(cpus)
    shared = SharedMemory()
    try:
        with (
            scratch_folder(purpose) as work,
            cpus_shared(cpus),
            private_domain() as domain,
            keep_off(cpus),
            Children(allowed, before_end=shared.note) as children,
        ):
            intruders = Intruders(cpus, children.every_pid)
            rmw = next(filter(None, rmws), None)
            middleware = Middleware(domain, profile, segment, work, processes, rmw)
            # Before anything is started, check that programs can start with these RMWs.
            for each in rmws:
                middleware.environment(rmw_variable(each))
            write_profile(profile, segment, processes)
            yield Session(cpus, work, middleware, children, shared, program_paths, facts, intruders)
    finally:
        with uninterrupted():
            shared.clean()


def require_capacity(segment: int, processes: int, rmws: Sequence[str | None] = (None,)) -> None:
    """Raise a HostError if so many processes would not start, not discover each other, or lose messages silently."""
    require_security()
    if processes > 1:
        require_loopback()
    require_space(segment, processes, rmws)


def end_probe(probe: Child) -> None:
    """Let the probe write its results and wait for its end. Raises a RunError if it has failed."""
    if not probe.running():
        probe.check()
        raise RunError(f"the stall probe ended before the run did; {probe.reported()}")
    probe.signal(signal.SIGTERM)
    if not probe.wait(10):
        raise RunError("the stall probe did not end when asked to")
    probe.check()
