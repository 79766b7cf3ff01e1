# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the host itself lives in: a container, a virtual machine, a network with a time of its own."""

from __future__ import annotations

import ctypes
import re

from takt_cli.doctor.finding import Finding, Patient, Severity
from takt_cli.host.loopback import MEND, loopback_is_down

_UNSYNCHRONISED, _ERROR_STATE = 0x40, 5
# A host that takes more than this of the CPU time is no place for real time.
_MUCH = 0.05


def virtual(patient: Patient) -> Finding:
    """A virtual machine, and what its host took from the CPUs since it started."""
    flags = re.search(r"^flags\s*:.*\bhypervisor\b", patient.system.text("proc/cpuinfo") or "", re.MULTILINE)
    product = patient.system.text("sys/class/dmi/id/product_name") or ""
    guest = flags is not None or bool(re.search(r"virtual|kvm|qemu|vmware", product, re.IGNORECASE))
    stolen, total = steal(patient)
    share = stolen / total if total else 0.0
    subject = "virtual machine"
    if not guest and not stolen:
        return Finding(subject, Severity.fit, "no")
    told = f"{'yes' if guest else 'not by its signs'}; its host took {share:.2%} of the CPU time so far"
    cost = "the host may take a CPU away at any instant, for ms, and no priority in here helps"
    mend = "use a real machine, or pin the virtual CPUs at a real-time priority on the host"
    return Finding(subject, Severity.unfit if share > _MUCH else Severity.warning, told, cost, mend)


def steal(patient: Patient) -> tuple[int, int]:
    """Ticks that were taken from these CPUs, and all of theirs."""
    stolen = total = 0
    for line in (patient.system.text("proc/stat") or "").splitlines():
        name, *fields = line.split()
        if name in {f"cpu{cpu}" for cpu in patient.cpus} and len(fields) >= 8:
            stolen += int(fields[7])
            # Guests' time, at the end, is counted in the user's already.
            total += sum(int(field) for field in fields[:8])
    return stolen, total


def container(patient: Patient) -> Finding:
    system, subject = patient.system, "container"
    signs = [name for name in ("/.dockerenv", "/run/.containerenv") if system.exists(name)]
    named = re.search(r"(?:^|\0)container=([^\0]+)", system.text("proc/1/environ") or "")
    if named:
        signs.append(f"container={named[1]}")
    group = re.search(r"docker|kubepods|lxc|containerd|libpod", system.text("proc/1/cgroup") or "")
    if group:
        signs.append(f"control group of {group[0]}")
    if not signs:
        return Finding(subject, Severity.fit, "no")
    kernel_threads = bool(system.tasks_of_kernel())
    told = ", ".join(signs)
    if kernel_threads:
        # An image that is used as a machine.
        return Finding(subject, Severity.fit, f"signs of one ({told}), but it has the kernel's threads: a machine")
    cost = "its limits, CPUs and rights are those it was started with, and the host cannot be tuned from in here"
    options = "--cap-add SYS_NICE --ulimit rtprio=99 --ulimit memlock=-1 --cpuset-cpus N"
    mend = f"docker run {options}  # and takt tune on the host"
    return Finding(subject, Severity.note, told, cost, mend)


def loopback(patient: Patient) -> Finding | None:
    """Whether processes of this host can find each other; nothing on a record of a host that does not tell."""
    subject = "loopback"
    flags = patient.system.text("sys/class/net/lo/flags")
    if not patient.real and flags is None:
        return None
    # What /sys shows may be the network of others.
    down = loopback_is_down() if patient.real else not int(flags or "0", 16) & 1
    if not down:
        return Finding(subject, Severity.fit, "up")
    cost = "processes of ROS 2 on this host do not find each other, and say nothing"
    return Finding(subject, Severity.unfit, "lo is down", cost, MEND)


class _Timex(ctypes.Structure):
    """As adjtimex(2) has it, up to the status; the rest is room."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("room", ctypes.c_long * 32),
    )


def clock_synchronisation(patient: Patient) -> Finding | None:
    """As the kernel has it from whoever sets the clock; nothing on a record of a host."""
    if not patient.real:
        return None
    timex = _Timex()
    state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex))
    subject = "clock synchronisation"
    if state < 0:
        return Finding(subject, Severity.note, "not told")
    if state == _ERROR_STATE or timex.status & _UNSYNCHRONISED:
        cost = "ages and delays between hosts are wrong by as much as the clocks differ; within a host all is well"
        return Finding(subject, Severity.note, "not synchronised", cost, "apt install chrony  # or linuxptp, for PTP")
    return Finding(subject, Severity.fit, f"synchronised, wrong by {timex.maxerror / 1000:g} ms at most")
