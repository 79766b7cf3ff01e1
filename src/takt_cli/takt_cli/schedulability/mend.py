# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Priorities under which an application holds that does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from takt_cli.schedulability.assignment import assignment
from takt_cli.schedulability.check import check, processors_of
from takt_cli.schedulability.model import Demands, task_set
from takt_cli.schedulability.processor import Outcome
from takt_cli.spec.application import Application, Callback, Node
from takt_cli.spec.application import Task as SpecTask

HIGHEST_PRIORITY = 98


def assigned(application: Application, on: tuple[int, ...], demands: Demands) -> Application | None:
    """The application under fixed priorities under which every processor holds, with the priorities set
    that make it so; None if none are found. Preemptive or not as it is."""
    for ranks_of in (_searched, _as_they_are):
        found = _with_ranks(application, on, demands, ranks_of)
        if found is not None and check(found, on, demands).outcome is Outcome.holds:
            return found
    return None


_RanksOf = Callable[[Application, tuple[SpecTask, ...], Demands], list[int] | None]


def _with_ranks(
    application: Application, on: tuple[int, ...], demands: Demands, ranks_of: _RanksOf
) -> Application | None:
    priorities = {task.index: task.callback.priority for task in application.tasks}
    for number in processors_of(on):
        members = tuple(task for task in application.tasks if on[task.index] == number)
        ranks = ranks_of(application, members, demands) if len(members) <= HIGHEST_PRIORITY else None
        if ranks is None:
            return None
        priorities |= {task.index: rank for task, rank in zip(members, ranks, strict=True)}
    preemptive = not application.policy.startswith("np-")
    return with_priorities(application.under("fp" if preemptive else "np-fp"), priorities)


def _searched(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> list[int] | None:
    preemptive = not application.policy.startswith("np-")
    groups = [t.node if application.nodes[t.node].group == "exclusive" else None for t in members]
    # Who preempts, the order says that is looked for.
    costs = demands.costs
    tasks = task_set(application, members, replace(demands, costs=replace(costs, preemption=0)))
    return assignment(tasks, groups, preemptive, costs.preemption if preemptive else 0)


def _as_they_are(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> list[int]:
    """What the search does not see may hold: groups, and who is refreshed."""
    tasks = task_set(application, members, demands).tasks
    order = sorted(range(len(tasks)), key=lambda i: (tasks[i].urgency, -i))
    return [1 + order.index(i) for i in range(len(tasks))]


def with_priorities(application: Application, priorities: dict[int, int]) -> Application:
    numbers = iter(task.index for task in application.tasks)

    def prioritised(callback: Callback) -> Callback:
        return replace(callback, priority=priorities[next(numbers)])

    def node_with(node: Node) -> Node:
        return replace(node, callbacks=tuple(prioritised(callback) for callback in node.callbacks))

    return replace(application, nodes=tuple(node_with(node) for node in application.nodes))
