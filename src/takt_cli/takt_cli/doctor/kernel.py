# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the kernel: preemption model, clock source, timer resolution, throttling of real-time threads."""

from __future__ import annotations

import gzip
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.fair_server import fair_servers, has_fair_server
from takt_cli.host.system import System
from takt_cli.tuning.fair_server import DEFAULT

_GOOD_CLOCKS = ("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page", "riscv_clocksource", "timebase")
_CLOCK = "sys/devices/system/clocksource/clocksource0"


def preemption(host: ExaminedHost) -> Finding:
    """Determine the kernel's preemption model from all available sources: a single one is often missing or outdated."""
    signs = _signs(host)
    release = host.system.text("proc/sys/kernel/osrelease") or "unknown"
    found = f"{release}: {', '.join(f'{model} ({where})' for where, model in signs.items()) or 'no sign of a model'}"
    models = set(signs.values())
    if "PREEMPT_RT" in models:
        return finding("kernel", "real-time" if models == {"PREEMPT_RT"} else "contradiction", found=found)
    mode = next((signs[where] for where in ("debugfs", "command line", "config") if where in signs), "")
    if mode in {"full", "lazy"}:
        return finding("kernel", "preemptible", found=found)
    return finding("kernel", "dynamic" if "PREEMPT_DYNAMIC" in models else "fixed", found=found)


def _signs(host: ExaminedHost) -> dict[str, str]:
    """Return the preemption model that each available source names, by source."""
    system, signs = host.system, {}
    version = system.text("proc/sys/kernel/version") or system.text("proc/version") or ""
    match = re.search(r"PREEMPT(_RT|_DYNAMIC)?\b|PREEMPT RT", version)
    if version:
        signs["uname"] = match[0].replace(" ", "_") if match else "no PREEMPT"
    if system.text("sys/kernel/realtime") == "1":
        signs["/sys/kernel/realtime"] = "PREEMPT_RT"
    config = kernel_config(system)
    if "CONFIG_PREEMPT_RT=y" in config:
        signs["config"] = "PREEMPT_RT"
        return signs  # the remaining sources only tell the modes of a kernel without PREEMPT_RT apart
    for option, mode in (("_NONE", "none"), ("_VOLUNTARY", "voluntary"), ("_LAZY", "lazy"), ("", "full")):
        if f"CONFIG_PREEMPT{option}=y" in config:
            signs["config"] = mode
            break
    boot_option = host.boot_options().get("preempt")
    if boot_option:
        signs["command line"] = boot_option
    chosen = re.search(r"\((\w+)\)", system.text("sys/kernel/debug/sched/preempt") or "")
    if chosen:
        signs["debugfs"] = chosen[1]
    return signs


def kernel_config(system: System) -> set[str]:
    """Return the lines of the kernel's configuration, from /proc/config.gz or else /boot/config-*."""
    try:
        with gzip.open(system.path("proc/config.gz"), "rt", encoding="utf-8", errors="replace") as file:
            return set(file.read().split("\n"))
    except (OSError, EOFError):
        release = system.text("proc/sys/kernel/osrelease") or ""
        return set((system.text(f"boot/config-{release}") or "").split("\n"))


def throttling(host: ExaminedHost) -> Finding:
    """Check real-time throttling by the same rule as takt's executors (takt_core/os/throttling.cpp): the kernel
    throttles if the runtime is below the period."""
    runtime = host.system.integer("proc/sys/kernel/sched_rt_runtime_us")
    period = host.system.integer("proc/sys/kernel/sched_rt_period_us") or 1_000_000
    if runtime is None:
        return finding("real-time throttling", "unknown")
    if not 0 <= runtime < period:
        return finding("real-time throttling", "off")
    times = {"runtime": runtime / 1000, "period": period / 1000}
    config = kernel_config(host.system)
    if has_fair_server(host.system) and config - {""} and "CONFIG_RT_GROUP_SCHED=y" not in config:
        return finding("real-time throttling", "fair server", **times)
    case = "little" if runtime >= 0.9 * period else "much"
    return finding("real-time throttling", case, **times, share=runtime / period, pause=(period - runtime) / 1000)


def fair_server(host: ExaminedHost) -> Finding:
    """Check how much CPU time the kernel's fair server reserves for ordinary threads on these CPUs. It does so even
    where real-time throttling is off."""
    servers, cpus = fair_servers(host.system, host.cpus), format_cpus(host.cpus)
    if servers.hidden:
        values = {"reason": servers.hidden, "default": DEFAULT, "remedy": servers.remedy}
        return finding("fair server", "hidden", **values, cpus=cpus)
    if not servers.shares:
        return finding("fair server", "none")
    largest_share = max(servers.shares.values(), key=lambda share: share.runtime / share.period)
    served = format_cpus(sorted(servers.shares))
    runtime, period = largest_share.runtime / 1e6, largest_share.period / 1e6
    if not runtime:
        return finding("fair server", "off", served=served)
    case = "little" if runtime <= 0.1 * period else "much"
    return finding("fair server", case, runtime=runtime, period=period, served=served, cpus=cpus)


def clock_source(host: ExaminedHost) -> Finding:
    """Check whether the clock can be read without a device access."""
    current = host.system.text(f"{_CLOCK}/current_clocksource")
    available = host.system.words(f"{_CLOCK}/available_clocksource")
    if current is None:
        return finding("clock source", "unknown")
    if current in _GOOD_CLOCKS:
        return finding("clock source", "good", found=current)
    better = next((each for each in _GOOD_CLOCKS if each in available), None)
    mend = f"echo {better} > /{_CLOCK}/current_clocksource" if better else "tsc=reliable on the kernel's command line"
    return finding("clock source", "slow", found=current, mend=mend)


def timer_resolution(host: ExaminedHost) -> Finding:
    """Check whether timers are high-resolution ones, or limited to the kernel's tick."""
    resolutions = re.findall(r"\.resolution: +(\d+) nsecs", host.system.text("proc/timer_list") or "")
    if resolutions:
        resolution = max(int(each) for each in resolutions)
        if resolution <= 1000:
            return finding("timer resolution", "fine", found=f"{resolution} ns")
        return finding("timer resolution", "coarse", found=f"{resolution / 1e6:g} ms")
    if host.boot_options().get("highres") == "off":
        return finding("timer resolution", "coarse", found="highres=off")
    if "CONFIG_HIGH_RES_TIMERS=y" in kernel_config(host.system):
        return finding("timer resolution", "fine", found="high-resolution timers, by the kernel's configuration")
    return finding("timer resolution", "unknown")
