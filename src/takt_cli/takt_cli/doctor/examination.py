# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The list of all checks of `takt doctor`, in the order of its table."""

from __future__ import annotations

from collections.abc import Callable

from takt_cli.doctor import kernel, limits, processors, rights, surroundings
from takt_cli.doctor.finding import ExaminedHost, Finding
from takt_cli.doctor.middleware import middleware

_CHECKS: tuple[Callable[[ExaminedHost], Finding | None], ...] = (
    kernel.preemption,
    rights.priority_limit,
    rights.memory_limit,
    rights.memory_lock,
    limits.memory,
    limits.threads,
    limits.cpu,
    kernel.throttling,
    kernel.fair_server,
    kernel.clock_source,
    kernel.timer_resolution,
    processors.governor,
    processors.idle_states,
    processors.siblings,
    processors.isolation,
    processors.rivals,
    processors.interrupts,
    rights.swap,
    rights.huge_pages,
    surroundings.container,
    surroundings.virtual,
    surroundings.loopback,
    surroundings.clock_synchronisation,
)


def examine(host: ExaminedHost) -> list[Finding]:
    """Return the findings of all checks but the wake-up probe. They only read, and try to lock 16 MiB of memory."""
    findings = [finding for look in _CHECKS if (finding := look(host)) is not None]
    return findings + middleware(host)
