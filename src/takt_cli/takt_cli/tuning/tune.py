# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applies profiles to a host, and restores its former settings."""

from __future__ import annotations

import os
import threading
from contextlib import nullcontext, suppress

import msgspec

from takt_cli.errors import HostError
from takt_cli.host.hierarchy import OTHERS_GROUP, TAKT_GROUP
from takt_cli.host.system import System
from takt_cli.signals import uninterrupted
from takt_cli.tuning.control_group import Group
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import FileValue
from takt_cli.tuning.state import AppliedChange, Layer, Owner, Store


class Applied(msgspec.Struct):
    """The result of applying a profile: changes made, settings that were already as wanted, and what the host lacks or
    refused."""

    profile: str
    granted: list[AppliedChange] = []
    as_wanted: list[str] = []
    lacking: list[str] = []


class SettingRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A setting in output: its values before a change, as wanted, and now, as far as they are asked for. `profile` is
    the one that it was changed for; `differs` is set if it no longer is as wanted."""

    profile: str | None = None
    knob: str
    setting: str
    before: str | None = None
    wanted: str | None = None
    now: str | None = None
    differs: bool | None = None


def changed_rows(changes: list[AppliedChange]) -> list[SettingRow]:
    """Return changes that were made or undone as rows."""
    return [
        SettingRow(knob=each.knob, setting=each.setting.label, before=each.before, wanted=each.wanted)
        for each in changes
    ]


def apply(system: System, profile: Profile) -> Applied:
    """Apply a profile in place of the one applied before, if any. If that fails, restore the settings as they were when
    called and raise a HostError."""
    store = Store(system)
    with store.locked():
        layers = undo_orphans(system, store)
        if layers and layers[-1].owner is not None:
            raise HostError(f"process {layers[-1].owner.pid} has tuned this host for a run; wait for its end")
        former = layers[-1] if layers else None
        if former is not None:
            undo(system, store, layers)
        try:
            return push(system, store, layers, profile)
        except BaseException:
            if former is not None:
                store.save([*layers, former])
                for change in former.changes:
                    with suppress(OSError):  # the thread that it concerned may have ended
                        change.setting.write(system, change.wanted)
            raise


def revert(system: System) -> list[AppliedChange]:
    """Restore all settings to their original values, the last change first, and return the changes undone. Raises a
    HostError."""
    store, reverted = Store(system), []
    with store.locked():
        layers = store.load()
        for layer in layers:
            if layer.owner is not None and layer.owner.is_alive():
                raise HostError(f"process {layer.owner.pid} has tuned this host for a run; wait for its end")
        while layers:
            reverted += undo(system, store, layers)
        store.save([])
    return reverted


def push(system: System, store: Store, layers: list[Layer], profile: Profile, owner: Owner | None = None) -> Applied:
    """Apply a profile as a new layer on top. If the host refuses a change, undo the layer and raise a HostError; for a
    run, which is then the owner, record the refusal and go on instead."""
    changes = plan(system, profile)
    applied = Applied(profile.name, lacking=changes.lacking)
    new_changes: list[tuple[AppliedChange, bool]] = []
    for change in changes.changes:
        previous = change.setting.read(system)
        if previous is None:
            applied.lacking.append(f"{change.knob}: {change.setting.label} no longer exists")
        elif previous == change.value:
            applied.as_wanted.append(f"{change.setting.label}: {change.value}")
        else:
            new_changes.append((AppliedChange(change.knob, change.setting, previous, change.value), change.tentative))
    layer = Layer(profile.name, owner, [each for each, _ in new_changes], applied.lacking)
    layers.append(layer)
    store.save(layers)
    try:
        for each, tentative in new_changes:
            refusal = _change(system, each)
            if refusal is None:
                applied.granted.append(each)
                continue
            if not tentative and owner is None:
                raise HostError(f"{refusal}; all settings were restored")
            applied.lacking.append(refusal)
            _put_back(system, each)
            layer.changes.remove(each)
        store.save(layers)
    except BaseException:
        undo(system, store, layers)
        raise
    return applied


def _change(system: System, change: AppliedChange) -> str | None:
    """Make a change, and return why it was refused, or None. Some kernels accept a value and set another."""
    setting = change.setting
    try:
        setting.write(system, change.wanted)
    except OSError as error:
        # Some interrupts cannot be moved, not even by root.
        hint = " (run as root)" if isinstance(error, PermissionError) and os.geteuid() != 0 else ""
        return f"{change.knob}: {setting.label}: {change.wanted} was refused: {error.strerror or error}{hint}"
    current = setting.read(system)
    return (
        None
        if current == change.wanted
        else f"{change.knob}: {setting.label}: asked for {change.wanted}, got {current}"
    )


def undo(system: System, store: Store, layers: list[Layer]) -> list[AppliedChange]:
    """Undo the topmost layer, the last change first, and return its changes. If a setting cannot be restored, the layer
    is kept on disk and a HostError raised."""
    layer = layers[-1]
    # A second Ctrl-C must not interrupt this. Signals only reach the main thread.
    with uninterrupted() if threading.current_thread() is threading.main_thread() else nullcontext():
        failed = [refusal for change in reversed(layer.changes) if (refusal := _put_back(system, change)) is not None]
        if failed:
            raise HostError(f"some settings were not restored: {'; '.join(failed)}; fix that and run takt tune revert")
        layers.pop()
        store.save(layers)
    return layer.changes[::-1]


def _put_back(system: System, change: AppliedChange) -> str | None:
    """Restore one setting, and return why that failed, or None. A setting that no longer exists counts as restored."""
    try:
        current = change.setting.read(system)
        if current is not None and current != change.before:
            change.setting.write(system, change.before)
            current = change.setting.read(system)
    except OSError as error:
        if change.setting.read(system) in {None, change.before}:
            return None
        return f"{change.setting.label} (was {change.before}): {error.strerror or error}"
    return None if current in {None, change.before} else f"{change.setting.label} is {current}, was {change.before}"


def undo_orphans(system: System, store: Store) -> list[Layer]:
    """Undo the topmost layers whose owner was killed, and return the layers that are left."""
    layers = store.load()
    while layers and layers[-1].owner is not None and not layers[-1].owner.is_alive():
        undo(system, store, layers)
    return layers


def pending(system: System, profile: Profile) -> tuple[list[SettingRow], list[str]]:
    """Return the changes that a profile would make now, as rows, and what the host lacks for it."""
    wanted_plan = plan(system, profile)
    rows = [
        SettingRow(knob=change.knob, setting=change.setting.label, now=current, wanted=change.value)
        for change in wanted_plan.changes
        if (current := change.setting.read(system)) not in {None, change.value}
    ]
    return rows, wanted_plan.lacking


def state_rows(system: System, layer: Layer) -> list[SettingRow]:
    """Return the changes of a layer as rows, each with the setting's current value."""
    rows = []
    for change, row in zip(layer.changes, changed_rows(layer.changes), strict=True):
        current = change.setting.read(system)
        now = {"now": "gone" if current is None else current, "differs": current not in {None, change.wanted}}
        rows.append(msgspec.structs.replace(row, profile=layer.profile, **now))
    return rows


def inside_hints(system: System, applied: Applied) -> list[str]:
    """Return lines that say how programs started from now on get into takt's control group. If there is only a group
    for everything else, which may be limited or denied real-time priorities, they lead out of that one."""
    groups = []
    for change in applied.granted:
        if isinstance(change.setting, Group) and system.exists(change.setting.path):
            place, _, name = change.setting.path.rpartition("/")
            takt_group = f"{place}/{TAKT_GROUP}"
            if name in {TAKT_GROUP, OTHERS_GROUP}:
                groups.append(takt_group if system.exists(takt_group) else place)
        elif isinstance(change.setting, FileValue) and change.setting.path.endswith("/cpu.max"):
            # In version 2 each group below the root is limited, and the root is not.
            place = change.setting.path.rsplit("/", 2)[0]
            takt_group = f"{place}/{TAKT_GROUP}"
            groups.append(takt_group if system.exists(takt_group) else place)
    if not groups:
        return []
    files = " ".join(f"/{path}/cgroup.procs" for path in dict.fromkeys(groups))
    return [f"programs started from now on belong inside: echo $$ | sudo tee {files}"]
