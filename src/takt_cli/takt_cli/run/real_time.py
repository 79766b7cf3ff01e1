# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Real-time settings of the programs that measure communication: all, none, or each alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from takt_cli.errors import UsageError

PARTS = {
    "lock": "memory locked",
    "plan": "FIFO priorities for the threads of application and middleware",
    "affinity": "bound to a CPU",
    "history": "middleware history allocated beforehand",
    "tlsf": "allocator of constant time",
    "awake": "the CPU kept from idle states by a thread at SCHED_IDLE",
}
ALL, NONE, EACH = "all", "none", "each"
# How the plan reaches the middleware's threads: by their names after start, by inheritance from the main thread,
# or through the middleware's XML profile.
BY = ("names", "inherit", "profile")
# The programs go through the names in any case: what was not made with the plan's priority gets it then.
_THEN = ", then names"
_HIGHEST = 98
_LEAST_HISTORY = 16


@dataclass(frozen=True)
class Plan:
    """FIFO priorities; by default those of takt's own plan, below the kernel's interrupt threads."""

    timer: int = 49
    middleware: int = 48
    workers: int = 46

    def __str__(self) -> str:
        return f"timer={self.timer},middleware={self.middleware},workers={self.workers}"


@dataclass(frozen=True)
class RealTime:
    """Which settings are on. `by` says how `plan` reaches the middleware's threads."""

    parts: frozenset[str] = frozenset(PARTS)
    plan: Plan = Plan()
    by: str = BY[0]

    @property
    def label(self) -> str:
        """`rt`, `no rt`, or the settings: `lock+plan`."""
        if not self.parts:
            return "no rt"
        return "rt" if self.parts == set(PARTS) else "+".join(name for name in PARTS if name in self.parts)

    def options(self, cpu: int, depth: int) -> list[str]:
        """As the programs of the lab read them; `cpu`: the one of that process."""
        options = []
        if "lock" in self.parts:
            options.append("--lock-memory")
        if "plan" in self.parts and self.by == "inherit":
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
        """How many samples are allocated beforehand; 0: none."""
        return max(_LEAST_HISTORY, 4 * depth) if "history" in self.parts else 0

    @property
    def in_force(self) -> Plan:
        """The priorities that are meant: inherited, the middleware's threads have that of the workers, and the timer
        is just above."""
        if self.by != "inherit":
            return self.plan
        return Plan(timer=self.plan.workers + 1, middleware=self.plan.workers, workers=self.plan.workers)

    @property
    def profile_priority(self) -> int | None:
        """For the middleware's threads, where its profile is to set it."""
        return self.plan.middleware if "plan" in self.parts and self.by == "profile" else None

    def to_json(self) -> dict[str, Any]:
        asked = [name for name in PARTS if name in self.parts]
        by = self.by if self.by == BY[0] else self.by + _THEN
        plan = {"priorities": vars(self.in_force), "by": by} if "plan" in self.parts else None
        return {"label": self.label, "asked": asked, "plan": plan}


def real_times(text: str, plan: Plan = Plan(), by: str = BY[0]) -> tuple[RealTime, ...]:
    """`all`, `none`, `lock,plan`, or `each`: none, each alone, all. UsageError."""
    if text == EACH:
        sets = [frozenset[str](), *(frozenset({name}) for name in PARTS), frozenset(PARTS)]
        return tuple(RealTime(parts, plan, by) for parts in sets)
    if text in (ALL, NONE):
        return (RealTime(frozenset(PARTS if text == ALL else ()), plan, by),)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in PARTS:
            raise UsageError(
                f"--rt {text}: there is no setting {name!r}; give all, none, each, or of {','.join(PARTS)}"
            )
    return (RealTime(frozenset(names), plan, by),)


def parse_plan(text: str) -> Plan:
    """`timer=80,middleware=79,workers=77`; what is left out stays as it is. UsageError."""
    values = vars(Plan())
    for part in text.split(",") if text else ():
        found = re.fullmatch(r" *(timer|middleware|workers) *= *([0-9]{1,2}) *", part)
        if found is None or not 1 <= int(found[2]) <= _HIGHEST:
            raise UsageError(
                f"--plan {text}: {part.strip()!r} is no priority; give some of timer=P,middleware=P,workers=P "
                f"from 1 to {_HIGHEST}"
            )
        values = values | {found[1]: int(found[2])}
    return Plan(**values)
