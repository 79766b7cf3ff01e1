# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The factor by which the execution times of a processor's tasks may grow, or must shrink, for all deadlines to be
met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from random import Random

from takt_cli.schedulability.check import Processor, check_processor, longest_foreground_wcet, not_refreshed
from takt_cli.schedulability.deadline_growth import DeadlineGrowth
from takt_cli.schedulability.fixed_priority import FixedPriorities
from takt_cli.schedulability.model import Demands, task_set
from takt_cli.schedulability.priority_growth import PriorityGrowth
from takt_cli.schedulability.processor import Outcome, holds
from takt_cli.schedulability.refresh import refreshes
from takt_cli.schedulability.sensitivity import common_factor, largest_that_holds, scaled_wcet
from takt_cli.schedulability.shares import Shares
from takt_cli.schedulability.task import TaskSet, utilisation_of
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask

_MOST_FACTOR = Fraction(1000)


@dataclass(frozen=True)
class WcetLimits:
    """The limits of one processor's execution times within which it holds."""

    factor: Fraction
    """The factor by which all execution times together may be multiplied; 0 if no factor helps."""
    largest: dict[int, int | None]
    """The longest time that each task's jobs may take, in ns, by the task's index, while the other tasks stay as they
    are; None if the processor would not hold with 0 either."""


def wcet_limits(application: Application, processor: Processor, demands: Demands) -> WcetLimits:
    """Return the limits within which one processor holds."""
    members = processor.members
    # Skipping for old data makes bounds impossible however long jobs take. It matters here where there are budgets.
    budgets = any(task.callback.budget for task in members)
    if refreshes(application, members) or (budgets and not_refreshed(application, members)):
        return _limits_by_complete_checks(application, members, demands)
    tasks = task_set(application, members, demands)
    wcets = [demands.wcets[task.index] for task in members]
    added = [task.wcet - wcet for task, wcet in zip(tasks.tasks, wcets, strict=True)]
    # A task that exceeds its budget continues at background priority, where it has no bound.
    foreground = [longest_foreground_wcet(application, task) for task in members]
    used_up = {i for i, (task, most) in enumerate(zip(tasks.tasks, foreground, strict=True)) if most < task.wcet}
    growth = DeadlineGrowth(tasks) if tasks.by_deadline else PriorityGrowth(tasks)

    def largest_of(index: int) -> int | None:
        if used_up - {index}:
            return None
        upper_limit = min(_longest_wcet_tried(members[index], wcets[index]) + added[index], foreground[index])
        longest = growth.largest(index, added[index], upper_limit)
        return None if longest is None else longest - added[index]

    return WcetLimits(
        common_factor(_largest_factor_tried(members, wcets), _conditions(tasks, wcets, added, foreground)),
        {task.index: largest_of(i) for i, task in enumerate(members)},
    )


def _longest_wcet_tried(task: SpecTask, wcet: int) -> int:
    return max(task.callback.deadline, wcet)


def _largest_factor_tried(members: Sequence[SpecTask], wcets: Sequence[int]) -> Fraction:
    utilisation = utilisation_of((wcet, task.callback.period) for wcet, task in zip(wcets, members, strict=True))
    return min(1 / utilisation, _MOST_FACTOR) if utilisation else _MOST_FACTOR


def _limits_by_complete_checks(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> WcetLimits:
    """Return the limits by complete checks, where a task's work also counts for others and the set of these depends on
    all work, or where bounds are impossible for further reasons."""
    wcets = [demands.wcets[task.index] for task in members]

    def holds_with(wcets: Sequence[int]) -> bool:
        all_wcets = list(demands.wcets)
        for task, wcet in zip(members, wcets, strict=True):
            all_wcets[task.index] = wcet
        answer = check_processor(application, members, replace(demands, wcets=tuple(all_wcets)))
        return answer.outcome is Outcome.holds

    def largest_of(index: int) -> int | None:
        upper_limit = _longest_wcet_tried(members[index], wcets[index])

        def tried(wcet: int) -> int | None:
            return upper_limit if holds_with([*wcets[:index], wcet, *wcets[index + 1 :]]) else None

        longest = upper_limit if tried(upper_limit) else largest_that_holds(-1, upper_limit - 1, tried)
        return None if longest < 0 else longest

    return WcetLimits(
        common_factor(
            _largest_factor_tried(members, wcets),
            [lambda steps: holds_with([scaled_wcet(wcet, steps) for wcet in wcets])],
        ),
        {task.index: largest_of(i) for i, task in enumerate(members)},
    )


def _conditions(
    tasks: TaskSet, wcets: Sequence[int], added: Sequence[int], budgets: Sequence[int]
) -> list[Callable[[int], bool]]:
    """Return the conditions, by steps of the common factor, that must hold if all execution times are multiplied."""

    shares = Shares(tasks)

    def at(steps: int) -> list[int]:
        return [scaled_wcet(wcet, steps) + more for wcet, more in zip(wcets, added, strict=True)]

    def fits(steps: int) -> bool:
        wcets = at(steps)
        within_budgets = all(wcet <= most for wcet, most in zip(wcets, budgets, strict=True))
        return within_budgets and shares.with_wcets(wcets).all <= shares.whole_processor

    if tasks.by_deadline:
        return [fits, lambda steps: holds(tasks.with_wcets(at(steps)))]
    priorities = FixedPriorities(tasks)
    priorities_with = lru_cache(4)(lambda steps: priorities.with_wcets(at(steps)))

    def in_time(index: int) -> Callable[[int], bool]:
        return lambda steps: priorities_with(steps).in_time(index)

    # In random order, since in a sorted one each condition might allow a little less than the one before.
    order = priorities.least_urgent_first
    Random(0).shuffle(order)
    return [fits, *map(in_time, order)]
