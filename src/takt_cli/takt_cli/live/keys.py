# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Single keys from a terminal."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# What a terminal sends for the keys that have no character, in both of its modes.
_NAMES = {"A": "up", "B": "down", "5~": "page up", "6~": "page down", "H": "home", "F": "end", "": "escape"}
_KEY = re.compile(r"\x1b(?:[\[O]([0-9;]*[A-Za-z~]))?|.", re.DOTALL)
GONE = "\x04"


def keys_in(text: str) -> list[str]:
    """The characters, and names of keys that have none; keys that have no name here are nothing."""
    found = (key[0] if key[0][0] != "\x1b" else _NAMES.get(key[1] or "", "") for key in _KEY.finditer(text))
    return [key for key in found if key]


class Keys:
    """Keys as they are pressed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def pressed(self) -> list[str]:
        """All that were pressed since. Never waits. GONE where the terminal is."""
        if not select.select([self._descriptor], [], [], 0)[0]:
            return []
        try:
            data = os.read(self._descriptor, 64)
        except OSError:
            data = b""
        return keys_in(data.decode("utf-8", "ignore")) if data else [GONE]


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
        # Where the terminal has gone there is nothing to restore.
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
