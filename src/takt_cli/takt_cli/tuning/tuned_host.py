# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tunes a host for the duration of a run."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.system import System
from takt_cli.tuning.profile import Profile, read_profile
from takt_cli.tuning.state import Owner, Store
from takt_cli.tuning.tune import Applied, push, undo, undo_orphans

_LATENCY = "dev/cpu_dma_latency"


@contextmanager
def tuned_host(
    profile: str | Profile, cpus: tuple[int, ...] | None = None, system: System | None = None
) -> Iterator[Applied]:
    """Tune the host as `profile` asks while the context is open, as far as the host allows, then restore the former
    state, which may be that of an earlier `takt tune apply`. What the host lacks or refuses is recorded, not raised: a
    run without rights runs untuned. If this process is killed, the next takt process that tunes undoes its changes.
    Raises a HostError if the host is tuned for another run."""
    host = system or System()
    wanted_profile = profile if isinstance(profile, Profile) else read_profile(profile, cpus or (allowed_cpus()[-1],))
    try:
        applied = _begin(host, wanted_profile)
    except PermissionError as error:
        yield Applied(wanted_profile.name, lacking=[f"nothing was tuned: {error.strerror}"])
        return
    with ExitStack() as stack:
        stack.callback(_end, host)
        refused = stack.enter_context(_awake(host, wanted_profile))
        applied.lacking += [refused] if refused else []
        yield applied


def _begin(host: System, profile: Profile) -> Applied:
    store = Store(host)
    if os.geteuid() != 0 and not os.access(_nearest(store.folder), os.W_OK):
        raise PermissionError(13, "only root may tune this host")
    with store.locked():
        layers = undo_orphans(host, store)
        holder = layers[-1].owner if layers else None
        if holder is not None and holder != Owner.this():
            raise HostError(f"process {holder.pid} has tuned this host for a run; wait for its end")
        return push(host, store, layers, profile, Owner.this())


def _end(host: System) -> None:
    store = Store(host)
    with store.locked(wait=True):
        layers = store.load()
        if layers and layers[-1].owner == Owner.this():
            undo(host, store, layers)


def _nearest(path: Path) -> Path:
    """Return the closest parent folder that exists."""
    while not path.exists():
        path = path.parent
    return path


@contextmanager
def _awake(host: System, profile: Profile) -> Iterator[str | None]:
    """Ask the kernel to keep all CPUs out of idle states deeper than the profile allows, for as long as the context is
    open. Yields the reason if that is refused, else None."""
    if profile.idle_latency_us is None:
        yield None
        return
    try:
        descriptor = os.open(host.path(_LATENCY), os.O_WRONLY | os.O_CLOEXEC)
    except OSError as error:
        yield f"idle states: /{_LATENCY}: {error.strerror}"
        return
    try:
        with suppress(OSError):
            os.write(descriptor, struct.pack("i", profile.idle_latency_us))
        yield None
    finally:
        os.close(descriptor)
