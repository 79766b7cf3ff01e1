# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Properties of the host that are part of every result."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Sequence

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.fair_server import file_of
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.origin import Host


def host_facts(cpus: Sequence[int], system: System = THIS_HOST) -> Host:
    """Return the properties of this host and these CPUs that affect timing. Unknown ones are None."""
    runtime, period = (system.integer(f"proc/sys/kernel/sched_rt_{name}_us") for name in ("runtime", "period"))
    cpu_info = system.table("proc/cpuinfo")
    return Host(
        hostname=platform.node(),
        kernel=platform.release(),
        kernel_version=platform.version(),
        preemption=preemption_model(system),
        cmdline=system.text("proc/cmdline"),
        machine=platform.machine(),
        cpu_model=cpu_info.get("model name"),
        virtual="hypervisor" in cpu_info.get("flags", "").split(),
        cpus=os.cpu_count(),
        used_cpus=list(cpus),
        allowed_cpus=allowed_cpus(),
        isolated_cpus=system.text("sys/devices/system/cpu/isolated"),
        governor=system.text(f"sys/devices/system/cpu/cpu{cpus[0]}/cpufreq/scaling_governor"),
        clocksource=system.text("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        memory_kib=system.memory("MemTotal"),
        rt_runtime_us=runtime,
        rt_period_us=period,
        rt_throttling=throttles(runtime, period),
        fair_server_ns=[system.integer(file_of(cpu, "runtime")) for cpu in cpus],
        fair_server_period_ns=[system.integer(file_of(cpu, "period")) for cpu in cpus],
        rt_priority_limit=resource.getrlimit(resource.RLIMIT_RTPRIO)[0],
        memlock_limit=resource.getrlimit(resource.RLIMIT_MEMLOCK)[0],
        root=os.geteuid() == 0,
        load=list(os.getloadavg()),
    )


def throttles(runtime: int | None, period: int | None) -> bool | None:
    """Return whether the kernel throttles real-time threads that use more than `runtime` of each `period`."""
    return None if runtime is None or period is None else 0 <= runtime < period


def preemption_model(system: System) -> str:
    """Return `PREEMPT_RT`, or the model that the kernel was built with, followed by the active mode if readable."""
    if system.text("sys/kernel/realtime") == "1":
        return "PREEMPT_RT"
    words = platform.version().split()
    model = next((word for word in words if word.startswith("PREEMPT")), "no forced preemption")
    mode = system.text("sys/kernel/debug/sched/preempt")
    if mode and "(" in mode:
        model += f" ({mode.partition('(')[2].partition(')')[0]})"
    return model


def runs_preempt_rt(system: System = THIS_HOST) -> bool:
    """Return whether the kernel is PREEMPT_RT. The file in /sys exists with the patches for older kernels; every such
    kernel has the word in its version."""
    return system.text("sys/kernel/realtime") == "1" or "PREEMPT_RT" in system.words("proc/version")
