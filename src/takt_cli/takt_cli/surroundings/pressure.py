# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The load of the host: its load average, and the kernel's pressure stall information (PSI) where available."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

_ROOT = Path("/proc/pressure")
_KINDS = ("cpu", "memory", "io")


class Pressure:
    """Measures from its construction on."""

    def __init__(self, root: Path = _ROOT) -> None:
        self._root = root
        self._start_time = time.monotonic()
        self._totals_at_start = _totals(root)

    def so_far(self) -> dict[str, Any]:
        """Return `load_average` and `pressure`: the shares of the time in which some, or all, tasks waited for CPU,
        memory or I/O. `pressure` is None if the kernel does not account it (it may need `psi=1` at boot)."""
        seconds = time.monotonic() - self._start_time
        totals = _totals(self._root)
        shares = {
            kind: {
                who: (totals[kind][who] - before) / 1e6 / seconds for who, before in self._totals_at_start[kind].items()
            }
            for kind in totals
            if kind in self._totals_at_start
        }
        return {"load_average": list(os.getloadavg()), "pressure": shares or None}


def _totals(root: Path) -> dict[str, dict[str, int]]:
    """Return the stall times in microseconds since boot, by resource and by `some` and `full`."""
    totals = {}
    for kind in _KINDS:
        try:
            lines = (root / kind).read_text("utf-8").splitlines()
        except OSError:
            continue  # not available, or switched off
        totals[kind] = {line.split()[0]: int(line.rpartition("total=")[2]) for line in lines if "total=" in line}
    return totals
