# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applies a profile and puts back what was."""

from __future__ import annotations

import os
import threading
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from takt_cli.errors import HostError
from takt_cli.host.processes import uninterrupted
from takt_cli.surroundings.isolation import OURS, REST
from takt_cli.tuning.control_group import Group
from takt_cli.tuning.knob import Plan
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import FileValue, Setting
from takt_cli.tuning.state import Changed, Layer, Store, alive
from takt_cli.tuning.system import System


@dataclass
class Applied:
    """What was changed, what was so already, and what the host has not got or refused."""

    profile: str
    changed: list[Changed] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "profile": self.profile,
            "granted": [_told(change) for change in self.changed],
            "as_wanted": self.unchanged,
            "lacking": self.lacking,
        }


def _told(change: Changed) -> dict[str, str]:
    return {
        "knob": change.knob,
        "setting": change.setting.label,
        "before": change.before,
        "now": change.wanted,
    }


def apply(system: System, profile: Profile) -> Applied:
    """In place of what was applied before, if anything was. If it fails, everything is as it was. HostError."""
    store = Store(system)
    with store.locked():
        layers = undo_orphans(system, store)
        if layers and layers[-1].owner is not None:
            raise HostError(f"process {layers[-1].owner['pid']} has tuned this host for a run; wait for its end")
        former = layers[-1] if layers else None
        if former is not None:
            undo(system, store, layers)
        try:
            return push(system, store, layers, profile)
        except BaseException:
            if former is not None:
                store.save([*layers, former])
                for change in former.changes:
                    with suppress(OSError):  # it ended meanwhile
                        change.setting.write(system, change.wanted)
            raise


def revert(system: System) -> list[Changed]:
    """Everything to its first state, the last change first; returns what that was. HostError."""
    store, done = Store(system), []
    with store.locked():
        layers = store.load()
        for layer in layers:
            if layer.owner is not None and alive(layer.owner):
                raise HostError(f"process {layer.owner['pid']} has tuned this host for a run; wait for its end")
        while layers:
            done += undo(system, store, layers)
        store.save([])
    return done


def push(
    system: System,
    store: Store,
    layers: list[Layer],
    profile: Profile,
    owner: dict[str, int] | None = None,
    forgiving: bool = False,
) -> Applied:
    """A new layer on top. A refusal puts back what was changed and is raised as a HostError, or is told if
    `forgiving`."""
    layers.append(Layer(profile.name, owner))
    return extend(system, store, layers, plan(system, profile), forgiving)


def extend(system: System, store: Store, layers: list[Layer], wanted: Plan, forgiving: bool) -> Applied:
    """More changes in the topmost layer. If that fails, the whole layer goes."""
    layer = layers[-1]
    applied = Applied(layer.profile, lacking=list(wanted.lacking))
    coming: list[tuple[Changed, bool]] = []
    for change in wanted.changes:
        before = change.setting.read(system)
        if before is None:
            applied.lacking.append(f"{change.knob}: {change.setting.label} has gone")
        elif before == change.value:
            applied.unchanged.append(f"{change.setting.label}: {change.value}")
        else:
            coming.append((Changed(change.knob, change.setting, before, change.value), change.tentative))
    layer.changes += [each for each, _ in coming]
    layer.lacking = applied.lacking
    store.save(layers)
    try:
        for each, tentative in coming:
            refusal = _change(system, each)
            if refusal is None:
                applied.changed.append(each)
                continue
            if not tentative and not forgiving:
                raise HostError(f"{refusal}; everything is as it was before")
            applied.lacking.append(refusal)
            _put_back(system, each)
            layer.changes.remove(each)
        store.save(layers)
    except BaseException:
        undo(system, store, layers)
        raise
    return applied


def _change(system: System, change: Changed) -> str | None:
    """Why it was refused, if it was; also by a kernel that says yes and does otherwise."""
    setting: Setting = change.setting
    try:
        setting.write(system, change.wanted)
    except OSError as error:
        # Some interrupts stay on their CPU, whoever asks.
        hint = " (run as root)" if isinstance(error, PermissionError) and os.geteuid() != 0 else ""
        return f"{change.knob}: {setting.label}: {change.wanted} was refused: {error.strerror or error}{hint}"
    now = setting.read(system)
    return None if now == change.wanted else f"{change.knob}: {setting.label}: {change.wanted} was asked, {now} is so"


def undo(system: System, store: Store, layers: list[Layer]) -> list[Changed]:
    """The topmost layer, the last change first. What cannot be put back stays written down: HostError."""
    layer = layers[-1]
    # On the main thread a second Ctrl-C waits; elsewhere none comes.
    with uninterrupted() if threading.current_thread() is threading.main_thread() else nullcontext():
        failed = [refusal for change in reversed(layer.changes) if (refusal := _put_back(system, change)) is not None]
        if failed:
            raise HostError(f"not everything could be put back: {'; '.join(failed)}; mend it and run takt tune revert")
        layers.pop()
        store.save(layers)
    return layer.changes[::-1]


def _put_back(system: System, change: Changed) -> str | None:
    """What has gone since need not be put back."""
    try:
        now = change.setting.read(system)
        if now is not None and now != change.before:
            change.setting.write(system, change.before)
            now = change.setting.read(system)
    except OSError as error:
        if change.setting.read(system) in {None, change.before}:
            return None
        return f"{change.setting.label} (was {change.before}): {error.strerror or error}"
    return None if now in {None, change.before} else f"{change.setting.label} is {now}, was {change.before}"


def undo_orphans(system: System, store: Store) -> list[Layer]:
    """The layers that are there, without those of runs that were killed: these are put back."""
    layers = store.load()
    while layers and layers[-1].owner is not None and not alive(layers[-1].owner):
        undo(system, store, layers)
    return layers


def pending(system: System, profile: Profile) -> tuple[list[dict[str, Any]], list[str]]:
    """What a profile would change now, and what the host has not got."""
    wanted = plan(system, profile)
    rows = []
    for change in wanted.changes:
        now = change.setting.read(system)
        if now not in {None, change.value}:
            rows.append({"knob": change.knob, "setting": change.setting.label, "now": now, "wanted": change.value})
    return rows, wanted.lacking


def state_rows(system: System, layer: Layer) -> list[dict[str, Any]]:
    """What a layer changed, and how it is now."""
    rows = []
    for change in layer.changes:
        now = change.setting.read(system)
        rows.append(
            {
                "profile": layer.profile,
                "knob": change.knob,
                "setting": change.setting.label,
                "before": change.before,
                "wanted": change.wanted,
                "now": "gone" if now is None else now,
                "differs": now not in {None, change.wanted},
            }
        )
    return rows


def inside_hints(system: System, applied: Applied) -> list[str]:
    """How what is started from now on gets into takt's groups; where there is but one for the rest, in which a kernel
    may refuse real-time priorities, or every other is limited, out of that."""
    groups = []
    for change in applied.changed:
        if isinstance(change.setting, Group) and system.exists(change.setting.path):
            place, _, name = change.setting.path.rpartition("/")
            ours = f"{place}/{OURS}"
            if name in {OURS, REST}:
                groups.append(ours if system.exists(ours) else place)
        elif isinstance(change.setting, FileValue) and change.setting.path.endswith("/cpu.max"):
            # Version 2 limits each group at the top, and not the root.
            place = change.setting.path.rsplit("/", 2)[0]
            ours = f"{place}/{OURS}"
            groups.append(ours if system.exists(ours) else place)
    if not groups:
        return []
    files = " ".join(f"/{path}/cgroup.procs" for path in dict.fromkeys(groups))
    return [f"programs that start from now on belong inside: echo $$ | sudo tee {files}"]
