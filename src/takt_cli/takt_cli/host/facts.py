# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Properties of the host that are part of every result."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_FAIR_SERVER = "/sys/kernel/debug/sched/fair_server"


def host_facts(cpus: Sequence[int]) -> dict[str, Any]:
    """Return the properties of this host and these CPUs that affect timing. Unknown ones are None."""
    runtime, period = _integer("/proc/sys/kernel/sched_rt_runtime_us"), _integer("/proc/sys/kernel/sched_rt_period_us")
    governor = _text(f"/sys/devices/system/cpu/cpu{cpus[0]}/cpufreq/scaling_governor")
    return {
        "hostname": platform.node(),
        "kernel": platform.release(),
        "kernel_version": platform.version(),
        "preemption": preemption_model(),
        "cmdline": _text("/proc/cmdline"),
        "machine": platform.machine(),
        "cpu_model": _cpuinfo("model name"),
        "virtual": "hypervisor" in (_cpuinfo("flags") or "").split(),
        "cpus": os.cpu_count(),
        "used_cpus": list(cpus),
        "allowed_cpus": sorted(os.sched_getaffinity(0)),
        "isolated_cpus": _text("/sys/devices/system/cpu/isolated"),
        "governor": governor,
        "clocksource": _text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "memory_kib": _memory(),
        "rt_runtime_us": runtime,
        "rt_period_us": period,
        "rt_throttling": throttles(runtime, period),
        "fair_server_ns": [_integer(f"{_FAIR_SERVER}/cpu{cpu}/runtime") for cpu in cpus],
        "fair_server_period_ns": [_integer(f"{_FAIR_SERVER}/cpu{cpu}/period") for cpu in cpus],
        "rt_priority_limit": resource.getrlimit(resource.RLIMIT_RTPRIO)[0],
        "memlock_limit": resource.getrlimit(resource.RLIMIT_MEMLOCK)[0],
        "root": os.geteuid() == 0,
        "load": list(os.getloadavg()),
    }


def throttles(runtime: int | None, period: int | None) -> bool | None:
    """Return whether the kernel throttles real-time threads that use more than `runtime` of each `period`."""
    return None if runtime is None or period is None else 0 <= runtime < period


def preemption_model() -> str:
    """Return `PREEMPT_RT`, or the model that the kernel was built with, followed by the active mode if readable."""
    if _text("/sys/kernel/realtime") == "1":
        return "PREEMPT_RT"
    words = platform.version().split()
    model = next((word for word in words if word.startswith("PREEMPT")), "no forced preemption")
    mode = _text("/sys/kernel/debug/sched/preempt")
    if mode and "(" in mode:
        model += f" ({mode.partition('(')[2].partition(')')[0]})"
    return model


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return None


def _integer(path: str) -> int | None:
    text = _text(path)
    return int(text) if text is not None and text.lstrip("-").isdigit() else None


def _cpuinfo(key: str) -> str | None:
    for line in (_text("/proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return None


def _memory() -> int | None:
    first = (_text("/proc/meminfo") or "").partition("\n")[0].split()
    return int(first[1]) if len(first) > 1 and first[1].isdigit() else None
