# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The result of one check of `takt doctor`: what was found, what it costs, and how to fix it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, total_ordering

import msgspec

from takt_cli.host.system import System
from takt_cli.spec.packaged import packaged


@total_ordering
class Severity(Enum):
    """The severity of a finding, the worst last."""

    fit = "fit"
    note = "note"
    warning = "warning"
    unfit = "unfit"

    def __lt__(self, other: Severity) -> bool:
        order = list(Severity)
        return order.index(self) < order.index(other)


# The command's exit status by its worst finding; 1 and 2 are left to errors and wrong usage, as in every command.
EXIT_STATUS = {Severity.fit: 0, Severity.note: 0, Severity.warning: 3, Severity.unfit: 4}

# /proc/self/uid_map in the initial user namespace: every user is mapped to itself.
_INITIAL_UID_MAP = "0 0 4294967295"


class Finding(msgspec.Struct, frozen=True):
    """The result of one check. `costs` (the consequence) and `mend` (the remedy) are empty if there is no problem."""

    subject: str
    severity: Severity
    found: str
    costs: str = ""
    mend: str = ""


class _Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    severity: Severity
    found: str = "{found}"
    costs: str = ""
    mend: str = ""


def finding(subject: str, case: str, **values: object) -> Finding:
    """Return the finding that `findings.yaml` describes for this case of a subject, with `values` in its texts."""
    known = catalogue()[subject][case]
    subject, found, costs, mend = (text.format(**values) for text in (subject, known.found, known.costs, known.mend))
    return Finding(subject, known.severity, found, costs, mend)


@cache
def catalogue() -> dict[str, dict[str, _Case]]:
    """Return what the checks can find, by subject and case."""
    return packaged(__package__, "findings", dict[str, dict[str, _Case]])


@dataclass(frozen=True)
class ExaminedHost:
    """The host under examination, or a recorded copy of one. `cpus` are the CPUs that real-time work will run on."""

    system: System
    cpus: tuple[int, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def real(self) -> bool:
        """True for a live host, where a check may try something; False for a record, which can only be read."""
        return self.system.real

    @property
    def in_user_namespace(self) -> bool:
        """True if this process's capabilities hold in a user namespace only, as in a rootless container."""
        mapped = (self.system.text("proc/self/uid_map") or _INITIAL_UID_MAP).split()
        return mapped != _INITIAL_UID_MAP.split()

    def boot_options(self) -> dict[str, str]:
        """Return the options on the kernel's command line; the value of an option without one is empty."""
        words = self.system.words("proc/cmdline")
        return {name: value for name, _, value in (word.partition("=") for word in words)}

    def capability(self, number: int) -> bool:
        """Return whether this process has the capability with this number (see capabilities(7)). A capability that
        holds in a user namespace only does not count: it lifts none of the host's limits."""
        effective = int(self.system.table("proc/self/status").get("CapEff", "0"), 16)
        return not self.in_user_namespace and bool(effective >> number & 1)

    def limit(self, name: str) -> int | None:
        """Return the soft limit of this process (a row of /proc/self/limits): -1 if unlimited, None if unknown."""
        for line in self.system.lines("proc/self/limits"):
            if line.startswith(name):
                value = line.removeprefix(name).split()[0]
                return -1 if value == "unlimited" else int(value)
        return None


def worst_severity(findings: list[Finding]) -> Severity:
    """Return the highest severity among the findings."""
    return max((each.severity for each in findings), default=Severity.fit)
