# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Turns signals that request termination into an exception, so that everything is cleaned up."""

from __future__ import annotations

import time

from takt_cli.errors import Interrupted


class InterruptHandler:
    """A signal handler that raises Interrupted. A signal within half a second of another counts as the same request, as
    a terminal and a launcher may both send one; it must not interrupt the clean-up."""

    _ECHO = 0.5

    def __init__(self, message: str) -> None:
        self._message = message
        self._last_signal_at = -self._ECHO

    def __call__(self, _number: int, _frame: object) -> None:
        instant = time.monotonic()
        if instant - self._last_signal_at < self._ECHO:
            return
        self._last_signal_at = instant
        raise Interrupted(self._message)
