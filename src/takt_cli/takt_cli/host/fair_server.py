# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The fair server of Linux 6.12 and later, which reserves CPU time for ordinary threads on CPUs that real-time threads
occupy, even if real-time throttling is off. It is set in debugfs, which may be unmounted or locked down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from takt_cli.host.system import System
from takt_cli.results.origin import kernel_has_fair_server

_DEBUG = "sys/kernel/debug"
_SERVERS = f"{_DEBUG}/sched/fair_server"


@dataclass(frozen=True)
class Share:
    """The CPU time reserved for ordinary threads on one CPU: `runtime` in each `period`, both in ns; 0 is off."""

    runtime: int
    period: int


@dataclass(frozen=True)
class FairServers:
    """The fair servers of some CPUs. `shares` has one entry per CPU. If the kernel has fair servers that cannot be
    read, `shares` is empty, `hidden` gives the reason and `remedy` what helps; if it has none, all are empty."""

    shares: dict[int, Share]
    hidden: str = ""
    remedy: str = ""


def fair_servers(system: System, cpus: Sequence[int]) -> FairServers:
    """Return the fair servers of these CPUs: either all of them or, if one cannot be read, none."""
    cpus_with_server = system.numbered(_SERVERS, "cpu")
    wanted_cpus = [cpu for cpu in cpus if cpu in cpus_with_server]
    values = {cpu: [system.integer(file_of(cpu, name)) for name in ("runtime", "period")] for cpu in wanted_cpus}
    shares = {
        cpu: Share(runtime, period) for cpu, (runtime, period) in values.items() if runtime is not None and period
    }
    if cpus_with_server and len(shares) == len(wanted_cpus):
        return FairServers(shares)
    if cpus_with_server:
        return FairServers({}, "debugfs is locked", "boot without kernel lockdown (Secure Boot enables it)")
    if not has_fair_server(system) or system.entries(f"{_DEBUG}/sched"):
        return FairServers({})
    if any(each.kind == "debugfs" for each in system.mounts()):
        return FairServers({}, "only root can read debugfs", "run as root")
    return FairServers({}, "debugfs is not mounted", f"mount -t debugfs none /{_DEBUG}")


def has_fair_server(system: System) -> bool:
    """Return whether the running kernel has the fair server."""
    return kernel_has_fair_server(system.text("proc/sys/kernel/osrelease") or "")


def file_of(cpu: int, name: str) -> str:
    """Return the file that holds a CPU's `runtime` or `period`."""
    return f"{_SERVERS}/cpu{cpu}/{name}"
