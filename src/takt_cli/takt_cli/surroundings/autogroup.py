# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The weight of a session where the kernel shares the CPU out among sessions (autogroups, see sched(7)).

There, a load of forty workers that one program has started is worth one process, however many they are.
"""

from __future__ import annotations

import math
from pathlib import Path

_SWITCH = Path("/proc/sys/kernel/sched_autogroup_enabled")
# A step of nice changes the weight by so much.
_STEP, _STRONGEST = 1.25, -20


def weigh(session: int, processes: int, switch: Path = _SWITCH, proc: Path = Path("/proc")) -> float:
    """Gives a session the weight of so many processes, as near as there is one. Returns that which it has: it is 1
    where the kernel refuses, for it takes the right to negative nice values (CAP_SYS_NICE)."""
    try:
        if switch.read_text("utf-8").strip() != "1":
            return float(processes)
        file = proc / str(session) / "autogroup"
        nice = max(_STRONGEST, -round(math.log(processes, _STEP)))
        file.write_text(str(nice), "utf-8")
    except FileNotFoundError:
        return float(processes)  # this kernel has no such thing
    except OSError:
        return 1.0
    return _STEP**-nice
