# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the resource limits of a container or user, which programs run into without naming them."""

from __future__ import annotations

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
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
    bound = memory_bound(host.system)
    if bound is None:
        return finding("memory limit", "none")
    amounts = {"limit": bound.limit // _MIB, "left": max(bound.remaining, 0) // _MIB}
    if bound.remaining >= _MEMORY:
        return finding("memory limit", "enough", **amounts)
    return finding("memory limit", "scarce", **amounts, enough=2 * _MEMORY, file=bound.file)


def cpu(host: ExaminedHost) -> Finding:
    """Check the CPU quota of this process's control group, which does not apply to real-time threads."""
    quota = cpu_quota(host.system)
    if quota is None:
        return finding("CPU limit", "none")
    unset = "max" if quota.file.endswith("cpu.max") else "-1"
    return finding("CPU limit", "quota", cpus=quota.cpus, period=quota.period / 1000, unset=unset, file=quota.file)


def threads(host: ExaminedHost) -> Finding:
    """Check the thread limits of this process's control group and of this user; the latter does not apply to root."""
    bound = thread_bound(host.system)
    if bound is not None and bound.remaining < _THREADS:
        left = max(bound.remaining, 0)
        return finding("limit of threads", "of the group", limit=bound.limit, left=left, file=bound.file)
    user_limit = host.limit("Max processes")
    if user_limit is not None and 0 <= user_limit < _THREADS and not host.capability(_RESOURCE):
        return finding("limit of threads", "of the user", limit=user_limit)
    if bound is None:
        return finding("limit of threads", "none")
    return finding("limit of threads", "enough", left=bound.remaining)
