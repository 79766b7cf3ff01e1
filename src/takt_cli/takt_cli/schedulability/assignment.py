# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Search for a priority assignment under which a task set holds.

Source: N. Audsley, "On priority assignment in fixed priority scheduling", Information Processing Letters
79, 2001: from the lowest priority upwards, any task that holds at a priority may have it. R. Davis, A. Burns,
"Improved priority assignment for global fixed priority pre-emptive scheduling in multiprocessor real-time
systems", Real-Time Systems 47, 2011, on the tests that permit this: the result for a task may depend on which
tasks are above and below it, but not on their order.

A task's ceiling by its own group depends on the order of the tasks above it. It is therefore ignored here: a task's
own group does not protect it from preemption. With groups the test is only sufficient, so an existing assignment
may not be found. Refreshes are not modelled here; the caller checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from takt_cli.schedulability.fixed_priority import response
from takt_cli.schedulability.task import Task, TaskSet


def find_priority_ranks(
    tasks: TaskSet, groups: Sequence[int | None], preemptive: bool, preemption: int = 0
) -> list[int] | None:
    """Return the rank of each task, all different, 1 for the least urgent; None if no assignment is found.

    `groups`: the exclusive group of each task, None for none. `preemption`: what a job that may preempt another takes
    longer for it, in ns; that is any job except those of the least urgent task."""
    ranks: dict[int, int] = {}
    # Longest deadline first: if several tasks could have a rank, this is the order that users expect.
    unranked = sorted(range(len(tasks.tasks)), key=lambda i: (-tasks.tasks[i].deadline, -i))
    while unranked:
        lowest = next(
            (
                i
                for i in unranked
                if _holds_lowest(_with_preemption(tasks, preemption, i, ranks), i, ranks, groups, preemptive)
            ),
            None,
        )
        if lowest is None:
            return None
        ranks[lowest] = len(ranks) + 1
        unranked.remove(lowest)
    return [ranks[i] for i in range(len(tasks.tasks))]


def _with_preemption(tasks: TaskSet, preemption: int, index: int, below: dict[int, int]) -> TaskSet:
    """Return the task set with the cost of preemption added to every task that has a less urgent one below it, if
    `index` is the next in rank after those in `below`."""
    if not preemption:
        return tasks
    longer_wcets = [task.wcet + (preemption if below or i != index else 0) for i, task in enumerate(tasks.tasks)]
    return tasks.with_wcets(longer_wcets)


def _holds_lowest(
    tasks: TaskSet, index: int, below: dict[int, int], groups: Sequence[int | None], preemptive: bool
) -> bool:
    """Return whether a task holds if it is less urgent than all tasks that have no rank yet."""
    above = {i for i in range(len(tasks.tasks)) if i not in below and i != index}
    groups_above = {groups[i] for i in (*above, index) if groups[i] is not None}

    def placed(i: int, task: Task) -> Task:
        if not preemptive:
            return replace(task, urgency=_height(i, index, above), level=1, ceiling=1)
        height = _height(i, index, above)
        # A task below blocks this one if a member of its group is at least as urgent as this one.
        ceiling = max(height, 1) if groups[i] in groups_above else height
        return replace(task, urgency=height, level=height, ceiling=ceiling if i in below else height)

    task_set = TaskSet(tuple(placed(i, task) for i, task in enumerate(tasks.tasks)), above=tasks.above)
    deadline = tasks.tasks[index].deadline
    response_bound = response(task_set, index, deadline).response
    return response_bound is not None and response_bound <= deadline


def _height(i: int, index: int, above: set[int]) -> int:
    return 1 if i == index else 2 if i in above else 0
