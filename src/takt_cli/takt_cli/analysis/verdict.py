# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verdict on a run, which knows when it cannot judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.grid import Window

HOST_MISS_LIMIT = 0.001
_NS = 1000


def throttled(stalls: Rows, window: Window, host: dict[str, Any]) -> bool:
    """Whether real-time throttling was at work: the kernel stops FIFO threads, the probe among them,
    for the rest of the period (50 ms in a second by default)."""
    runtime, period = host.get("rt_runtime_us"), host.get("rt_period_us")
    if runtime is None or period is None or not 0 <= runtime < period:
        return False
    pause = (period - runtime) * _NS
    inside = stalls[(stalls["to"] > window.start) & (stalls["from"] < window.end)]
    return bool(np.any(inside["to"] - inside["from"] >= 0.8 * pause))


def reasons_not_to_judge(host_misses: int, releases: int, throttling: bool, probe: dict[str, Any]) -> list[str]:
    """Why nobody can say how the executor did; empty if one can."""
    reasons = []
    if releases and host_misses > HOST_MISS_LIMIT * releases:
        reasons.append(f"the host itself stalled: {host_misses} of {releases} jobs ({host_misses / releases:.2%})")
    if throttling:
        reasons.append("the kernel's real-time throttling was at work")
    if not watched(probe):
        reasons.append("the stall probe was not granted real-time priority, so stalls of the host went unseen")
    return reasons


def watched(probe: dict[str, Any]) -> bool:
    """Whether the probe ran above everything else and so saw the host's stalls, not our own load."""
    return int(probe.get("granted") or 0) > 0 and probe.get("granted") == probe.get("asked")


def verdict(totals: dict[str, Any], reasons: list[str]) -> dict[str, Any]:
    """`inconclusive`, else `pass` for no unforced miss or skip and nothing stale, else `fail`."""
    if reasons:
        return {"outcome": "inconclusive", "why": reasons}
    faults = []
    if totals["unforced_misses"]:
        faults.append(f"{totals['unforced_misses']} misses that the policy would have avoided")
    if totals["unforced_skipped"]:
        faults.append(f"{totals['unforced_skipped']} skipped jobs that the policy would have run on time")
    if totals["stale"]:
        faults.append(f"{totals['stale']} of {totals['stale_n']} jobs ran on old data")
    if faults:
        return {"outcome": "fail", "why": faults}
    return {"outcome": "pass", "why": ["no unforced miss and no stale execution"]}
