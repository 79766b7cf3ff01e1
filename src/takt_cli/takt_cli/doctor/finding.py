# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One thing that was looked at: how it is, what that costs, what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import Any

from takt_cli.tuning.system import System


class Severity(IntEnum):
    """The greater, the worse."""

    fit = 0
    note = 1
    warning = 2
    unfit = 3


# Of the command; 1 and 2 are those of errors and of wrong usage.
EXIT_STATUS = {Severity.fit: 0, Severity.note: 0, Severity.warning: 3, Severity.unfit: 4}

# How the first user namespace maps users: to themselves.
_EVERYBODY = "0 0 4294967295"


@dataclass(frozen=True)
class Finding:
    """`costs` and `mend` are empty where all is well."""

    subject: str
    severity: Severity
    found: str
    costs: str = ""
    mend: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"severity": self.severity.name}


@dataclass(frozen=True)
class Patient:
    """The host that is looked at, or the record of one; `cpus` are those that real-time work will run on."""

    system: System
    cpus: tuple[int, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def real(self) -> bool:
        """Whether something can be tried, not only read."""
        return str(self.system.root) == "/"

    @property
    def in_user_namespace(self) -> bool:
        """Whether this process has its rights in a user namespace of its own, as in a rootless container."""
        mapped = (self.system.text("proc/self/uid_map") or _EVERYBODY).split()
        return mapped != _EVERYBODY.split()

    def boot_options(self) -> dict[str, str]:
        """Of the kernel's command line; an option without a value is empty."""
        words = (self.system.text("proc/cmdline") or "").split()
        return {name: value for name, _, value in (word.partition("=") for word in words)}

    def capability(self, number: int) -> bool:
        """Whether this process has it (see capabilities(7)). One that holds in a user namespace alone lifts no limit
        of the host."""
        if self.in_user_namespace:
            return False
        for line in (self.system.text("proc/self/status") or "").splitlines():
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) >> number & 1)
        return False

    def limit(self, name: str) -> int | None:
        """The soft limit of this process; -1 is without bound, None is not known."""
        for line in (self.system.text("proc/self/limits") or "").splitlines():
            if line.startswith(name):
                value = line.removeprefix(name).split()[0]
                return -1 if value == "unlimited" else int(value)
        return None


def worst(findings: list[Finding]) -> Severity:
    return max((finding.severity for finding in findings), default=Severity.fit)
