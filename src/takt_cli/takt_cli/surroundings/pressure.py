# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The load of the host by the kernel's pressure stall information (PSI), where available."""

from __future__ import annotations

import time

from takt_cli.host.system import THIS_HOST, System

_KINDS = ("cpu", "memory", "io")


class Pressure:
    """Measures from its construction on."""

    def __init__(self, system: System = THIS_HOST) -> None:
        self._system = system
        self._start_time = time.monotonic()
        self._totals_at_start = _totals(system)

    def so_far(self) -> dict[str, dict[str, float]] | None:
        """Return the shares of the time in which some, or all, tasks waited for CPU, memory or I/O. None if the kernel
        does not account it (it may need `psi=1` at boot)."""
        seconds = time.monotonic() - self._start_time
        totals = _totals(self._system)
        shares = {
            kind: {who: (totals[kind][who] - before) / 1e6 / seconds for who, before in at_start.items()}
            for kind, at_start in self._totals_at_start.items()
            if kind in totals
        }
        return shares or None


def _totals(system: System) -> dict[str, dict[str, int]]:
    """Return the stall times in microseconds since boot, by resource and by `some` and `full`. A resource is missing if
    they are not available, or switched off."""
    texts = {kind: lines for kind in _KINDS if (lines := system.lines(f"proc/pressure/{kind}"))}
    return {
        kind: {line.split()[0]: int(line.rpartition("total=")[2]) for line in lines if "total=" in line}
        for kind, lines in texts.items()
    }
