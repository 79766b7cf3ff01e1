# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Real-time settings of the programs that measure communication: all of them, none, or a selection."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import msgspec

from takt_cli.errors import UsageError

PARTS = {
    "lock": "memory locked",
    "plan": "FIFO priorities for the threads of application and middleware",
    "affinity": "bound to a CPU",
    "history": "middleware history preallocated",
    "tlsf": "constant-time allocator (TLSF)",
    "awake": "the CPU kept out of idle states by a SCHED_IDLE thread",
}
ALL, NONE, EACH = "all", "none", "each"
# How middleware threads get their priorities: found by name after they start, inherited from the main thread, or set
# in the middleware's XML profile.
BY = ("names", "inherit", "profile")
# In every case the programs also look for the threads by name, for those that did not get their priority otherwise.
_THEN_BY_NAME = ", then names"
_HIGHEST = 98
_LEAST_HISTORY = 16


@dataclass(frozen=True)
class Plan:
    """FIFO priorities of the threads; the defaults are those of takt, below the kernel's interrupt threads."""

    timer: int = 49
    middleware: int = 48
    workers: int = 46

    def __str__(self) -> str:
        return f"timer={self.timer},middleware={self.middleware},workers={self.workers}"


@dataclass(frozen=True)
class RealTime:
    """The settings that are on. `priority_method` says how middleware threads get the priorities of `plan`."""

    # By a function, because the order of a set's members, which a schema would show, changes with each start.
    parts: frozenset[str] = field(default_factory=lambda: frozenset(PARTS))
    plan: Plan = Plan()
    priority_method: str = BY[0]

    @property
    def label(self) -> str:
        """A short name: `rt` for all settings, `no rt` for none, else the settings, such as `lock+plan`."""
        if not self.parts:
            return "no rt"
        return "rt" if self.parts == set(PARTS) else "+".join(self.requested)

    @property
    def requested(self) -> list[str]:
        """The settings that are on, in the order of `PARTS`."""
        return [name for name in PARTS if name in self.parts]

    def options(self, cpu: int, depth: int) -> list[str]:
        """Return the command-line options of the lab's programs; `cpu` is the process's CPU."""
        options = []
        if "lock" in self.parts:
            options.append("--lock-memory")
        if "plan" in self.parts and self.priority_method == "inherit":
            options += ["--inherit", str(self.plan.workers)]
        elif "plan" in self.parts:
            options += ["--plan", str(self.plan)]
        if "affinity" in self.parts:
            options += ["--cpu", str(cpu)]
        if "history" in self.parts:
            options += ["--history", str(self.history(depth))]
        if "tlsf" in self.parts:
            options += ["--allocator", "tlsf"]
        if "awake" in self.parts:
            options.append("--awake")
        return options

    def history(self, depth: int) -> int:
        """Return the number of samples that are preallocated; 0 for none."""
        return max(_LEAST_HISTORY, 4 * depth) if "history" in self.parts else 0

    @property
    def in_force(self) -> Plan:
        """The priorities that threads will have. With inheritance, middleware threads have that of the workers, and the
        timer thread is just above."""
        if self.priority_method != "inherit":
            return self.plan
        return Plan(timer=self.plan.workers + 1, middleware=self.plan.workers, workers=self.plan.workers)

    @property
    def profile_priority(self) -> int | None:
        """The priority that the middleware's profile sets for its threads, or None."""
        return self.plan.middleware if "plan" in self.parts and self.priority_method == "profile" else None

    def applied(self, lacking: list[str]) -> AppliedRealTime:
        """Return these settings as they are applied, with a line for each that is not."""
        method = self.priority_method if self.priority_method == BY[0] else self.priority_method + _THEN_BY_NAME
        plan = AppliedPlan(self.in_force, method) if "plan" in self.parts else None
        return AppliedRealTime(self.label, self.requested, plan, lacking)


class AppliedPlan(msgspec.Struct, frozen=True):
    """The priorities that threads get, and how."""

    priorities: Plan
    by: str


class AppliedRealTime(msgspec.Struct, frozen=True):
    """Real-time settings as they were applied, with a line for each that cannot be."""

    label: str
    asked: list[str]
    plan: AppliedPlan | None
    lacking: list[str]


def parse_real_times(text: str, plan: Plan = Plan(), priority_method: str = BY[0]) -> tuple[RealTime, ...]:
    """Parse a selection such as `all`, `none`, `lock,plan`, or `each` (none, each setting alone, and all). Raises a
    UsageError."""
    if text == EACH:
        sets = [frozenset[str](), *(frozenset({name}) for name in PARTS), frozenset(PARTS)]
        return tuple(RealTime(parts, plan, priority_method) for parts in sets)
    if text in (ALL, NONE):
        return (RealTime(frozenset(PARTS if text == ALL else ()), plan, priority_method),)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in PARTS:
            raise UsageError(
                f"--rt {text}: there is no setting {name!r}; give all, none, each, or some of {','.join(PARTS)}"
            )
    return (RealTime(frozenset(names), plan, priority_method),)


def parse_plan(text: str) -> Plan:
    """Parse priorities such as `timer=80,middleware=79,workers=77`; others keep their defaults. Raises a UsageError."""
    values = vars(Plan())
    for part in text.split(",") if text else ():
        match = re.fullmatch(r" *(timer|middleware|workers) *= *([0-9]{1,2}) *", part)
        if match is None or not 1 <= int(match[2]) <= _HIGHEST:
            raise UsageError(
                f"--plan {text}: {part.strip()!r} is not a priority; give some of timer=P,middleware=P,workers=P "
                f"from 1 to {_HIGHEST}"
            )
        values = values | {match[1]: int(match[2])}
    return Plan(**values)
