# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far an answer is from the other one: what could grow, and what would have to change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from takt_cli.schedulability.assignment import assignment
from takt_cli.schedulability.check import Processor, check, check_processor, processors_of
from takt_cli.schedulability.model import Demands, task_set
from takt_cli.schedulability.processor import Outcome, holds_part, parts
from takt_cli.schedulability.refresh import refreshes
from takt_cli.schedulability.sensitivity import Conditions, common_factor, largest_wcet
from takt_cli.schedulability.task import TaskSet
from takt_cli.spec.application import Application, Callback, Node
from takt_cli.spec.application import Task as SpecTask

_MOST_FACTOR = Fraction(1000)
HIGHEST_PRIORITY = 98


@dataclass(frozen=True)
class Room:
    """Of one processor, for all that holds to hold still, or to hold at all."""

    factor: Fraction
    """By which all execution times together may be multiplied; 0 if nothing helps."""
    largest: dict[int, int | None]
    """By task: the longest that it alone may take; None if even nothing would not help."""


def room(application: Application, processor: Processor, demands: Demands) -> Room:
    members = processor.members
    conditions = _conditions(application, members, demands)
    mine = [demands.wcets[task.index] for task in members]
    used = sum((Fraction(c, task.callback.period) for c, task in zip(mine, members, strict=True)), Fraction(0))
    most = min(1 / used, _MOST_FACTOR) if used else _MOST_FACTOR
    largest = {
        task.index: largest_wcet(mine, i, max(task.callback.deadline, mine[i]), conditions)
        for i, task in enumerate(members)
    }
    return Room(common_factor(mine, most, conditions), largest)


def _conditions(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> Conditions:
    def tried(mine: Sequence[int]) -> Demands:
        wcets = list(demands.wcets)
        for task, wcet in zip(members, mine, strict=True):
            wcets[task.index] = wcet
        return replace(demands, wcets=tuple(wcets))

    if refreshes(application, members) or any(task.callback.budget for task in members):
        return [lambda mine: check_processor(application, members, tried(mine)).outcome is Outcome.holds]

    @lru_cache(1)
    def tasks(mine: tuple[int, ...]) -> TaskSet:
        return task_set(application, members, tried(mine))

    def condition(part: int | None) -> Callable[[list[int]], bool]:
        return lambda mine: holds_part(tasks(tuple(mine)), part)

    return [condition(part) for part in parts(task_set(application, members, demands))]


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
