# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the options of several papers mean."""

from __future__ import annotations

from takt_cli.errors import HostError, UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus


def paper_cpus(chosen: tuple[int, ...] | None, count: int = 1) -> tuple[int, ...]:
    """Return the CPUs to run on: those that are `chosen`, else the last `count` that this process may use.

    Raises a UsageError if both are given and do not agree, a HostError if this process may not use that many.
    """
    if chosen is not None:
        if count > 1 and len(chosen) != count:
            raise UsageError(f"--cpu: names {len(chosen)} and --cpu-count {count} CPUs; leave --cpu-count out")
        if len(chosen) > 2:
            raise UsageError("--cpu: names more than two CPUs; give one or two")
        return choose_cpus(chosen)
    allowed = allowed_cpus()
    if len(allowed) < count:
        raise HostError(f"--cpu-count {count}: this process may use CPU {allowed[0]} only; give 1")
    return tuple(allowed[-count:])
