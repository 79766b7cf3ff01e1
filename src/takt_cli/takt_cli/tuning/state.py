# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The record of former settings, stored on disk before anything is changed so that they can always be restored."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import msgspec

from takt_cli.errors import HostError
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.json_file import encoded
from takt_cli.tuning.control_group import Controllers, Group, Member, Population
from takt_cli.tuning.fair_server import FairServerRuntime
from takt_cli.tuning.queue_discipline import Mount, QueueDiscipline
from takt_cli.tuning.setting import CpuMask, FileValue
from takt_cli.tuning.thread_priority import ThreadPriority

_VERSION = 1
# The record of former settings need not survive a reboot, as no change does.
_FOLDER = "run/takt/tune"


# All settings: each is stored with its kind, by which it is read again.
AnySetting: TypeAlias = (
    FileValue
    | CpuMask
    | Controllers
    | Group
    | Population
    | Member
    | FairServerRuntime
    | ThreadPriority
    | QueueDiscipline
    | Mount
)


class AppliedChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setting with its former value and the value that it was given."""

    knob: str
    setting: AnySetting
    before: str
    wanted: str


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A process, by its ID and start time, which differs for a later process with the same ID."""

    pid: int
    started: int

    @staticmethod
    def this() -> Owner:
        task = THIS_HOST.task(os.getpid())
        return Owner(os.getpid(), task.started if task else 0)

    def is_alive(self) -> bool:
        return THIS_HOST.task(self.pid, self.started) is not None


class Layer(msgspec.Struct, forbid_unknown_fields=True):
    """The changes of one `apply`, in order. `owner` is the process that will undo them, or None if the user will."""

    profile: str
    owner: Owner | None
    changes: list[AppliedChange]
    lacking: list[str]


class _Header(msgspec.Struct, frozen=True):
    schema_version: int
    boot_id: str


class _State(_Header, frozen=True):
    layers: list[Layer]


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
            content = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise HostError(f"{self.file}: {error.strerror}; run as root") from None
        try:
            header = msgspec.json.decode(content, type=_Header)
            if header.schema_version != _VERSION:
                raise HostError(f"{self.file}: was written by another version of takt; revert with that version")
            same_boot = header.boot_id == self._system.boot()
            return msgspec.json.decode(content, type=_State).layers if same_boot else []
        except msgspec.MsgspecError:
            raise HostError(
                f"{self.file}: is not valid; reboot, which restores every setting, then remove the file"
            ) from None

    def save(self, layers: list[Layer]) -> None:
        """Store the layers; they are on disk when this returns."""
        if not layers:
            self.file.unlink(missing_ok=True)
            self._sync_folder()
            return
        partial = self.folder / "state.partial"
        with partial.open("wb") as file:
            file.write(encoded(_State(_VERSION, self._system.boot(), layers)))
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
