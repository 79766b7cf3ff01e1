# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""From an application to what is analysed: the task set of each processor, as takt would schedule it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from takt_cli.schedulability.levels import ceilings_of, levels_of
from takt_cli.schedulability.task import ONCE, Task, TaskSet, above_all
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask

_MS = 1_000_000


@dataclass(frozen=True)
class Costs:
    """What there is beside the callbacks' own work, in nanoseconds."""

    job: int = 0
    """Of each job: release, decision, start and end."""
    preemption: int = 0
    """Of each time that a job preempts another, both ways."""
    section: int = 0
    """The longest middleware section: of the jobs that read or publish."""
    jitter: int = 0
    """How late a release may come to the scheduler."""
    release: int = 0
    """Of each release of any task, from whoever has the processor: of the thread that keeps the time."""
    others: int = 0
    """Of each millisecond: what threads take that run no jobs and are above those that do."""
    burst: int = 0
    """The longest that one of them runs at once, which comes so seldom that it is counted once."""


@dataclass(frozen=True)
class Demands:
    """How long jobs take: by task, in the order of the spec."""

    wcets: tuple[int, ...]
    costs: Costs = field(default_factory=Costs)
    suspended: frozenset[int] = frozenset()
    """Tasks that have no jobs, but their places among the levels and their groups' ceilings all the same."""


def refusal(application: Application) -> str | None:
    """Why an application is outside all analyses, if it is."""
    if application.policy in {"fifo", "ros"}:
        return f"there is no analysis of the policy {application.policy}: give --policy fp, rm, dm, edf or an np- form"
    return None


def task_set(application: Application, members: Sequence[SpecTask], demands: Demands) -> TaskSet:
    """The tasks of one processor, under a policy that is not refused."""
    policy = application.policy.removeprefix("np-")
    there = [*members, *(task for task in application.tasks if task.index in demands.suspended)]
    urgencies = [_urgency(policy, task) for task in there]
    if application.policy.startswith("np-"):
        levels = ceilings = [1] * len(there)
    else:
        levels = levels_of(urgencies)
        exclusive = [t.node if application.nodes[t.node].group == "exclusive" else None for t in there]
        ceilings = ceilings_of(levels, exclusive)
    urgencies, levels, ceilings = (each[: len(members)] for each in (urgencies, levels, ceilings))
    lowest = min(ceilings, default=1)
    costs = demands.costs
    return TaskSet(
        tuple(
            Task(
                name=task.id,
                period=task.callback.period,
                deadline=task.callback.deadline,
                # One that preempts pays for both switches.
                wcet=demands.wcets[task.index] + costs.job + (costs.preemption if level > lowest else 0),
                urgency=urgency,
                level=level,
                ceiling=ceiling,
                jitter=costs.jitter,
                section=costs.section if task.callback.reads or task.callback.publishes else 0,
                phase=task.callback.phase,
                queue=task.callback.queue,
            )
            for task, urgency, level, ceiling in zip(members, urgencies, levels, ceilings, strict=True)
        ),
        by_deadline=policy == "edf",
        above=_above(members, costs),
    )


def _above(members: Sequence[SpecTask], costs: Costs) -> tuple[Task, ...]:
    """Source: K. Jeffay, D. Stone, "Accounting for interrupt handling costs in dynamic priority task
    systems", RTSS 1993: what comes above all jobs is work more urgent than any, also where it is for one
    that is less urgent."""
    found = []
    if costs.release:
        found += [above_all(f"releases of {task.id}", task.callback.period, costs.release) for task in members]
    if costs.others:
        found.append(above_all("threads that run no jobs", _MS, costs.others))
    if costs.burst:
        found.append(above_all("the longest of them", ONCE, costs.burst))
    return tuple(found)


def declared(application: Application) -> tuple[int, ...]:
    """The WCETs of the spec, of its overload where that is longer."""
    factor = Fraction(str(max(1.0, application.overload.factor if application.overload else 1.0)))
    return tuple(math.ceil(task.callback.wcet * factor) for task in application.tasks)


def _urgency(policy: str, task: SpecTask) -> int:
    """As the policies of the model rank tasks; the higher goes first."""
    if policy == "fp":
        return task.callback.priority
    return -(task.callback.period if policy == "rm" else task.callback.deadline)
