# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Knobs: each one turns what a profile asks for one aspect of the host into changes of settings. Making and undoing
them is up to the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from takt_cli.host.system import System
from takt_cli.tuning.profile import Profile
from takt_cli.tuning.state import AnySetting


@dataclass(frozen=True)
class Change:
    """A setting and the value that it is to have. If the kernel refuses a `tentative` change, that is reported but is
    not an error. `knob` is the name of the knob that yielded it."""

    setting: AnySetting
    value: str
    tentative: bool = False
    knob: str = ""


@dataclass
class Plan:
    """Changes in the order in which they are made, and what this host lacks, each line beginning with the knob."""

    changes: list[Change] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def commands(self, system: System) -> list[str]:
        """Return the shell commands that make the same changes; settings that are already as wanted are left out."""
        return [
            line
            for change in self.changes
            if change.setting.read(system) != change.value
            for line in change.setting.commands(change.value)
        ]


# The changes that a profile asks of a host, and what the host lacks, as text; nothing if the profile asks for nothing.
Steps: TypeAlias = Iterator[Change | str]
Knob: TypeAlias = Callable[[System, Profile], Steps]
