# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Single keys from a terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager


class Keys:
    """Keys as they are pressed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def pressed(self) -> str:
        """All that were pressed since; `\\x1b` for Escape. Never waits. Ctrl-D where the terminal has gone."""
        if not select.select([self._descriptor], [], [], 0)[0]:
            return ""
        try:
            data = os.read(self._descriptor, 64)
        except OSError:
            data = b""
        return data.decode("utf-8", "ignore") or "\x04"


@contextmanager
def raw_keys() -> Iterator[Keys]:
    """Keys of standard input come one by one and are not shown, until the end."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        # Ctrl-C stays a signal.
        tty.setcbreak(descriptor)
        yield Keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
