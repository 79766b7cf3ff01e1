# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Search for priorities that make an application schedulable that is not schedulable as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from msgspec import structs

from takt_cli.schedulability.assignment import find_priority_ranks
from takt_cli.schedulability.check import check, processors_of
from takt_cli.schedulability.model import Demands, task_set
from takt_cli.schedulability.processor import Outcome
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask

HIGHEST_PRIORITY = 98


def with_assigned_priorities(
    application: Application, processor_of_task: tuple[int, ...], demands: Demands
) -> Application | None:
    """Return the application under fixed priorities with which every processor holds; None if none are found. It is
    preemptive if the given application is."""
    for ranks_of in (_ranks_by_search, _ranks_by_present_order):
        assigned = _with_ranks(application, processor_of_task, demands, ranks_of)
        if assigned is not None and check(assigned, processor_of_task, demands).outcome is Outcome.holds:
            return assigned
    return None


_RanksOf = Callable[[Application, tuple[SpecTask, ...], Demands], list[int] | None]


def _with_ranks(
    application: Application, processor_of_task: tuple[int, ...], demands: Demands, ranks_of: _RanksOf
) -> Application | None:
    priorities = {task.index: task.callback.priority for task in application.tasks}
    for number in processors_of(processor_of_task):
        members = tuple(task for task in application.tasks if processor_of_task[task.index] == number)
        ranks = ranks_of(application, members, demands) if len(members) <= HIGHEST_PRIORITY else None
        if ranks is None:
            return None
        priorities |= {task.index: rank for task, rank in zip(members, ranks, strict=True)}
    preemptive = not application.policy.startswith("np-")
    assigned = {
        task.index: structs.replace(task.callback, priority=priorities[task.index]) for task in application.tasks
    }
    return application.under("fp" if preemptive else "np-fp").with_callbacks(assigned)


def _ranks_by_search(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> list[int] | None:
    preemptive = not application.policy.startswith("np-")
    groups = [t.node if application.nodes[t.node].group == "exclusive" else None for t in members]
    # The cost of preemption depends on the order that is searched for, so `find_priority_ranks` adds it.
    costs = demands.costs
    tasks = task_set(application, members, replace(demands, costs=replace(costs, preemption=0)))
    return find_priority_ranks(tasks, groups, preemptive, costs.preemption if preemptive else 0)


def _ranks_by_present_order(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> list[int]:
    """Return the ranks by the present order. It may hold although the search finds nothing, since the search does not
    model groups exactly, nor refreshes."""
    tasks = task_set(application, members, demands).tasks
    order = sorted(range(len(tasks)), key=lambda i: (tasks[i].urgency, -i))
    return [1 + order.index(i) for i in range(len(tasks))]
