# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sets the weight of a session where the kernel divides CPU time among sessions (autogroups, see sched(7)).

There, all forty workers that one program has started together get no more CPU time than a single process.
"""

from __future__ import annotations

import math

from takt_cli.host.system import THIS_HOST, System

_SWITCH = "proc/sys/kernel/sched_autogroup_enabled"
# One step of the nice value changes the weight by this factor.
_STEP, _STRONGEST = 1.25, -20


def set_session_weight(session: int, processes: int, system: System = THIS_HOST) -> float:
    """Give a session the weight of this many processes, as closely as a nice value can. Return the weight that it has:
    1 if the kernel refuses, as negative nice values need CAP_SYS_NICE."""
    if system.text(_SWITCH) != "1":
        return float(processes)
    nice = max(_STRONGEST, -round(math.log(processes, _STEP)))
    try:
        system.write(f"proc/{session}/autogroup", str(nice))
    except FileNotFoundError:
        return float(processes)  # this kernel has no autogroups
    except OSError:
        return 1.0
    return _STEP**-nice
