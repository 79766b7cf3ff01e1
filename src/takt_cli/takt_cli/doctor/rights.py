# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of this process's rights to real-time priorities and locked memory, and of the host's memory settings."""

from __future__ import annotations

import ctypes
import mmap
import os
import pwd
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
from takt_cli.host.hierarchy import hierarchy_of

_SYS_NICE, _IPC_LOCK = 23, 14
# The priority of the most urgent thread of takt's executors, and that of the probes of its measurements.
_HIGHEST_OF_TAKT, _HIGHEST = 49, 99
_MIB = 1024 * 1024
_TRIAL_LOCK = 16 * _MIB
_LIMITS = "/etc/security/limits.d/takt.conf  # then log in again"


def priority_limit(host: ExaminedHost) -> Finding:
    """Check up to which real-time priority this process may go."""
    subject = "limit of real-time priority"
    group = _group_without_runtime(host)
    if group:
        cost = "real-time priorities are refused in this control group, even to root"
        return Finding(subject, Severity.unfit, f"{group} has no real-time runtime", cost, f"echo 500000 > {group}")
    limit = host.limit("Max realtime priority")
    if host.capability(_SYS_NICE):
        return Finding(subject, Severity.fit, "any, by CAP_SYS_NICE")
    mend = f"echo '{_user()} - rtprio {_HIGHEST}' >> {_LIMITS}"
    if limit is None or limit == 0:
        cost = "takt runs at ordinary priority among all other programs, on one worker and without preemption"
        return Finding(subject, Severity.unfit, f"none is allowed{_void(host)}", cost, mend)
    if 0 < limit < _HIGHEST_OF_TAKT:
        cost = (
            f"takt's threads need priorities up to {_HIGHEST_OF_TAKT}: without them takt runs on one worker, "
            "without preemption"
        )
        return Finding(subject, Severity.warning, f"up to {limit}", cost, mend)
    if 0 < limit < _HIGHEST:
        cost = f"takt's measurements cannot run their probes at {_HIGHEST}: stalls of the host during a run go unseen"
        return Finding(subject, Severity.note, f"up to {limit}", cost, mend)
    return Finding(subject, Severity.fit, "any" if limit < 0 else f"up to {limit}")


def _group_without_runtime(host: ExaminedHost) -> str:
    """Return the file of this process's control group that sets its real-time runtime to 0, or an empty string. Only
    version 1 shares out real-time runtime by group."""
    place = hierarchy_of(host.system, "cpu")
    group = place.group_of(host.system) if place is not None and place.version == 1 else None
    if place is None or group is None:
        return ""
    path = f"{place.mount}{group.rstrip('/')}/cpu.rt_runtime_us"
    return f"/{path}" if host.system.integer(path) == 0 else ""


def memory_limit(host: ExaminedHost) -> Finding:
    """Check the limit of locked memory by the same rule as takt's executors (takt_core/os/locked_memory.cpp): under a
    finite limit they lock nothing."""
    subject = "limit of locked memory"
    limit = host.limit("Max locked memory")
    if host.capability(_IPC_LOCK):
        return Finding(subject, Severity.fit, "unlimited, by CAP_IPC_LOCK")
    if limit is not None and limit < 0:
        return Finding(subject, Severity.fit, "unlimited")
    cost = (
        "takt locks no memory under a finite limit, as later allocations would then fail: the first access to a page "
        "that is not resident costs 1 us to some ms"
    )
    description = "unknown" if limit is None else f"{limit / _MIB:g} MiB{_void(host)}"
    return Finding(subject, Severity.warning, description, cost, _unlimited())


def memory_lock(host: ExaminedHost) -> Finding | None:
    """Try to lock memory, where takt's executors would. Return None for the record of a host."""
    if not host.real:
        return None
    subject = "memory lock"
    limit = memory_limit(host)
    if limit.severity is not Severity.fit:
        return Finding(subject, Severity.note, "not tried: takt locks none here", limit.costs, f"see: {limit.subject}")
    libc = ctypes.CDLL(None, use_errno=True)
    with mmap.mmap(-1, _TRIAL_LOCK) as memory:
        place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        refused = libc.mlock(ctypes.c_void_p(place), ctypes.c_size_t(_TRIAL_LOCK)) != 0
        error = os.strerror(ctypes.get_errno())
        libc.munlock(ctypes.c_void_p(place), ctypes.c_size_t(_TRIAL_LOCK))
    if not refused:
        return Finding(subject, Severity.fit, f"{_TRIAL_LOCK // _MIB} MiB could be locked")
    cost = "page faults while a loop runs, 1 us to some ms each"
    return Finding(subject, Severity.warning, f"locking {_TRIAL_LOCK // _MIB} MiB failed: {error}", cost, _unlimited())


def _unlimited() -> str:
    return f"echo '{_user()} - memlock unlimited' >> {_LIMITS}"


def _void(host: ExaminedHost) -> str:
    """Return a remark if this process has its rights in a user namespace only."""
    return "; capabilities of this user namespace do not lift it" if host.in_user_namespace else ""


def swap(host: ExaminedHost) -> Finding:
    """Check whether memory may be swapped out."""
    areas = [line.split()[0] for line in host.system.lines("proc/swaps")[1:] if line.split()]
    if not areas:
        return Finding("swap", Severity.fit, "none")
    cost = "memory that is not locked may have to be read back from disk, which takes some ms"
    return Finding("swap", Severity.note, ", ".join(areas), cost, "swapoff -a  # or lock the memory")


def huge_pages(host: ExaminedHost) -> Finding:
    """Check whether the kernel builds huge pages for every program."""
    text = host.system.text("sys/kernel/mm/transparent_hugepage/enabled") or ""
    chosen = re.search(r"\[(\w+)\]", text)
    if chosen is None or chosen[1] != "always":
        return Finding("transparent huge pages", Severity.fit, chosen[1] if chosen else "none")
    cost = "the kernel merges pages while a program runs, which stalls it for some 100 us"
    mend = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
    return Finding("transparent huge pages", Severity.note, "always", cost, mend)


def _user() -> str:
    if "SUDO_USER" in os.environ:
        return os.environ["SUDO_USER"]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user ID without a name, as in some containers
        return "USER"
