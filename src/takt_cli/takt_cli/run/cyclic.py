# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cycles of a controller that sends requests to a second component, which responds; measured in interleaved turns."""

from __future__ import annotations

from pathlib import Path

from takt_cli.errors import UsageError
from takt_cli.results.communication import (
    CYCLIC_FORMAT,
    INSIDE,
    LINK,
    MIDDLEWARE,
    PROCESS,
    SAME_PROCESS,
    CyclicSettings,
    PeerPlacement,
    Variant,
)
from takt_cli.run.interleaved import run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.sides import Side

THROUGH = (INSIDE, MIDDLEWARE, LINK)
EXECUTOR_NAMES = ("takt", "baseline0", "baseline1", "fastdds", "cyclonedds", "udp", "control")
# Executors that always consist of two processes.
_TWO_PROCESSES = ("baseline1",)


def run_cyclic(settings: CyclicSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, as `run_interleaved` does. Raises a TaktError."""
    if settings.through == LINK and any(each.transport.name == "baseline0" for each in settings.variants):
        raise UsageError("--executor baseline0: is a single process, so it has no link; give baseline1")
    run_interleaved(CYCLIC_FORMAT, "cyclic", settings, folder, command, progress, _sides)


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
