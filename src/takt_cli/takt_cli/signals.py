# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Signals that request termination."""

from __future__ import annotations

import signal

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class uninterrupted:  # noqa: N801 - reads as a statement
    """Defers signals that request termination until the context is left: while cleaning up, and while starting
    something that must be cleaned up. For the main thread only."""

    def __enter__(self) -> None:
        self._pending_signals: list[int] = []
        self._previous_handlers = {number: signal.signal(number, self._note) for number in _ENDS}

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)
        _raise_each(list(dict.fromkeys(self._pending_signals)))

    def _note(self, number: int, _frame: object) -> None:
        self._pending_signals.append(number)


def _raise_each(numbers: list[int]) -> None:
    """Raise all of these signals, even if a handler raises an exception."""
    if not numbers:
        return
    try:
        signal.raise_signal(signal.Signals(numbers[0]))
    finally:
        _raise_each(numbers[1:])
