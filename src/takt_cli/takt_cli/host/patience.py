# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures how long a loop has waited for other programs, for its time limits."""

from __future__ import annotations

import time

# What one interval between two looks counts at most, in s; loops that wait look every 0.05 s or more often.
_LONGEST_GAP = 0.2


class Patience:
    """The time for which somebody has looked at other programs again and again. Of a long interval between two looks
    only a part counts: a host that gave this process no CPU may have given the others none either."""

    def __init__(self) -> None:
        self._last_look = time.monotonic()
        self._waited = 0.0

    def waited(self) -> float:
        """Return the time since this was made, in s; at most 0.2 s of each interval between two calls counts."""
        now = time.monotonic()
        self._waited += min(now - self._last_look, _LONGEST_GAP)
        self._last_look = now
        return self._waited
