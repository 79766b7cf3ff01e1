# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cycles of a controller that sends requests to a second component, which responds; measured in interleaved turns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.variants import CYCLIC
from takt_cli.errors import UsageError
from takt_cli.run.interleaved import InterleavedSettings, run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.sides import LINK, PROCESS, SAME_PROCESS, PeerPlacement, Side
from takt_cli.run.transports import Variant

MS = 10**6
INSIDE, MIDDLEWARE = "process", "middleware"
THROUGH = (INSIDE, MIDDLEWARE, LINK)
EXECUTOR_NAMES = ("takt", "baseline0", "baseline1", "fastdds", "cyclonedds", "udp", "control")
# The most bytes of messages that are queued in each direction.
_MAX_QUEUED_BYTES = 2**20
# Executors that always consist of two processes.
_TWO_PROCESSES = ("baseline1",)


@dataclass(frozen=True, kw_only=True)
class CyclicSettings(InterleavedSettings):
    """The settings of the measurement. Times in nanoseconds. `through` is inside the process, in one process over the
    RMW, or over a link between two processes; baseline1 is always two processes over the RMW. `depth` 0 means as many
    messages as can be under way: cycles continue while a message is late, which the next one must not replace."""

    payload: int = 64
    period: int = MS
    timeout: int = 500 * MS
    depth: int = 0
    through: str = INSIDE

    def __post_init__(self) -> None:
        if self.depth == 0:
            under_way = self.timeout // self.period + 1
            object.__setattr__(self, "depth", max(min(under_way, _MAX_QUEUED_BYTES // max(self.payload, 1)), 1))


def run_cyclic(settings: CyclicSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement. It leaves in `folder` run.json and, for each round, samples, facts and stalls of every
    variant. Raises a TaktError."""
    if settings.through == LINK and any(each.transport.name == "baseline0" for each in settings.variants):
        raise UsageError("--executor baseline0: is a single process, so it has no link; give baseline1")
    run_interleaved(CYCLIC, "cyclic", settings, folder, command, progress, {"through": settings.through}, _sides)


def responder_placement(settings: CyclicSettings, variant: Variant) -> PeerPlacement:
    """Return where the responder of a variant runs."""
    if settings.through == LINK:
        return PeerPlacement(LINK)
    return PeerPlacement(PROCESS if variant.transport.name in _TWO_PROCESSES else SAME_PROCESS)


def _sides(settings: CyclicSettings, variant: Variant) -> tuple[PeerPlacement, tuple[Side, ...]]:
    """Return the controller, and the responder if it is a process of its own."""
    beyond_host = responder_placement(settings, variant)
    if beyond_host.one_process:
        way_options = ("--through-middleware",) if settings.through == MIDDLEWARE and variant.transport.ros else ()
        return beyond_host, (Side("both", variant.tag, way_options),)
    return beyond_host, (Side("controller", variant.tag), Side("responder", f"{variant.tag}.responder"))
