# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Records which thread the kernel ran on each CPU, if the kernel allows it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.kernel_file import parse_switches
from takt_cli.analysis.sample_files import Rows

ROOT = Path("/sys/kernel/tracing")
# Buffer per observed CPU: some 200,000 switches. Further ones are lost and counted.
_BUFFER_KB = 16 * 1024
_NAME = re.compile(r"takt-(\d+)")


@dataclass
class SwitchRecording:
    """A recording of context switches. `switches` is set at its end; if the kernel refused it is None, and
    `refusal_reason` gives the reason. `lost` counts switches that did not fit into the buffer."""

    refusal_reason: str | None = None
    switches: Rows | None = None
    lost: int = 0


@contextmanager
def record_switches(cpus: tuple[int, ...], root: Path = ROOT) -> Iterator[SwitchRecording]:
    """Record the context switches on these CPUs in a tracing instance of its own, which is removed afterwards in any
    case; instances left behind by killed programs are removed first. A refusal is not an error."""
    recording = SwitchRecording()
    place = root / "instances" / f"takt-{os.getpid()}"
    try:
        _remove_orphans(root)
        place.mkdir()
    except OSError as error:
        recording.refusal_reason = _reason(error, root)
        yield recording
        return
    try:
        try:
            _begin(place, cpus)
        except OSError as error:
            recording.refusal_reason = _reason(error, root)
        yield recording
        if recording.refusal_reason is None:
            _end(place, cpus, recording)
    finally:
        _remove(place)


def _begin(instance: Path, cpus: tuple[int, ...]) -> None:
    _write(instance / "trace_clock", "mono")
    _write(instance / "tracing_cpumask", _mask(cpus))
    for cpu in cpus:
        _write(instance / "per_cpu" / f"cpu{cpu}" / "buffer_size_kb", str(_BUFFER_KB))
    _write(instance / "events" / "sched" / "sched_switch" / "enable", "1")


def _end(instance: Path, cpus: tuple[int, ...], recording: SwitchRecording) -> None:
    try:
        _write(instance / "tracing_on", "0")
        with (instance / "trace").open(encoding="utf-8", errors="replace") as lines:
            recording.switches, _ = parse_switches(lines)
        recording.lost = sum(_lost((instance / "per_cpu" / f"cpu{cpu}" / "stats").read_text("utf-8")) for cpu in cpus)
    except OSError as error:
        recording.refusal_reason = f"the recording of context switches could not be read: {error.strerror or error}"
        recording.switches = None


def _lost(stats: str) -> int:
    """Return the number of switches that were overwritten or dropped."""
    return sum(int(n) for n in re.findall(r"^(?:overrun|dropped events): (\d+)", stats, re.MULTILINE))


def _remove_orphans(root: Path) -> None:
    for place in (root / "instances").iterdir():
        match = _NAME.fullmatch(place.name)
        if match is not None and not Path("/proc", match[1]).exists():
            _remove(place)


def _remove(instance: Path) -> None:
    with suppress(OSError):
        instance.rmdir()


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def _mask(cpus: tuple[int, ...]) -> str:
    """Return CPUs as a mask in the kernel's notation: hexadecimal words of 32 bits, the highest first."""
    bits = sum(1 << cpu for cpu in cpus)
    words: list[str] = []
    while bits or not words:
        words.append(f"{bits & 0xFFFFFFFF:08x}")
        bits >>= 32
    return ",".join(reversed(words))


def _reason(error: OSError, root: Path) -> str:
    if isinstance(error, FileNotFoundError):
        return (
            f"context switches are not recorded: tracefs is not mounted at {root}; "
            f"`mount -t tracefs nodev /sys/kernel/tracing` mounts it, as root"
        )
    if isinstance(error, PermissionError):
        return f"context switches are not recorded: only root can use {root}; run as root to record them"
    return f"context switches are not recorded: {error.strerror or error}"
