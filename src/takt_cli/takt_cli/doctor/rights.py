# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of this process's rights to real-time priorities and locked memory, and of the host's memory settings."""

from __future__ import annotations

import ctypes
import mmap
import os
import pwd
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity, finding
from takt_cli.host.hierarchy import hierarchy_of

_SYS_NICE, _IPC_LOCK = 23, 14
# The priority of the most urgent thread of takt's executors, and that of the probes of its measurements.
_HIGHEST_OF_TAKT, _HIGHEST = 49, 99
_MIB = 1024 * 1024
_TRIAL_LOCK = 16 * _MIB


def priority_limit(host: ExaminedHost) -> Finding:
    """Check up to which real-time priority this process may go."""
    subject = "limit of real-time priority"
    group = _group_without_runtime(host)
    if group:
        return finding(subject, "no runtime", group=group)
    limit = host.limit("Max realtime priority")
    if host.capability(_SYS_NICE):
        return finding(subject, "by right")
    if limit is None or limit == 0:
        return finding(subject, "none", void=_void(host), user=_user())
    if limit < 0:
        return finding(subject, "any")
    if limit >= _HIGHEST:
        return finding(subject, "enough", limit=limit)
    if limit < _HIGHEST_OF_TAKT:
        return finding(subject, "below takt", limit=limit, highest=_HIGHEST_OF_TAKT, user=_user())
    return finding(subject, "below probes", limit=limit, highest=_HIGHEST, user=_user())


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
    limit = host.limit("Max locked memory")
    if host.capability(_IPC_LOCK):
        return finding("limit of locked memory", "by right")
    if limit is not None and limit < 0:
        return finding("limit of locked memory", "unlimited")
    found = "unknown" if limit is None else f"{limit / _MIB:g} MiB{_void(host)}"
    return finding("limit of locked memory", "finite", found=found, user=_user())


def memory_lock(host: ExaminedHost) -> Finding | None:
    """Try to lock memory, where takt's executors would. Return None for the record of a host."""
    if not host.real:
        return None
    if memory_limit(host).severity is not Severity.fit:
        return finding("memory lock", "not tried")
    libc = ctypes.CDLL(None, use_errno=True)
    with mmap.mmap(-1, _TRIAL_LOCK) as memory:
        place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        refused = libc.mlock(ctypes.c_void_p(place), ctypes.c_size_t(_TRIAL_LOCK)) != 0
        error = os.strerror(ctypes.get_errno())
        libc.munlock(ctypes.c_void_p(place), ctypes.c_size_t(_TRIAL_LOCK))
    size = _TRIAL_LOCK // _MIB
    if refused:
        return finding("memory lock", "refused", size=size, error=error, user=_user())
    return finding("memory lock", "locked", size=size)


def _void(host: ExaminedHost) -> str:
    """Return a remark if this process has its rights in a user namespace only."""
    return "; capabilities of this user namespace do not lift it" if host.in_user_namespace else ""


def swap(host: ExaminedHost) -> Finding:
    """Check whether memory may be swapped out."""
    areas = [line.split()[0] for line in host.system.lines("proc/swaps")[1:] if line.split()]
    if not areas:
        return finding("swap", "none")
    return finding("swap", "areas", found=", ".join(areas))


def huge_pages(host: ExaminedHost) -> Finding:
    """Check whether the kernel builds huge pages for every program."""
    text = host.system.text("sys/kernel/mm/transparent_hugepage/enabled") or ""
    chosen = re.search(r"\[(\w+)\]", text)
    mode = chosen[1] if chosen else "none"
    return finding("transparent huge pages", "always" if mode == "always" else "on request", found=mode)


def _user() -> str:
    if "SUDO_USER" in os.environ:
        return os.environ["SUDO_USER"]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user ID without a name, as in some containers
        return "USER"
