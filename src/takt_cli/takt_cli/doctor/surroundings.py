# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of what the host runs in: a container, a virtual machine, a network with synchronised clocks."""

from __future__ import annotations

import ctypes
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
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
    subject = "virtual machine"
    if not guest and not stolen:
        return Finding(subject, Severity.fit, "no")
    description = f"{'yes' if guest else 'no sign of one'}; its host took {share:.2%} of the CPU time so far"
    cost = "the host may take a CPU away at any instant, for milliseconds, whatever the priority in here"
    mend = "use a real machine, or pin the virtual CPUs at a real-time priority on the host"
    return Finding(subject, Severity.unfit if share > _MAX_STEAL_SHARE else Severity.warning, description, cost, mend)


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
    system, subject = host.system, "container"
    signs = [name for name in ("/.dockerenv", "/run/.containerenv") if system.exists(name)]
    match = re.search(r"(?:^|\0)container=([^\0]+)", system.text("proc/1/environ") or "")
    if match:
        signs.append(f"container={match[1]}")
    group = re.search(r"docker|kubepods|lxc|containerd|libpod", system.text("proc/1/cgroup") or "")
    if group:
        signs.append(f"control group of {group[0]}")
    if not signs:
        return Finding(subject, Severity.fit, "no")
    kernel_threads = bool(system.tasks_of_kernel())
    description = ", ".join(signs)
    if kernel_threads:
        # A container image booted as a machine of its own.
        return Finding(
            subject, Severity.fit, f"signs of one ({description}), but kernel threads are visible: a machine"
        )
    cost = "limits, CPUs and rights are fixed when the container starts, and the host cannot be tuned from inside"
    options = "--cap-add SYS_NICE --ulimit rtprio=99 --ulimit memlock=-1 --cpuset-cpus N"
    mend = f"docker run {options}  # and takt tune on the host"
    return Finding(subject, Severity.note, description, cost, mend)


def loopback(host: ExaminedHost) -> Finding | None:
    """Check whether the loopback interface is up, without which processes on this host cannot find each other. Return
    None for the record of a host that does not include it."""
    subject = "loopback"
    flags = host.system.text("sys/class/net/lo/flags")
    if not host.real and flags is None:
        return None
    # On a live host /sys may show the interfaces of another network namespace.
    down = loopback_is_down() if host.real else not int(flags or "0", 16) & 1
    if not down:
        return Finding(subject, Severity.fit, "up")
    cost = "ROS 2 processes on this host do not find each other, and report nothing"
    return Finding(subject, Severity.unfit, "lo is down", cost, REMEDY)


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
    subject = "clock synchronisation"
    if state < 0:
        return Finding(subject, Severity.note, "unknown")
    if state == _ERROR_STATE or timex.status & _UNSYNCHRONISED:
        cost = "ages and delays between hosts are wrong by the difference of their clocks; within a host they are right"
        return Finding(subject, Severity.note, "not synchronised", cost, "apt install chrony  # or linuxptp, for PTP")
    return Finding(subject, Severity.fit, f"synchronised, error at most {timex.maxerror / 1000:g} ms")
