# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Waiting for the effects of another process that gives no notice of them, and what to wait for."""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable, Iterable
from pathlib import Path

PATIENCE_S = 120.0  # only a test that fails waits for as long


def wait_until(condition: Callable[[], object], description: str) -> None:
    """Wait until the condition is true. Fail with `description` if that takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, description
        time.sleep(0.01)


def wait_until_ended(pids: Iterable[int]) -> None:
    """Wait until these processes have ended, whoever is their parent."""
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            assert select.select([descriptor], [], [], PATIENCE_S)[0], f"process {pid} has not ended"
        finally:
            os.close(descriptor)


def alive(pid: int) -> bool:
    """Return whether the process has not ended yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def logged(log: Path) -> list[int]:
    """Return the processes of stand-ins that have started, from their log."""
    # Only complete lines: a process may be writing the last one.
    lines = log.read_text("utf-8").split("\n")[:-1] if log.exists() else []
    return [json.loads(line)["pid"] for line in lines]
