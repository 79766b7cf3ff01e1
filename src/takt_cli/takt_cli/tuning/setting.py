# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Settings: single properties of the host that can be read, changed and restored."""

from __future__ import annotations

from abc import abstractmethod

import msgspec

from takt_cli.host.cpu_list import format_cpus, format_mask, parse_cpus, parse_mask
from takt_cli.host.system import System


class Setting(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A property of the host whose values are strings, so that every setting can be stored, compared and displayed in
    the same way. Writing a value that was read before restores exactly that state; writing it twice does no harm."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The setting's name in output."""

    @abstractmethod
    def read(self, system: System) -> str | None:
        """Return the current value; None if the setting does not exist, or no longer."""

    @abstractmethod
    def write(self, system: System, value: str) -> None:
        """Set the value. Raises an OSError if the kernel refuses."""

    @abstractmethod
    def commands(self, value: str) -> list[str]:
        """Return shell commands that set the value."""


class FileValue(Setting, frozen=True, tag="file"):
    """A file in /proc, /sys or a control group that holds one value; `name` is the label."""

    path: str
    name: str

    @property
    def label(self) -> str:
        return self.name

    def read(self, system: System) -> str | None:
        return system.text(self.path)

    def write(self, system: System, value: str) -> None:
        system.write(self.path, value)

    def commands(self, value: str) -> list[str]:
        return [f"echo {value} > /{self.path.lstrip('/')}"]


class CpuMask(FileValue, frozen=True, tag="mask"):
    """A file that holds a hexadecimal CPU mask of any width. Its values here are lists such as `0-2,5`."""

    def read(self, system: System) -> str | None:
        try:
            return format_cpus(parse_mask(system.text(self.path) or ""))
        except ValueError:
            return None

    def write(self, system: System, value: str) -> None:
        system.write(self.path, format_mask(parse_cpus(value)))

    def commands(self, value: str) -> list[str]:
        return super().commands(format_mask(parse_cpus(value)))
