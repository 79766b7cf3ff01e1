# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All knobs, in the order in which they are applied."""

from __future__ import annotations

from dataclasses import replace

from takt_cli.host.system import System
from takt_cli.tuning.cpu_knobs import fair_server, governor, idle_states, interrupt_placement, throttling
from takt_cli.tuning.isolation import cpu_limit, isolation
from takt_cli.tuning.knob import Knob, Plan
from takt_cli.tuning.priorities import network_interrupts, runtime_threads, soft_interrupts
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.traffic import traffic

_KNOBS: dict[str, Knob] = {
    "governor": governor,
    "idle states": idle_states,
    "real-time throttling": throttling,
    "fair server": fair_server,
    "IRQ affinity": interrupt_placement,
    "isolation": isolation,
    "CPU limit": cpu_limit,
    "traffic": traffic,
    # Last, so that threads that were moved into a group have its real-time runtime first.
    "network IRQ threads": network_interrupts,
    "ksoftirqd": soft_interrupts,
    "executors and middleware": runtime_threads,
}


def plan(system: System, profile: Profile) -> Plan:
    """Return all changes that the profile asks of this host. Nothing is changed."""
    full_plan = Plan()
    for name, knob in _KNOBS.items():
        for step in knob(system, profile):
            if isinstance(step, str):
                full_plan.lacking.append(f"{name}: {step}")
            else:
                full_plan.changes.append(replace(step, knob=name))
    return full_plan
