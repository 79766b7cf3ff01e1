# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The wake-up probe: how late a thread of the highest priority wakes on each CPU, once a millisecond."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
from takt_cli.doctor.surroundings import steal
from takt_cli.host.processes import Children
from takt_cli.host.programs import find_program
from takt_cli.host.scratch import scratch_folder
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Probe
from takt_cli.results.sample_files import STALLS, read_rows

# Limits of the latest wake-up, in us: a 1 kHz loop tolerates the first; the second is a whole period of it.
_GOOD, _BAD = 100, 1000
_READY, _LONGER = 15.0, 60.0


def wake_up(host: ExaminedHost, seconds: float, progress: Callable[[float], None]) -> list[Finding]:
    """Run a probe on each CPU, all at the same time, and return one finding per CPU. `progress` is called with the
    seconds gone. Raises a TaktError if a probe cannot run."""
    program = find_program("probe")
    stolen_before = steal(host)
    with scratch_folder("doctor") as place, Children(host.cpus) as children:
        probes = []
        for cpu in host.cpus:
            command = [str(program), "--cpu", str(cpu), "--duration-ns", str(round((seconds + _LONGER) * 1e9))]
            command += ["--threshold-ns", "0", "--out", str(place / f"{cpu}.npy")]
            probes.append(children.start(f"probe {cpu}", command, place / f"{cpu}.log"))
        for probe in probes:
            probe.wait_for("ready", _READY)
        begin = time.monotonic()
        while (elapsed := time.monotonic() - begin) < seconds:
            for probe in probes:
                probe.check()
            progress(elapsed)
            time.sleep(0.05)
        for probe in probes:
            probe.end(5.0)
            probe.check()
        stolen_after = steal(host)
        return [
            _finding(place, cpu, (stolen_after[0] - stolen_before[0]) / max(stolen_after[1] - stolen_before[1], 1))
            for cpu in host.cpus
        ]


def _finding(path: Path, cpu: int, stolen: float) -> Finding:
    rows = read_rows(path / f"{cpu}.npy", STALLS)
    report = read_json(path / f"{cpu}.json", Probe)
    late = np.sort(rows["to"] - rows["from"]) / 1000
    subject = "wake-ups on CPU {cpu}"
    if not len(late):
        return finding(subject, "none", cpu=cpu)
    if not report.granted:
        return finding(subject, "without rights", cpu=cpu, found=_latency_text(late))
    longest = float(late[-1])
    case = "early" if longest <= _GOOD else "late" if longest <= _BAD else "too late"
    words = _latency_text(late) + (f"; the host of this virtual machine took {stolen:.2%} meanwhile" if stolen else "")
    return finding(subject, case, cpu=cpu, found=words, longest=longest / 1000)


def _latency_text(late: Any) -> str:
    p50, p99, p999 = (float(late[min(int(q * len(late)), len(late) - 1)]) for q in (0.5, 0.99, 0.999))
    return f"late by {p50:.0f} us (p50), {p99:.0f} (p99), {p999:.0f} (p99.9), {late[-1]:.0f} (max) of {len(late)}"
