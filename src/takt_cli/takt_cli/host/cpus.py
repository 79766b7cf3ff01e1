# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Selects the CPUs that an experiment runs on, and keeps this process off them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from takt_cli.errors import HostError
from takt_cli.host.system import THIS_HOST


def allowed_cpus() -> list[int]:
    """Return the CPUs that this process may use, ascending."""
    return sorted(os.sched_getaffinity(0))


def choose_cpus(requested: Sequence[int] | None) -> tuple[int, ...]:
    """Return the requested CPUs, or by default the last allowed one. Raises a HostError if one cannot be used."""
    allowed = allowed_cpus()
    if requested is None:
        return (allowed[-1],)
    usable = ", ".join(map(str, allowed))
    for cpu in requested:
        if cpu in allowed:
            continue
        if cpu not in range(os.cpu_count() or 1):
            raise HostError(f"--cpu {cpu}: this host has no CPU {cpu}; give one of {usable}")
        raise HostError(
            f"--cpu {cpu}: this process may not use CPU {cpu}; give one of {usable}, or change its affinity"
        )
    return tuple(requested)


def choose_cpu(requested: int | None) -> int:
    """Return the requested CPU, or by default the last allowed one. Raises a HostError if it cannot be used."""
    return choose_cpus(None if requested is None else [requested])[0]


def another_cpu(cpu: int) -> int | None:
    """Return the last allowed CPU other than `cpu`; None if there is no other one."""
    others = [each for each in allowed_cpus() if each != cpu]
    return others[-1] if others else None


@contextmanager
def keep_off(cpus: Iterable[int], all_threads: bool = False) -> Iterator[None]:
    """Keep this thread, or all threads of this process, off `cpus` while the context is open, if it may use any other
    CPU."""
    previous_cpus = os.sched_getaffinity(0)
    _move(all_threads, previous_cpus - set(cpus) or previous_cpus)
    try:
        yield
    finally:
        _move(all_threads, previous_cpus)


def _move(all_threads: bool, cpus: set[int]) -> None:
    for tid in THIS_HOST.threads("self") if all_threads else [0]:
        with suppress(ProcessLookupError):  # the thread has ended
            os.sched_setaffinity(tid, cpus)
