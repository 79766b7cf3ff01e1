# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A knob: what a profile asks of one side of the host, as changes of settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from takt_cli.tuning.profile import Profile
from takt_cli.tuning.setting import Setting
from takt_cli.tuning.system import System


@dataclass(frozen=True)
class Change:
    """What a setting is to be. The kernel may refuse a `tentative` one: there it is told, not a fault."""

    knob: str
    setting: Setting
    value: str
    tentative: bool = False


@dataclass
class Plan:
    """What to change, in this order, and what the host has not got, said per knob."""

    changes: list[Change] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def commands(self, system: System) -> list[str]:
        """For a shell; what is already as wanted is left out."""
        return [
            line
            for change in self.changes
            if change.setting.read(system) != change.value
            for line in change.setting.commands(change.value)
        ]


class Knob(Protocol):
    """Looks at the host and plans; it changes nothing. Settings do, and put back."""

    name: str

    def plan(self, system: System, profile: Profile) -> Plan:
        """Nothing where the profile does not ask for anything."""
        ...
