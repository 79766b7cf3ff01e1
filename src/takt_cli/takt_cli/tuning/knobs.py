# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All knobs, in the order in which they are applied."""

from __future__ import annotations

from takt_cli.host.system import System
from takt_cli.tuning.cpu_knobs import Governor, IdleStates, InterruptPlacement, Throttling
from takt_cli.tuning.fair_server import FairServer
from takt_cli.tuning.isolation import Isolation, Limits
from takt_cli.tuning.knob import Knob, Plan
from takt_cli.tuning.priorities import NetworkInterrupts, RuntimeThreads, SoftInterrupts
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.traffic import Traffic

KNOBS: tuple[Knob, ...] = (
    Governor(),
    IdleStates(),
    Throttling(),
    FairServer(),
    InterruptPlacement(),
    Isolation(),
    Limits(),
    Traffic(),
    # Last, so that threads that were moved into a group have its real-time runtime first.
    NetworkInterrupts(),
    SoftInterrupts(),
    RuntimeThreads(),
)


def plan(system: System, profile: Profile) -> Plan:
    """Return all changes that the profile asks of this host. Nothing is changed."""
    full_plan = Plan()
    for knob in KNOBS:
        part = knob.plan(system, profile)
        full_plan.changes += part.changes
        full_plan.lacking += part.lacking
    return full_plan
