# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The kernel: how it preempts, its clock, its timers, its throttling."""

from __future__ import annotations

import gzip
import re

from takt_cli.doctor.finding import Finding, Patient, Severity
from takt_cli.tuning.fair_server import DEFAULT, fair_servers, has_fair_server
from takt_cli.tuning.system import System, format_cpus

_GOOD_CLOCKS = ("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page", "riscv_clocksource", "timebase")
_CLOCK = "sys/devices/system/clocksource/clocksource0"
_GET_RT = "apt install linux-image-rt-amd64  # Debian's kernel with PREEMPT_RT"
_UNTHROTTLE = "takt tune apply --profile unthrottled"
_RUNAWAY = "a real-time thread that does not end keeps its CPU for ever"


def preemption(patient: Patient) -> Finding:
    """By all signs that there are: one alone is often missing or old."""
    signs = _signs(patient)
    release = patient.system.text("proc/sys/kernel/osrelease") or "unknown"
    told = f"{release}: {', '.join(f'{model} ({where})' for where, model in signs.items()) or 'no sign of a model'}"
    models = set(signs.values())
    if models == {"PREEMPT_RT"}:
        return Finding("kernel", Severity.fit, told)
    if "PREEMPT_RT" in models:
        cost = "the signs contradict each other: what is measured here may not be of the kernel it seems to be"
        return Finding("kernel", Severity.warning, told, cost, "compare uname -v with the kernel that was installed")
    mode = next((signs[where] for where in ("debugfs", "command line", "config") if where in signs), "")
    if mode in {"full", "lazy"}:
        cost = "spinlocks and interrupts are not preempted: wake-ups some 100 us late under load"
        return Finding("kernel", Severity.note, told, cost, _GET_RT)
    cost = "system calls of others are not preempted: wake-ups late by as long as one takes, ms under load"
    dynamic = "PREEMPT_DYNAMIC" in models
    mend = f"boot with preempt=full, or: {_GET_RT}" if dynamic else _GET_RT
    return Finding("kernel", Severity.warning, told, cost, mend)


def _signs(patient: Patient) -> dict[str, str]:
    """Where it is told, and what."""
    system, signs = patient.system, {}
    version = system.text("proc/sys/kernel/version") or system.text("proc/version") or ""
    named = re.search(r"PREEMPT(_RT|_DYNAMIC)?\b|PREEMPT RT", version)
    if version:
        signs["uname"] = named[0].replace(" ", "_") if named else "no PREEMPT"
    if system.text("sys/kernel/realtime") == "1":
        signs["/sys/kernel/realtime"] = "PREEMPT_RT"
    config = kernel_config(system)
    if "CONFIG_PREEMPT_RT=y" in config:
        signs["config"] = "PREEMPT_RT"
        return signs  # what else is told is of the ordinary modes
    for option, mode in (("_NONE", "none"), ("_VOLUNTARY", "voluntary"), ("_LAZY", "lazy"), ("", "full")):
        if f"CONFIG_PREEMPT{option}=y" in config:
            signs["config"] = mode
            break
    asked = patient.boot_options().get("preempt")
    if asked:
        signs["command line"] = asked
    chosen = re.search(r"\((\w+)\)", system.text("sys/kernel/debug/sched/preempt") or "")
    if chosen:
        signs["debugfs"] = chosen[1]
    return signs


def kernel_config(system: System) -> set[str]:
    """The lines of the kernel's configuration, from wherever it is told."""
    try:
        with gzip.open(system.path("proc/config.gz"), "rt", encoding="utf-8", errors="replace") as file:
            return set(file.read().split("\n"))
    except (OSError, EOFError):
        release = system.text("proc/sys/kernel/osrelease") or ""
        return set((system.text(f"boot/config-{release}") or "").split("\n"))


def throttling(patient: Patient) -> Finding:
    """By the rule of takt's executors (takt_core/os/throttling.cpp): a runtime below its period."""
    runtime = patient.system.integer("proc/sys/kernel/sched_rt_runtime_us")
    period = patient.system.integer("proc/sys/kernel/sched_rt_period_us") or 1_000_000
    subject = "real-time throttling"
    if runtime is None:
        return Finding(subject, Severity.note, "not told", "it cannot be seen whether real-time threads are stopped")
    if not 0 <= runtime < period:
        return Finding(subject, Severity.note, "off", _RUNAWAY, "echo 950000 > /proc/sys/kernel/sched_rt_runtime_us")
    told = f"{runtime / 1000:g} ms of every {period / 1000:g} ms"
    config = kernel_config(patient.system)
    if has_fair_server(patient.system) and config - {""} and "CONFIG_RT_GROUP_SCHED=y" not in config:
        return Finding(subject, Severity.fit, f"{told} is set; this kernel has the fair server instead")
    cost = f"real-time load above {runtime / period:.0%} of a CPU is stopped for {(period - runtime) / 1000:g} ms"
    return Finding(subject, Severity.note if runtime >= 0.9 * period else Severity.warning, told, cost, _UNTHROTTLE)


def fair_server(patient: Patient) -> Finding:
    """What ordinary threads get of these CPUs before real-time ones, also without throttling."""
    subject, found = "fair server", fair_servers(patient.system, patient.cpus)
    mend = f"{_UNTHROTTLE} --cpu {format_cpus(patient.cpus)}"
    cost = "ordinary threads get that much from real-time ones on a CPU that these would keep, without throttling, too"
    if found.hidden:
        told = f"not told, as {found.hidden}; {DEFAULT}"
        return Finding(subject, Severity.note, told, cost, f"{found.remedy}, then {mend}")
    if not found.shares:
        return Finding(subject, Severity.fit, "this kernel has none")
    most = max(found.shares.values(), key=lambda share: share.runtime / share.period)
    cpus = format_cpus(sorted(found.shares))
    if not most.runtime:
        return Finding(subject, Severity.note, f"off on CPU {cpus}", _RUNAWAY, "takt tune revert")
    told = f"{most.runtime / 1e6:g} ms of every {most.period / 1e6:g} ms on CPU {cpus}"
    severity = Severity.note if most.runtime <= 0.1 * most.period else Severity.warning
    return Finding(subject, severity, told, cost, mend)


def clock_source(patient: Patient) -> Finding:
    now = patient.system.text(f"{_CLOCK}/current_clocksource")
    known = (patient.system.text(f"{_CLOCK}/available_clocksource") or "").split()
    if now is None:
        return Finding("clock source", Severity.note, "not told")
    if now in _GOOD_CLOCKS:
        return Finding("clock source", Severity.fit, now)
    better = next((each for each in _GOOD_CLOCKS if each in known), None)
    cost = "each look at the clock is a system call and a device access, about 1 us"
    mend = f"echo {better} > /{_CLOCK}/current_clocksource" if better else "tsc=reliable on the kernel's command line"
    return Finding("clock source", Severity.warning, now, cost, mend)


def timer_resolution(patient: Patient) -> Finding:
    """Whether timers are high-resolution ones, or come with the tick."""
    subject = "timer resolution"
    told = re.findall(r"\.resolution: +(\d+) nsecs", patient.system.text("proc/timer_list") or "")
    tick = "sleeps end with the kernel's tick, up to 4 or 10 ms late"
    mend = "remove highres=off from the kernel's command line, or take a kernel with CONFIG_HIGH_RES_TIMERS=y"
    if told:
        resolution = max(int(each) for each in told)
        if resolution <= 1000:
            return Finding(subject, Severity.fit, f"{resolution} ns")
        return Finding(subject, Severity.unfit, f"{resolution / 1e6:g} ms", tick, mend)
    if patient.boot_options().get("highres") == "off":
        return Finding(subject, Severity.unfit, "highres=off", tick, mend)
    if "CONFIG_HIGH_RES_TIMERS=y" in kernel_config(patient.system):
        return Finding(subject, Severity.fit, "high-resolution timers, by the kernel's configuration")
    return Finding(subject, Severity.note, "not told (/proc/timer_list is root's)", "", "run takt doctor as root")
