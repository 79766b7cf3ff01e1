# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Time limits: how long a program waits until others have discovered it, and how long takt waits for the program. The
program's own limit is the shorter one, so that it ends by itself and says what is missing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Time limits in s, in addition to the measured time. `matching` is that of discovery, from when the program begins
    to wait. `rest` is for everything else, from its start until its results are written, and only ends programs that
    hang. Starting a runner may take as long as it makes progress (watch.py); its `rest` counts from there."""

    matching: float
    rest: float

    @property
    def options(self) -> tuple[str, ...]:
        """The command-line arguments of a program that waits for others."""
        return ("--match-timeout-ns", str(round(self.matching * 1e9)))

    @property
    def total(self) -> float:
        """The time that takt grants the program."""
        return self.matching + self.rest


def limits_of_runners(processes: int) -> Limits:
    """Return the limits of a run's processes, which share CPUs while they start and discover each other in turn."""
    return Limits(matching=20.0 + processes, rest=20.0 + processes)


def limits_of_sides(timeout: float, by_hand: bool = False) -> Limits:
    """Return the limits of two sides that exchange messages. The last reply may take `timeout`, in s. `by_hand` means
    that the user first has to enter a command on another machine."""
    return Limits(matching=600.0 if by_hand else 30.0, rest=30.0 + timeout)
