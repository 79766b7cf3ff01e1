# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Signals that ask for an end, as an error that cleans up on its way."""

from __future__ import annotations

import time

from takt_cli.errors import Interrupted


class Interrupt:
    """A handler that raises. A signal that comes within half a second of another is the same request, as a terminal
    and a launcher both send one, and must not interrupt what is ended then."""

    _ECHO = 0.5

    def __init__(self, words: str) -> None:
        self._words = words
        self._last = -self._ECHO

    def __call__(self, _number: int, _frame: object) -> None:
        now = time.monotonic()
        if now - self._last < self._ECHO:
            return
        self._last = now
        raise Interrupted(self._words)
