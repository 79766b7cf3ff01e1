# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One thing of the host that can be read, changed and put back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from takt_cli.tuning.system import System, format_cpus, mask_of, parse_cpus

_KINDS: dict[str, type[Setting]] = {}


class Setting(ABC):
    """Values are texts, so that all can be written down, compared and shown alike. Writing the value that
    was read before puts back exactly what was; writing it twice does no harm."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        _KINDS[cls.kind] = cls

    @property
    @abstractmethod
    def label(self) -> str:
        """What a person calls it."""

    @abstractmethod
    def read(self, system: System) -> str | None:
        """Its value now; None if there is no such thing, or no longer."""

    @abstractmethod
    def write(self, system: System, value: str) -> None:
        """Changes it. OSError where the kernel refuses."""

    @abstractmethod
    def commands(self, value: str) -> list[str]:
        """The same for a shell."""

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}  # type: ignore[call-overload]


def setting_from_json(data: dict[str, Any]) -> Setting:
    """What to_json() wrote; KeyError or TypeError if it did not."""
    fields = dict(data)
    return _KINDS[fields.pop("kind")](**fields)


@dataclass(frozen=True)
class FileValue(Setting):
    """A file of /proc, /sys or a control group that holds one value."""

    kind: ClassVar[str] = "file"
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


@dataclass(frozen=True)
class CpuMask(FileValue):
    """A file that holds a mask of CPUs, however many digits the kernel writes; its values are lists: `0-2,5`."""

    kind: ClassVar[str] = "mask"

    def read(self, system: System) -> str | None:
        text = system.text(self.path)
        try:
            bits = int((text or "").replace(",", ""), 16)
        except ValueError:
            return None
        return format_cpus([cpu for cpu in range(bits.bit_length()) if bits >> cpu & 1])

    def write(self, system: System, value: str) -> None:
        system.write(self.path, mask_of(parse_cpus(value)))

    def commands(self, value: str) -> list[str]:
        return super().commands(mask_of(parse_cpus(value)))
