# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Single key presses from a terminal."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# The ends of the escape sequences that terminals send for keys without a character, in normal and application mode.
_NAMES = {"A": "up", "B": "down", "5~": "page up", "6~": "page down", "H": "home", "F": "end", "": "escape"}
_KEY = re.compile(r"\x1b(?:[\[O]([0-9;]*[A-Za-z~]))?|.", re.DOTALL)
TERMINAL_GONE = "\x04"


def keys_in(text: str) -> list[str]:
    """Return the keys in the input: characters, and the names of keys without one. Unknown keys are ignored."""
    keys = (key[0] if key[0][0] != "\x1b" else _NAMES.get(key[1] or "", "") for key in _KEY.finditer(text))
    return [key for key in keys if key]


class Keys:
    """The keys that are pressed on a terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def pressed(self) -> list[str]:
        """Return the keys pressed since the last call, without waiting; TERMINAL_GONE among them if the terminal was
        closed."""
        if not select.select([self._descriptor], [], [], 0)[0]:
            return []
        try:
            data = os.read(self._descriptor, 64)
        except OSError:
            data = b""
        return keys_in(data.decode("utf-8", "ignore")) if data else [TERMINAL_GONE]


@contextmanager
def raw_keys() -> Iterator[Keys]:
    """Yield single key presses of standard input, without echo, while the context lasts."""
    descriptor = sys.stdin.fileno()
    previous_attributes = termios.tcgetattr(descriptor)
    try:
        # In this mode Ctrl-C still sends a signal.
        tty.setcbreak(descriptor)
        yield Keys(descriptor)
    finally:
        # This fails if the terminal was closed, and then there is nothing to restore.
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, previous_attributes)
