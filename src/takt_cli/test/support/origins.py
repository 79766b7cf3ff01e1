# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where results that tests write come from."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from takt_cli.results.origin import Host, Origin

_HOST = Host(
    hostname="lab",
    kernel="6.1.0",
    kernel_version="#1 SMP PREEMPT_RT",
    preemption="PREEMPT_RT",
    cmdline="",
    machine="x86_64",
    cpu_model=None,
    virtual=False,
    cpus=2,
    used_cpus=[0],
    allowed_cpus=[0, 1],
    isolated_cpus="",
    governor=None,
    clocksource="tsc",
    memory_kib=2**23,
    rt_runtime_us=950_000,
    rt_period_us=1_000_000,
    rt_throttling=True,
    fair_server_ns=[None],
    fair_server_period_ns=[None],
    rt_priority_limit=99,
    memlock_limit=-1,
    root=True,
    load=[0.0, 0.0, 0.0],
)


def origin(**host: Any) -> Origin:
    """Return an origin of a host with real-time throttling, of which some facts are given."""
    return Origin(
        command=["takt"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=replace(_HOST, **host)
    )
