# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The record of former settings, stored on disk before anything is changed so that they can always be restored."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from takt_cli.errors import HostError
from takt_cli.host.system import THIS_HOST, System
from takt_cli.tuning.setting import Setting, setting_from_json

_VERSION = 1
# The record of former settings need not survive a reboot, as no change does.
_FOLDER = "run/takt/tune"


@dataclass(frozen=True)
class AppliedChange:
    """A setting with its former value and the value that it was given."""

    knob: str
    setting: Setting
    before: str
    applied_value: str

    def to_json(self) -> dict[str, Any]:
        return {
            "knob": self.knob,
            "setting": self.setting.to_json(),
            "before": self.before,
            "wanted": self.applied_value,
        }


@dataclass
class Layer:
    """The changes of one `apply`, in order. `owner` is the process that will undo them, or None if the user will."""

    profile: str
    owner: dict[str, int] | None = None
    changes: list[AppliedChange] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "profile": self.profile,
            "owner": self.owner,
            "changes": [change.to_json() for change in self.changes],
            "lacking": self.lacking,
        }


class Store:
    """The layers of changes on this host, stored in a folder that one process at a time may use."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.folder = system.path(_FOLDER)
        self.file = self.folder / "state.json"

    @contextmanager
    def locked(self, wait: bool = False) -> Iterator[None]:
        """Hold the folder's lock. Raises a HostError if the folder cannot be written, or if another process holds the
        lock and `wait` is false."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise HostError(
                f"{self.folder}: {error.strerror}: the host's former settings must be stored there before anything "
                "is changed; run as root, or see the commands with --dry-run"
            ) from None
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise HostError(f"{self.folder}: another takt is tuning this host right now; try again") from None
            yield
        finally:
            os.close(descriptor)

    def load(self) -> list[Layer]:
        """Return the layers, the oldest first; none if nothing is applied. Layers from before a reboot are dropped:
        the reboot has undone them. Raises a HostError if the file cannot be read."""
        try:
            text = self.file.read_text("utf-8")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise HostError(f"{self.file}: {error.strerror}; run as root") from None
        try:
            data = json.loads(text)
            if data["schema_version"] != _VERSION:
                raise HostError(f"{self.file}: was written by another version of takt; revert with that version")
            if data["boot_id"] != self._system.boot():
                return []
            return [_layer(each) for each in data["layers"]]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise HostError(
                f"{self.file}: is not valid; reboot, which restores every setting, then remove the file"
            ) from None

    def save(self, layers: list[Layer]) -> None:
        """Store the layers; they are on disk when this returns."""
        if not layers:
            self.file.unlink(missing_ok=True)
            self._sync_folder()
            return
        data = {
            "schema_version": _VERSION,
            "boot_id": self._system.boot(),
            "layers": [layer.to_json() for layer in layers],
        }
        partial = self.folder / "state.partial"
        with partial.open("w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.file)
        self._sync_folder()

    def _sync_folder(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _layer(data: dict[str, Any]) -> Layer:
    changes = [
        AppliedChange(each["knob"], setting_from_json(each["setting"]), each["before"], each["wanted"])
        for each in data["changes"]
    ]
    return Layer(data["profile"], data["owner"], changes, data["lacking"])


def owner_now() -> dict[str, int]:
    """Identify this process by its ID and start time, which differs for a later process with the same ID."""
    task = THIS_HOST.task(os.getpid())
    return {"pid": os.getpid(), "started": task.started if task else 0}


def owner_is_alive(owner: dict[str, int]) -> bool:
    """Return whether the process that owns a layer is still running."""
    task = THIS_HOST.task(owner["pid"])
    return task is not None and task.started == owner["started"]
