# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages in one direction, from one sender to one or several receivers, measured in interleaved turns."""

from __future__ import annotations

from pathlib import Path

from takt_cli.results.communication import ONE_WAY_FORMAT, SAME_PROCESS, OneWaySettings, PeerPlacement, Variant
from takt_cli.run.interleaved import run_interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.sides import Side


def run_one_way(settings: OneWaySettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, as `run_interleaved` does. Raises a TaktError."""
    run_interleaved(ONE_WAY_FORMAT, "one_way", settings, folder, command, progress, _sides)


def _sides(settings: OneWaySettings, variant: Variant) -> tuple[PeerPlacement, tuple[Side, ...]]:
    """Return the sender, and the receivers if they are processes of their own."""
    shared = ("--turn", str(settings.turn), "--receivers", str(settings.receivers))
    if variant.way.inside:
        way = ("--through-middleware",) if variant.way.through_middleware else ()
        return PeerPlacement(SAME_PROCESS), (Side("both", variant.tag, (*shared, *way)),)
    receivers = (
        Side("receiver", variant.receiver_tag(number), (*shared, "--receiver", str(number)))
        for number in range(1, settings.receivers + 1)
    )
    return settings.place, (Side("sender", variant.tag, shared), *receivers)
