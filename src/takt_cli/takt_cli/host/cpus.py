# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The CPU that an experiment runs on, and keeping ourselves off it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from takt_cli.errors import HostError


def allowed_cpus() -> list[int]:
    """The CPUs this process may use, ascending."""
    return sorted(os.sched_getaffinity(0))


def choose_cpu(asked: int | None) -> int:
    """The CPU asked for, or the last allowed one; HostError if there is no such CPU here."""
    allowed = allowed_cpus()
    if asked is None:
        return allowed[-1]
    if asked in allowed:
        return asked
    usable = ", ".join(map(str, allowed))
    if asked not in range(os.cpu_count() or 1):
        raise HostError(f"--cpu {asked}: this host has no CPU {asked}; give one of {usable}")
    raise HostError(
        f"--cpu {asked}: this process may not use CPU {asked}; give one of {usable}, or change its affinity"
    )


@contextmanager
def aside(cpu: int) -> Iterator[None]:
    """Keeps this process off `cpu` while inside, if it has another to go to."""
    before = os.sched_getaffinity(0)
    others = before - {cpu}
    if others:
        os.sched_setaffinity(0, others)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
