# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Translation of an application into the task set of each processor that is analysed, as takt would schedule it."""

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
    """Costs beside the callbacks' own execution times, in nanoseconds."""

    job: int = 0
    """Per job: its release, the scheduling decision, its start and its end."""
    preemption: int = 0
    """Per preemption of one job by another: both context switches."""
    section: int = 0
    """The longest middleware section of jobs that read or publish."""
    jitter: int = 0
    """Release jitter: the longest delay until the scheduler notices a release."""
    release: int = 0
    """Per release of any task: time that the thread which makes the releases takes from the running job."""
    others: int = 0
    """Per millisecond: time used by threads that run no jobs and have a higher priority than those that do."""
    burst: int = 0
    """The longest uninterrupted turn of one of these threads. It is so rare that it is counted only once."""


@dataclass(frozen=True)
class Demands:
    """The execution times of jobs: one per task, in the order of the spec, and the costs beside it."""

    wcets: tuple[int, ...]
    costs: Costs = field(default_factory=Costs)
    suspended: frozenset[int] = frozenset()
    """Tasks that release no jobs, but keep their preemption levels and count in the ceilings of their groups."""


def refusal(application: Application) -> str | None:
    """Return why none of the analyses applies to an application, or None if one does."""
    if application.policy in {"fifo", "ros"}:
        return f"there is no analysis of the policy {application.policy}: give --policy fp, rm, dm, edf or an np- form"
    return None


def task_set(application: Application, members: Sequence[SpecTask], demands: Demands) -> TaskSet:
    """Return the tasks of one processor as they are analysed. The policy must not be one that `refusal` rejects."""
    policy = application.policy.removeprefix("np-")
    present_tasks = [*members, *(task for task in application.tasks if task.index in demands.suspended)]
    urgencies = [_urgency(policy, task) for task in present_tasks]
    if application.policy.startswith("np-"):
        levels = ceilings = [1] * len(present_tasks)
    else:
        levels = levels_of(urgencies)
        exclusive = [t.node if application.nodes[t.node].group == "exclusive" else None for t in present_tasks]
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
                # A job that can preempt is charged for both context switches of that preemption.
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
    """Return what runs above all jobs, as tasks that are more urgent than any other, even when it serves a less
    urgent task.

    Source: K. Jeffay, D. Stone, "Accounting for interrupt handling costs in dynamic priority task systems",
    RTSS 1993."""
    tasks = []
    if costs.release:
        tasks += [above_all(f"releases of {task.id}", task.callback.period, costs.release) for task in members]
    if costs.others:
        tasks.append(above_all("threads that run no jobs", _MS, costs.others))
    if costs.burst:
        tasks.append(above_all("the longest turn of one of these threads", ONCE, costs.burst))
    return tuple(tasks)


def declared_wcets(application: Application) -> tuple[int, ...]:
    """Return the WCETs of the spec in ns, per task, multiplied by the overload's factor where that is above 1."""
    factor = Fraction(str(max(1.0, application.overload.factor if application.overload else 1.0)))
    return tuple(math.ceil(task.callback.wcet * factor) for task in application.tasks)


def _urgency(policy: str, task: SpecTask) -> int:
    """Return the urgency by which the policy ranks the task; higher values go first."""
    if policy == "fp":
        return task.callback.priority
    return -(task.callback.period if policy == "rm" else task.callback.deadline)
