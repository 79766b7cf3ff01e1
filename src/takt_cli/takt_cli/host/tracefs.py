# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Records which thread the kernel ran on each CPU, if the kernel allows it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from takt_cli.host.cpu_list import format_mask
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.kernel_file import parse_switches
from takt_cli.results.sample_files import Rows

_TRACING = "sys/kernel/tracing"
_INSTANCES = f"{_TRACING}/instances"
# Buffer per observed CPU: some 200,000 switches. Further ones are lost and counted.
_BUFFER_KB = 16 * 1024


@dataclass
class SwitchRecording:
    """A recording of context switches. `switches` is set at its end; if the kernel refused it is None, and
    `refusal_reason` gives the reason. `lost` counts switches that did not fit into the buffer."""

    refusal_reason: str | None = None
    switches: Rows | None = None
    lost: int = 0


@contextmanager
def record_switches(cpus: tuple[int, ...], system: System = THIS_HOST) -> Iterator[SwitchRecording]:
    """Record the context switches on these CPUs in a tracing instance of its own, which is removed afterwards in any
    case; instances left behind by killed programs are removed first. A refusal is not an error."""
    recording = SwitchRecording()
    place = f"{_INSTANCES}/takt-{os.getpid()}"
    try:
        try:
            _remove_orphans(system)
            system.make_folder(place)
            _begin(system, place, cpus)
        except OSError as error:
            recording.refusal_reason = _reason(error)
        yield recording
        if recording.refusal_reason is None:
            _end(system, place, cpus, recording)
    finally:
        _remove(system, place)


def _begin(system: System, instance: str, cpus: tuple[int, ...]) -> None:
    system.write(f"{instance}/trace_clock", "mono")
    system.write(f"{instance}/tracing_cpumask", format_mask(cpus))
    for cpu in cpus:
        system.write(f"{instance}/per_cpu/cpu{cpu}/buffer_size_kb", str(_BUFFER_KB))
    system.write(f"{instance}/events/sched/sched_switch/enable", "1")


def _end(system: System, instance: str, cpus: tuple[int, ...], recording: SwitchRecording) -> None:
    try:
        system.write(f"{instance}/tracing_on", "0")
        with system.path(f"{instance}/trace").open(encoding="utf-8", errors="replace") as lines:
            recording.switches, _ = parse_switches(lines)
        stats = (system.path(f"{instance}/per_cpu/cpu{cpu}/stats").read_text("utf-8") for cpu in cpus)
        recording.lost = sum(map(_lost, stats))
    except OSError as error:
        recording.refusal_reason = f"the recording of context switches could not be read: {error.strerror or error}"
        recording.switches = None


def _lost(stats: str) -> int:
    """Return the number of switches that were overwritten or dropped."""
    return sum(int(n) for n in re.findall(r"^(?:overrun|dropped events): (\d+)", stats, re.MULTILINE))


def _remove_orphans(system: System) -> None:
    for pid in system.numbered(_INSTANCES, "takt-"):
        if not system.exists(f"proc/{pid}"):
            _remove(system, f"{_INSTANCES}/takt-{pid}")


def _remove(system: System, instance: str) -> None:
    with suppress(OSError):
        system.remove_folder(instance)


def _reason(error: OSError) -> str:
    why = error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        why = f"tracefs is not mounted at /{_TRACING}; `mount -t tracefs nodev /{_TRACING}` mounts it, as root"
    elif isinstance(error, PermissionError):
        why = f"only root can use /{_TRACING}; run as root to record them"
    return f"context switches are not recorded: {why}"
