# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Waiting for the effects of another process that gives no notice of them."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 120.0  # only a test that fails waits for as long


def wait_until(condition: Callable[[], object], description: str) -> None:
    """Wait until the condition is true. Fail with `description` if that takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, description
        time.sleep(0.01)
