# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the resource limits of a container or user, which programs run into without naming them."""

from __future__ import annotations

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
from takt_cli.host.control_group import cpu_quota, memory_bound, thread_bound

_MIB = 1024 * 1024
# What takt's demo needs with one process per node: some 20 threads for each of its 20 nodes, and a margin.
_THREADS = 500
# An executor's process locks all of its memory. Measured for an empty component container: some 50 MiB (VmRSS, not
# VmLck, which is everything that is mapped). This is enough for ten of them.
_MEMORY = 512 * _MIB
_RESOURCE = 24


def memory(host: ExaminedHost) -> Finding:
    """Check the memory limit of this process's control group, which counts locked memory, too."""
    subject, bound = "memory limit", memory_bound(host.system)
    if bound is None:
        return Finding(subject, Severity.fit, "none for this control group")
    description = f"{bound.limit // _MIB} MiB, {max(bound.remaining, 0) // _MIB} of them left"
    if bound.remaining >= _MEMORY:
        return Finding(subject, Severity.fit, description)
    cost = (
        "what takt's processes use, some 50 MiB for an empty one, is locked and cannot be swapped out: a process that "
        "exceeds the limit is killed (SIGKILL)"
    )
    mend = f"echo {2 * _MEMORY} > {bound.file}, or for a container: docker run --memory=1g"
    return Finding(subject, Severity.warning, description, cost, mend)


def cpu(host: ExaminedHost) -> Finding:
    """Check the CPU quota of this process's control group, which does not apply to real-time threads."""
    subject, quota = "CPU limit", cpu_quota(host.system)
    if quota is None:
        return Finding(subject, Severity.fit, "none for this control group")
    stop_duration = f"for the rest of each {quota.period / 1000:g} ms"
    cost = (
        f"once it is used up, ordinary threads, including the middleware's, stop {stop_duration}; without real-time "
        "rights all threads do"
    )
    unset = "max" if quota.file.endswith("cpu.max") else "-1"
    mend = f"echo {unset} > {quota.file}, or for a container: docker run --cpuset-cpus N instead of --cpus"
    return Finding(subject, Severity.warning, f"{quota.cpus:g} CPUs", cost, mend)


def threads(host: ExaminedHost) -> Finding:
    """Check the thread limits of this process's control group and of this user; the latter does not apply to root."""
    subject, bound = "limit of threads", thread_bound(host.system)
    cost = "a program that starts one thread too many ends by SIGABRT or with 'Resource temporarily unavailable'"
    if bound is not None and bound.remaining < _THREADS:
        description = f"{bound.limit} in this control group, {max(bound.remaining, 0)} of them left"
        mend = f"echo max > {bound.file}, or for a container: docker run --pids-limit=-1"
        return Finding(subject, Severity.warning, description, cost, mend)
    user_limit = host.limit("Max processes")
    if user_limit is not None and 0 <= user_limit < _THREADS and not host.capability(_RESOURCE):
        return Finding(
            subject, Severity.warning, f"{user_limit} for this user", cost, "ulimit -u unlimited, or limits.d"
        )
    return Finding(subject, Severity.fit, "none that matters" if bound is None else f"{bound.remaining} left")
