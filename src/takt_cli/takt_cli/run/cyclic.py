# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cycles of a controller that asks a second component and gets a response, interleaved over rounds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.variants import CYCLIC
from takt_cli.errors import UsageError
from takt_cli.run.interleaved import Plain, run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.sides import LINK, PROCESS, SAME_PROCESS, Side, Where
from takt_cli.run.transports import Variant

MS = 10**6
INSIDE, MIDDLEWARE = "process", "middleware"
THROUGH = (INSIDE, MIDDLEWARE, LINK)
EXECUTOR_NAMES = ("takt", "baseline0", "baseline1", "fastdds", "cyclonedds", "udp", "control")
# Bytes of messages that are kept, each way, at most.
_KEPT = 2**20
# They are made of two processes wherever they run.
_APART = ("baseline1",)


@dataclass(frozen=True, kw_only=True)
class CyclicSettings(Plain):
    """Times in nanoseconds. `through`: inside the process, in one process but over the RMW, or over a link between
    two; baseline1 is two processes anyhow, and always over the RMW. `depth` 0 becomes as many as can be under way:
    cycles go on while a message is late, and where the next one replaced it, it would be lost."""

    payload: int = 64
    period: int = MS
    timeout: int = 500 * MS
    depth: int = 0
    through: str = INSIDE

    def __post_init__(self) -> None:
        if self.depth == 0:
            under_way = self.timeout // self.period + 1
            object.__setattr__(self, "depth", max(min(under_way, _KEPT // max(self.payload, 1)), 1))


def run_cyclic(settings: CyclicSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Leaves in `folder` run.json and, per round, samples, facts and stalls of every variant. Raises a
    TaktError."""
    if settings.through == LINK and any(each.transport.name == "baseline0" for each in settings.variants):
        raise UsageError("--executor baseline0: is one process, which has no link inside; give baseline1")
    run_interleaved(CYCLIC, "cyclic", settings, folder, command, progress, {"through": settings.through}, _sides)


def apart(settings: CyclicSettings, each: Variant) -> Where:
    """Where the responder of a variant is."""
    if settings.through == LINK:
        return Where(LINK)
    return Where(PROCESS if each.transport.name in _APART else SAME_PROCESS)


def _sides(settings: CyclicSettings, each: Variant) -> tuple[Where, tuple[Side, ...]]:
    """The controller, and the responder where it is a process of its own."""
    beyond = apart(settings, each)
    if beyond.one_process:
        over = ("--through-middleware",) if settings.through == MIDDLEWARE and each.transport.ros else ()
        return beyond, (Side("both", each.tag, over),)
    return beyond, (Side("controller", each.tag), Side("responder", f"{each.tag}.responder"))
