# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A priority assignment under which a task set holds, if there is one.

Source: N. Audsley, "On priority assignment in fixed priority scheduling", Information Processing Letters
79, 2001: from the lowest priority up, any task that holds there may have it. R. Davis, A. Burns,
"Improved priority assignment for global fixed priority pre-emptive scheduling in multiprocessor real-time
systems", Real-Time Systems 47, 2011, on which tests allow it: what is asked of a task may depend on which
tasks are above and below it, not on their order.

Hence a task's own group does not keep others from preempting it here (its ceiling would depend on the
order above): with groups the test is sufficient, so an assignment that exists may not be found. Refreshing it leaves to
the caller, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from takt_cli.schedulability.fixed_priority import response
from takt_cli.schedulability.task import Task, TaskSet


def assignment(tasks: TaskSet, groups: Sequence[int | None], preemptive: bool, preemption: int = 0) -> list[int] | None:
    """The rank of each task, 1 for the least urgent, all different; None if none is found. `preemption`: what
    jobs take longer that may preempt another, those of all but the least urgent."""
    ranks: dict[int, int] = {}
    # Longest deadline first: where several could have the place, that is what a person expects.
    left = sorted(range(len(tasks.tasks)), key=lambda i: (-tasks.tasks[i].deadline, -i))
    while left:
        found = next(
            (
                i
                for i in left
                if _holds_lowest(_with_preemption(tasks, preemption, i, ranks), i, ranks, groups, preemptive)
            ),
            None,
        )
        if found is None:
            return None
        ranks[found] = len(ranks) + 1
        left.remove(found)
    return [ranks[i] for i in range(len(tasks.tasks))]


def _with_preemption(tasks: TaskSet, preemption: int, index: int, below: dict[int, int]) -> TaskSet:
    """Where only a task below which there is nobody yet has nobody to preempt."""
    if not preemption:
        return tasks
    longer = [task.wcet + (preemption if below or i != index else 0) for i, task in enumerate(tasks.tasks)]
    return tasks.with_wcets(longer)


def _holds_lowest(
    tasks: TaskSet, index: int, below: dict[int, int], groups: Sequence[int | None], preemptive: bool
) -> bool:
    """Whether a task holds below all that have no rank yet."""
    above = {i for i in range(len(tasks.tasks)) if i not in below and i != index}
    sharing = {groups[i] for i in (*above, index) if groups[i] is not None}

    def placed(i: int, task: Task) -> Task:
        if not preemptive:
            return replace(task, urgency=_height(i, index, above), level=1, ceiling=1)
        height = _height(i, index, above)
        # One below keeps this one waiting if its group has a member that is as urgent or more.
        ceiling = max(height, 1) if groups[i] in sharing else height
        return replace(task, urgency=height, level=height, ceiling=ceiling if i in below else height)

    there = TaskSet(tuple(placed(i, task) for i, task in enumerate(tasks.tasks)), above=tasks.above)
    deadline = tasks.tasks[index].deadline
    found = response(there, index, deadline).response
    return found is not None and found <= deadline


def _height(i: int, index: int, above: set[int]) -> int:
    return 1 if i == index else 2 if i in above else 0
