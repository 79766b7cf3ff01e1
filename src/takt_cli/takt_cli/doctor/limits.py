# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Limits that a container or a user has, and that programs meet without naming them."""

from __future__ import annotations

from takt_cli.doctor.finding import Finding, Patient, Severity
from takt_cli.host.control_group import cpu_quota, memory_bound, thread_bound

_MIB = 1024 * 1024
# Of takt's demo with a process for each node, which has some 20 threads each.
_THREADS = 500
# What an executor's process uses is locked: of an empty container of components some 50 MiB (VmRSS; its VmLck is what
# is mapped). Of ten of these.
_MEMORY = 512 * _MIB
_RESOURCE = 24


def memory(patient: Patient) -> Finding:
    """Of the control group: locked memory counts, too."""
    subject, bound = "memory limit", memory_bound(patient.system.root)
    if bound is None:
        return Finding(subject, Severity.fit, "none of this control group")
    told = f"{bound.limit // _MIB} MiB, {max(bound.left, 0) // _MIB} of them left"
    if bound.left >= _MEMORY:
        return Finding(subject, Severity.fit, told)
    cost = (
        "what takt's processes use, some 50 MiB for an empty one, is locked and cannot be swapped: what is beyond the "
        "limit is ended by SIGKILL"
    )
    mend = f"echo {2 * _MEMORY} > {bound.file}, or for a container: docker run --memory=1g"
    return Finding(subject, Severity.warning, told, cost, mend)


def cpu(patient: Patient) -> Finding:
    """Of the control group; real-time threads are not under it."""
    subject, quota = "CPU limit", cpu_quota(patient.system.root)
    if quota is None:
        return Finding(subject, Severity.fit, "none of this control group")
    stop = f"for the rest of each {quota.period / 1000:g} ms"
    cost = f"ordinary threads, the middleware's among them, stop {stop} when it is used up; without rights all do"
    unset = "max" if quota.file.endswith("cpu.max") else "-1"
    mend = f"echo {unset} > {quota.file}, or for a container: docker run --cpuset-cpus N instead of --cpus"
    return Finding(subject, Severity.warning, f"{quota.cpus:g} CPUs", cost, mend)


def threads(patient: Patient) -> Finding:
    """Of the control group, and of this user, which does not hold for root."""
    subject, bound = "limit of threads", thread_bound(patient.system.root)
    cost = "programs end as they start a thread too many, by SIGABRT or 'Resource temporarily unavailable'"
    if bound is not None and bound.left < _THREADS:
        told = f"{bound.limit} in this control group, {max(bound.left, 0)} of them left"
        mend = f"echo max > {bound.file}, or for a container: docker run --pids-limit=-1"
        return Finding(subject, Severity.warning, told, cost, mend)
    own = patient.limit("Max processes")
    if own is not None and 0 <= own < _THREADS and not patient.capability(_RESOURCE):
        return Finding(subject, Severity.warning, f"{own} of this user", cost, "ulimit -u unlimited, or limits.d")
    return Finding(subject, Severity.fit, "none that matters" if bound is None else f"{bound.left} left")
