# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How busy the host was: its load average, and the kernel's account of who had to wait (PSI), where it keeps one."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

_ROOT = Path("/proc/pressure")
_KINDS = ("cpu", "memory", "io")


class Pressure:
    """From when it is made."""

    def __init__(self, root: Path = _ROOT) -> None:
        self._root = root
        self._begun = time.monotonic()
        self._before = _totals(root)

    def so_far(self) -> dict[str, Any]:
        """`pressure`: the share of the time in which somebody, or everybody, waited for CPU, memory or I/O; None
        where the kernel keeps no account (it may need `psi=1` on its command line)."""
        seconds = time.monotonic() - self._begun
        now = _totals(self._root)
        shares = {
            kind: {who: (now[kind][who] - before) / 1e6 / seconds for who, before in self._before[kind].items()}
            for kind in now
            if kind in self._before
        }
        return {"load_average": list(os.getloadavg()), "pressure": shares or None}


def _totals(root: Path) -> dict[str, dict[str, int]]:
    """Microseconds since boot, by kind and by `some` and `full`."""
    found = {}
    for kind in _KINDS:
        try:
            lines = (root / kind).read_text("utf-8").splitlines()
        except OSError:
            continue  # not kept, or switched off
        found[kind] = {line.split()[0]: int(line.rpartition("total=")[2]) for line in lines if "total=" in line}
    return found
