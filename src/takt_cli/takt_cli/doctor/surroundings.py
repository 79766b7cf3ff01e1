# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of what the host runs in: a container, a virtual machine, a network with synchronised clocks."""

from __future__ import annotations

import ctypes
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
from takt_cli.host.loopback import REMEDY, loopback_is_down

_UNSYNCHRONISED, _ERROR_STATE = 0x40, 5
# A virtual machine is unfit if its host has taken more than this share of the CPU time.
_MAX_STEAL_SHARE = 0.05


def virtual(host: ExaminedHost) -> Finding:
    """Check for a virtual machine, and which share of the CPU time its host has taken (steal) since boot."""
    flags = host.system.table("proc/cpuinfo").get("flags", "").split()
    product = host.system.text("sys/class/dmi/id/product_name") or ""
    guest = "hypervisor" in flags or bool(re.search(r"virtual|kvm|qemu|vmware", product, re.IGNORECASE))
    stolen, total = steal(host)
    share = stolen / total if total else 0.0
    if not guest and not stolen:
        return finding("virtual machine", "none")
    case, sign = "stolen" if share > _MAX_STEAL_SHARE else "tolerable", "yes" if guest else "no sign of one"
    return finding("virtual machine", case, sign=sign, share=share)


def steal(host: ExaminedHost) -> tuple[int, int]:
    """Return the ticks that a virtual machine's host has taken from these CPUs, and all ticks of these CPUs."""
    stolen = total = 0
    for line in host.system.lines("proc/stat"):
        name, *fields = line.split()
        if name in {f"cpu{cpu}" for cpu in host.cpus} and len(fields) >= 8:
            stolen += int(fields[7])
            # The fields behind these, the time of guests, are already included in user time.
            total += sum(int(field) for field in fields[:8])
    return stolen, total


def container(host: ExaminedHost) -> Finding:
    """Check for a container, whose limits and rights can only be changed from outside."""
    system = host.system
    signs = [name for name in ("/.dockerenv", "/run/.containerenv") if system.exists(name)]
    match = re.search(r"(?:^|\0)container=([^\0]+)", system.text("proc/1/environ") or "")
    if match:
        signs.append(f"container={match[1]}")
    group = re.search(r"docker|kubepods|lxc|containerd|libpod", system.text("proc/1/cgroup") or "")
    if group:
        signs.append(f"control group of {group[0]}")
    if not signs:
        return finding("container", "none")
    # With kernel threads it is a container image that was booted as a machine of its own.
    return finding("container", "machine" if system.tasks_of_kernel() else "container", found=", ".join(signs))


def loopback(host: ExaminedHost) -> Finding | None:
    """Check whether the loopback interface is up, without which processes on this host cannot find each other. Return
    None for the record of a host that does not include it."""
    flags = host.system.text("sys/class/net/lo/flags")
    if not host.real and flags is None:
        return None
    # On a live host /sys may show the interfaces of another network namespace.
    down = loopback_is_down() if host.real else not int(flags or "0", 16) & 1
    return finding("loopback", "down" if down else "up", remedy=REMEDY)


class _Timex(ctypes.Structure):
    """The beginning of adjtimex(2)'s struct timex, up to `status`; `room` covers the rest."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("room", ctypes.c_long * 32),
    )


def clock_synchronisation(host: ExaminedHost) -> Finding | None:
    """Check whether the kernel considers the system clock synchronised. Return None for the record of a host."""
    if not host.real:
        return None
    timex = _Timex()
    state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex))
    if state < 0:
        return finding("clock synchronisation", "unknown")
    if state == _ERROR_STATE or timex.status & _UNSYNCHRONISED:
        return finding("clock synchronisation", "not synchronised")
    return finding("clock synchronisation", "synchronised", error=timex.maxerror / 1000)
