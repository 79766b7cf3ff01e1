# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The answer for one processor: does its task set hold, by the analysis of its policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

from takt_cli.schedulability import earliest_deadline, fixed_priority
from takt_cli.schedulability.processor_demand import Demand, demand, processor_demand
from takt_cli.schedulability.task import ONCE, Bound, Task, TaskSet, TooLongError, above_all


class Outcome(Enum):
    """In rising order of trouble."""

    holds = "holds"
    """No job misses its deadline, whenever they are released."""
    not_shown = "not shown to hold"
    """A bound is above a deadline: the releases that would reach it may never come."""
    not_analysed = "not analysed"
    fails = "does not hold"
    """Jobs that take their WCETs do miss deadlines."""


WORST = list(Outcome)


@dataclass(frozen=True)
class Answer:
    """Of one task."""

    task: Task
    bound: Bound

    @property
    def outcome(self) -> Outcome:
        if self.bound.response is None:
            return Outcome.not_analysed
        if self.bound.response <= self.task.deadline:
            return Outcome.holds
        return Outcome.fails if self.bound.exact else Outcome.not_shown

    @property
    def reached(self) -> bool:
        """Whether a job's response is as long as the bound, and not skipped instead."""
        return self.bound.response is not None and self.bound.exact and self.bound.response <= self.task.patience

    @property
    def margin(self) -> int | None:
        return None if self.bound.response is None else self.task.deadline - self.bound.response


@dataclass(frozen=True)
class ProcessorAnswer:
    tasks: TaskSet
    answers: tuple[Answer, ...]
    outcome: Outcome
    demand: Demand | None = None
    """Under deadlines."""


def analyse(tasks: TaskSet, refused: dict[int, str] | None = None) -> ProcessorAnswer:
    """`refused`: of which tasks, by their places, nothing can be said, and why."""
    refused = refused or {}
    analysis = earliest_deadline if tasks.by_deadline else fixed_priority
    said = [index for index in range(len(tasks.tasks)) if index not in refused]
    found = dict(zip(said, analysis.responses(tasks, said) if said else [], strict=True))
    bounds = [found.get(index) or Bound(None, why=refused[index]) for index in range(len(tasks.tasks))]
    if not tasks.by_deadline:
        bounds = _if_nothing_is_skipped(tasks, bounds)
    answers = tuple(Answer(task, bound) for task, bound in zip(tasks.tasks, bounds, strict=True))
    outcome = max((answer.outcome for answer in answers), key=WORST.index, default=Outcome.holds)
    due = None
    if tasks.by_deadline and tasks.tasks:
        outcome, due = _by_demand(tasks, outcome, bool(refused))
    if tasks.utilisation > 1:
        outcome = Outcome.fails
    return ProcessorAnswer(tasks, answers, outcome, due)


def holds(tasks: TaskSet) -> bool:
    """The same in short: whether it is shown that every deadline is met."""
    if tasks.utilisation > 1:
        return False
    if not tasks.by_deadline:
        found = fixed_priority.FixedPriorities(tasks)
        return all(found.in_time(index) for index in found.least_urgent_first)
    try:
        return processor_demand(tasks).fits
    except TooLongError:
        return False


def disturbed(tasks: TaskSet, index: int, taken: int) -> int | None:
    """The bound of one task's responses where others take `taken` ns of the processor, once and at any time."""
    there = replace(tasks, above=(*tasks.above, above_all("others", ONCE, taken)))
    if tasks.by_deadline:
        return earliest_deadline.response(there, index).response
    return fixed_priority.response(there, index).response


def _if_nothing_is_skipped(tasks: TaskSet, bounds: list[Bound]) -> list[Bound]:
    """Where releases of what goes before it may be skipped, there may be less to wait for than the analysis
    counts."""
    whole = {
        index: bound.response is not None and bound.response <= task.patience
        for index, (task, bound) in enumerate(zip(tasks.tasks, bounds, strict=True))
    }
    skipped = Counter(tasks.tasks[index].urgency for index, each in whole.items() if not each)
    most = max(skipped, default=None)

    def surely(index: int) -> Bound:
        bound, mine = bounds[index], tasks.tasks[index].urgency
        others = most is not None and (most > mine or skipped[mine] > (not whole[index]))
        if bound.exact and others:
            return Bound(bound.response, False, bound.blocking, bound.blocker)
        return bound

    return [surely(index) for index in range(len(bounds))]


def _by_demand(tasks: TaskSet, by_responses: Outcome, refused: bool) -> tuple[Outcome, Demand | None]:
    try:
        due = processor_demand(tasks)
    except TooLongError:
        return by_responses, None
    if due.fits:
        return (Outcome.not_analysed if refused else Outcome.holds), due
    together = len({(t.phase, t.jitter) for t in tasks.everything}) == 1 and not tasks.tasks[0].jitter
    sure = due.overloaded or (
        together and not refused and due.length is not None and demand(tasks, due.length) > due.length
    )
    return (Outcome.fails if sure else max(Outcome.not_shown, by_responses, key=WORST.index)), due
