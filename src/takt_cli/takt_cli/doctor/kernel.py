# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the kernel: preemption model, clock source, timer resolution, throttling of real-time threads."""

from __future__ import annotations

import gzip
import re

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
from takt_cli.host.cpu_list import format_cpus
from takt_cli.host.fair_server import fair_servers, has_fair_server
from takt_cli.host.system import System
from takt_cli.tuning.fair_server import DEFAULT

_GOOD_CLOCKS = ("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page", "riscv_clocksource", "timebase")
_CLOCK = "sys/devices/system/clocksource/clocksource0"
_GET_RT = "apt install linux-image-rt-amd64  # Debian's kernel with PREEMPT_RT"
_UNTHROTTLE = "takt tune apply --profile unthrottled"
_RUNAWAY = "a real-time thread in an endless loop keeps its CPU for ever"


def preemption(host: ExaminedHost) -> Finding:
    """Determine the kernel's preemption model from all available sources: a single one is often missing or outdated."""
    signs = _signs(host)
    release = host.system.text("proc/sys/kernel/osrelease") or "unknown"
    description = (
        f"{release}: {', '.join(f'{model} ({where})' for where, model in signs.items()) or 'no sign of a model'}"
    )
    models = set(signs.values())
    if models == {"PREEMPT_RT"}:
        return Finding("kernel", Severity.fit, description)
    if "PREEMPT_RT" in models:
        cost = "the signs contradict each other: the kernel that runs may not be the one that you mean to measure"
        return Finding(
            "kernel", Severity.warning, description, cost, "compare uname -v with the kernel that was installed"
        )
    mode = next((signs[where] for where in ("debugfs", "command line", "config") if where in signs), "")
    if mode in {"full", "lazy"}:
        cost = "spinlocks and interrupt handlers are not preempted: wake-ups are some 100 us late under load"
        return Finding("kernel", Severity.note, description, cost, _GET_RT)
    cost = "system calls of other programs are not preempted and delay wake-ups, by milliseconds under load"
    dynamic = "PREEMPT_DYNAMIC" in models
    mend = f"boot with preempt=full, or: {_GET_RT}" if dynamic else _GET_RT
    return Finding("kernel", Severity.warning, description, cost, mend)


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
    subject = "real-time throttling"
    if runtime is None:
        return Finding(subject, Severity.note, "unknown", "real-time threads may be throttled without notice")
    if not 0 <= runtime < period:
        return Finding(subject, Severity.note, "off", _RUNAWAY, "echo 950000 > /proc/sys/kernel/sched_rt_runtime_us")
    description = f"{runtime / 1000:g} ms of every {period / 1000:g} ms"
    config = kernel_config(host.system)
    if has_fair_server(host.system) and config - {""} and "CONFIG_RT_GROUP_SCHED=y" not in config:
        return Finding(subject, Severity.fit, f"{description} is set, but this kernel uses the fair server instead")
    cost = f"real-time load above {runtime / period:.0%} of a CPU is throttled for {(period - runtime) / 1000:g} ms"
    return Finding(
        subject, Severity.note if runtime >= 0.9 * period else Severity.warning, description, cost, _UNTHROTTLE
    )


def fair_server(host: ExaminedHost) -> Finding:
    """Check how much CPU time the kernel's fair server reserves for ordinary threads on these CPUs. It does so even
    where real-time throttling is off."""
    subject, servers = "fair server", fair_servers(host.system, host.cpus)
    mend = f"{_UNTHROTTLE} --cpu {format_cpus(host.cpus)}"
    cost = "real-time threads that need the whole CPU lose this share to ordinary threads, even with throttling off"
    if servers.hidden:
        description = f"unknown, as {servers.hidden}; {DEFAULT}"
        return Finding(subject, Severity.note, description, cost, f"{servers.remedy}, then {mend}")
    if not servers.shares:
        return Finding(subject, Severity.fit, "this kernel has none")
    largest_share = max(servers.shares.values(), key=lambda share: share.runtime / share.period)
    cpus = format_cpus(sorted(servers.shares))
    if not largest_share.runtime:
        return Finding(subject, Severity.note, f"off on CPU {cpus}", _RUNAWAY, "takt tune revert")
    description = f"{largest_share.runtime / 1e6:g} ms of every {largest_share.period / 1e6:g} ms on CPU {cpus}"
    severity = Severity.note if largest_share.runtime <= 0.1 * largest_share.period else Severity.warning
    return Finding(subject, severity, description, cost, mend)


def clock_source(host: ExaminedHost) -> Finding:
    """Check whether the clock can be read without a device access."""
    current = host.system.text(f"{_CLOCK}/current_clocksource")
    available = host.system.words(f"{_CLOCK}/available_clocksource")
    if current is None:
        return Finding("clock source", Severity.note, "unknown")
    if current in _GOOD_CLOCKS:
        return Finding("clock source", Severity.fit, current)
    better = next((each for each in _GOOD_CLOCKS if each in available), None)
    cost = "each reading of the clock is a system call and a device access, about 1 us"
    mend = f"echo {better} > /{_CLOCK}/current_clocksource" if better else "tsc=reliable on the kernel's command line"
    return Finding("clock source", Severity.warning, current, cost, mend)


def timer_resolution(host: ExaminedHost) -> Finding:
    """Check whether timers are high-resolution ones, or limited to the kernel's tick."""
    subject = "timer resolution"
    resolutions = re.findall(r"\.resolution: +(\d+) nsecs", host.system.text("proc/timer_list") or "")
    tick = "sleeps end at the kernel's tick only, up to 4 or 10 ms late"
    mend = "remove highres=off from the kernel's command line, or take a kernel with CONFIG_HIGH_RES_TIMERS=y"
    if resolutions:
        resolution = max(int(each) for each in resolutions)
        if resolution <= 1000:
            return Finding(subject, Severity.fit, f"{resolution} ns")
        return Finding(subject, Severity.unfit, f"{resolution / 1e6:g} ms", tick, mend)
    if host.boot_options().get("highres") == "off":
        return Finding(subject, Severity.unfit, "highres=off", tick, mend)
    if "CONFIG_HIGH_RES_TIMERS=y" in kernel_config(host.system):
        return Finding(subject, Severity.fit, "high-resolution timers, by the kernel's configuration")
    return Finding(
        subject, Severity.note, "unknown (only root can read /proc/timer_list)", "", "run takt doctor as root"
    )
