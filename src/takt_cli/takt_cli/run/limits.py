# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How long a program waits for others to find it, and how long we wait for the program: it is told its limit, which
is the shorter one, so that it ends by itself and says what was missing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """In s, beside the length of what is measured. `matching`: from where the program has begun to wait for the
    others; `rest`: whatever else it may take, from its start to the end of writing, which only ends what hangs. A
    runner's start takes as long as it goes on (watch.py), and this from there."""

    matching: float
    rest: float

    @property
    def options(self) -> tuple[str, ...]:
        """What a program that waits for others is told."""
        return ("--match-timeout-ns", str(round(self.matching * 1e9)))

    @property
    def whole(self) -> float:
        """What we grant it."""
        return self.matching + self.rest


def of_runners(processes: int) -> Limits:
    """Those of one run. They share its CPUs as they start, and one after another finds the others."""
    return Limits(matching=20.0 + processes, rest=20.0 + processes)


def of_sides(timeout: float, by_hand: bool = False) -> Limits:
    """Those of a conversation, whose last reply may take `timeout`. `by_hand`: somebody has to type a command on
    another machine first."""
    return Limits(matching=600.0 if by_hand else 30.0, rest=30.0 + timeout)
