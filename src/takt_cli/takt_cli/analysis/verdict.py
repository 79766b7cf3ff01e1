# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verdict on a run: pass, fail, or inconclusive if the run cannot be judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.analysis.result import Result
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.analysis.virtual_time import reasons_without_verdict
from takt_cli.results.origin import Host, Origin, kernel_has_fair_server
from takt_cli.results.program import Probe
from takt_cli.results.sample_files import Rows
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, Verdict
from takt_cli.spec.application import Application

HOST_MISS_LIMIT = 0.001
# If faults outnumber host misses by this factor, the host cannot be their cause.
EVIDENT = 10
# The limit for other programs' real-time threads, as a share of the run: the probe runs above them and cannot see them.
INTRUSION_LIMIT = 0.01
_NS = 1000
# The fair server reserves this time of each CPU for ordinary threads, in ns, unless it was changed.
_FAIR_RUNTIME, _FAIR_PERIOD = 50_000_000, 1_000_000_000


THROTTLING, FAIR_SERVER = "real-time throttling", "fair server"


@dataclass(frozen=True)
class Pause:
    """A pause that the kernel imposes on real-time threads for the benefit of ordinary ones: `length` per `period`, in
    ns."""

    name: str
    length: int
    period: int


def pauses(host: Host) -> list[Pause]:
    """Return the pauses that are possible on a host. Newer kernels have a fair server for each CPU, even without
    throttling; if its settings could not be read, the kernel's defaults are assumed."""
    pauses_found = []
    runtime, period = host.rt_runtime_us, host.rt_period_us
    if runtime is not None and period is not None and 0 <= runtime < period:
        pauses_found.append(Pause(THROTTLING, (period - runtime) * _NS, period * _NS))
    runtimes = [each for each in host.fair_server_ns if each is not None]
    periods = [each for each in host.fair_server_period_ns if each]
    if not runtimes and kernel_has_fair_server(host.kernel):
        runtimes = [_FAIR_RUNTIME]
    # The shortest of several CPUs, because stalls of all CPUs are compared with it.
    if runtimes_in_force := [each for each in runtimes if each > 0]:
        pauses_found.append(Pause(FAIR_SERVER, min(runtimes_in_force), max(periods, default=_FAIR_PERIOD)))
    return pauses_found


def was_throttled(stalls: Rows, window: Window, host: Host) -> bool:
    """Return whether real-time throttling or the fair server was active."""
    return len(throttle_windows(stalls, window, host)) > 0


def throttle_windows(stalls: Rows, window: Window, host: Host, in_parts: bool = False) -> Rows:
    """Return the stalls that were caused by real-time throttling or the fair server: the kernel stops FIFO threads,
    including the probe, for the rest of the period (by default 50 ms of each second).

    `in_parts`: also accept several shorter stalls that add up to this within a period. The kernel may grant ordinary
    threads their share bit by bit; this is only for applications that leave them no other time."""
    is_throttling = np.zeros(len(stalls), np.bool_)
    in_window = (stalls["to"] > window.start) & (stalls["from"] < window.end)
    length = stalls["to"] - stalls["from"]
    for pause in pauses(host):
        is_throttling |= in_window & (length >= 0.8 * pause.length)
        if in_parts:
            parts = np.flatnonzero(in_window & (length >= 0.1 * pause.length))
            end_index = np.searchsorted(stalls["from"][parts], stalls["from"][parts] + pause.period)
            sums = np.concatenate([[0], np.cumsum(length[parts])])
            for i, end in enumerate(end_index):
                if sums[end] - sums[i] >= 0.8 * pause.length:
                    is_throttling[parts[i:end]] = True
    windows: Rows = stalls[is_throttling]
    return windows


def unobserved_host_effects(
    throttling: bool, origin: Origin, probes: Sequence[Probe], window: Window, dropped_events: int = 0
) -> list[str]:
    """Return why the host's part in this run cannot be judged; empty if it can. `dropped_events` is how many events its
    traces lack."""
    reasons, host = reasons_without_verdict(origin.virtual), origin.known_host
    others = host.other_realtime
    if sum(other.cpu_ms for other in others) * 1e6 > INTRUSION_LIMIT * (window.end - window.start):
        names = ", ".join(dict.fromkeys(f"{each.name} ({each.policy} {each.priority})" for each in others[:3]))
        reasons.append(f"real-time threads of other processes had the CPU: {names}")
    if throttling:
        names = " or ".join(pause.name for pause in pauses(host)) or THROTTLING
        reasons.append(f"the kernel's {names} was at work")
    if dropped_events:
        reasons.append(f"{dropped_events} events of the trace were dropped")
    dropped = sum(probe.dropped for probe in probes)
    if not all(probe.saw_stalls for probe in probes):
        reasons.append("the stall probe was not granted real-time priority, so stalls of the host went unseen")
    elif dropped:
        reasons.append(f"{dropped} stalls of the host were not recorded for lack of room")
    return reasons


def unobserved_in_run(result: Result) -> list[str]:
    """Return why the host's part in a run cannot be judged, throttling included; empty if it can."""
    record, throttled = result.record, was_throttled(result.stalls, result.window, result.host)
    return unobserved_host_effects(throttled, result.origin, record.probes, result.window, record.dropped_events)


def doubts_by_stalls(failed: int, n: int, what: str = "jobs missed") -> list[str]:
    """Return, in words, that too many of n jobs or cycles failed while the host stalled; empty if not."""
    if failed <= HOST_MISS_LIMIT * n:
        return []
    return [f"{failed} of {n} {what} while the host stalled ({100 * failed / n:.2g} %)"]


def judged(faults: list[str], doubts: list[str], good: str, evident: bool = False) -> Verdict:
    """Return the verdict that follows from what was at fault, and from why it cannot be judged. It fails in spite of
    doubts if the faults are `evident`, and never passes with any. `good`: the reason why it passes."""
    if doubts and not evident:
        return Verdict(INCONCLUSIVE, [*doubts, *(f"seen: {fault}" for fault in faults)])
    return Verdict(FAIL, faults + doubts) if faults else Verdict(PASS, [good])


def application_faults(application: Application, forced: int | None, cpus: int = 1) -> list[str]:
    """Return the faults of the application itself: misses that its policy could not have avoided."""
    if not forced:
        return []
    misses = "1 deadline was missed" if forced == 1 else f"{forced} deadlines were missed"
    load = f"utilisation {application.peak_utilisation:.3g}" + (f" on {cpus} CPUs" if cpus > 1 else "")
    return [
        f"{misses} that {application.policy} could not have met with the spec's priorities and groups, these execution "
        f"times and the stalls of the host ({load}); `takt check` names the cause"
    ]


def verdict(totals: RunTotals, reasons_not_judged: list[str], asides: Sequence[str] = ()) -> Verdict:
    """Return the verdict: `pass` if there is no unforced miss or skip and no stale execution, else `fail`.

    It is `inconclusive` if the run could not be observed or the host disturbed it. If there are too many faults for the
    stalls to be their cause, a disturbed run fails nevertheless; it never passes. `asides` are added in any case:
    they are not faults of the executor."""
    host, jobs = totals.host_misses, totals.jobs
    counts = {
        "late jobs that the policy would have run on time": totals.unforced_misses,
        "skipped jobs that the policy would have run on time": totals.unforced_skipped,
        f"of {totals.stale_n} reading jobs ran on old data": totals.stale,
    }
    reasons = list(reasons_not_judged)
    if host > HOST_MISS_LIMIT * jobs:
        reasons.append(f"{host} of {jobs} jobs missed while the host stalled ({100 * host / jobs:.2g} %)")
    evident = not reasons_not_judged and sum(counts.values()) > EVIDENT * host
    if reasons and not evident:
        return Verdict(INCONCLUSIVE, [*reasons, *asides])
    faults = [f"{n} {what}" for what, n in counts.items() if n]
    if faults:
        return Verdict(FAIL, [*faults, *reasons, *asides])
    return Verdict(PASS, ["the executor caused no miss and no stale execution", *asides])
