# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Waits for what the kernel or another program brings about without telling anybody."""

from __future__ import annotations

import time
from collections.abc import Callable

from takt_cli.host.patience import Patience


def becomes_true(condition: Callable[[], object], seconds: float, interval: float = 0.02) -> bool:
    """Evaluate a condition every `interval` seconds until it is true, for at most `seconds`. Return whether it is."""
    patience = Patience()
    while not condition():
        if patience.waited() > seconds:
            return False
        time.sleep(interval)
    return True
