# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A written measurement of message transport, as the thesis has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from takt_cli.paper.thesis2021.message_ways import (
    FORMAT,
    WAYS,
    MessageWayProcess,
    MessageWaysRecord,
    MessageWaysSettings,
)
from takt_cli.results.origin import Origin
from takt_cli.results.program import Grants
from takt_cli.results.sample_files import SAMPLES, write_rows


def write_message_ways(
    folder: Path, sizes: tuple[int, ...], rounds: int, laps: int, latency: Callable[[str, int, int], float]
) -> None:
    """Write a result with one message for each way, size and lap; `latency` returns its ns."""
    settings = MessageWaysSettings(sizes, tuple(WAYS), rounds, 10**9, (0,), laps)
    report = MessageWayProcess(0, "rmw_fastrtps_cpp", Grants(True))
    origin = Origin(command=["takt"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=None)
    FORMAT.write(folder, origin, settings, MessageWaysRecord({way: [report] * rounds for way in WAYS}))
    for number in range(rounds):
        for index, (way, name) in enumerate(WAYS.items()):
            place = folder / f"round-{number + 1}" / name
            place.mkdir(parents=True)
            rows = [
                (lap, index, size, 1 + lap, latency(way, size, number * laps + lap))
                for lap in range(laps)
                for size in sizes
            ]
            write_rows(place / "transport.samples.npy", np.array(rows, SAMPLES))
