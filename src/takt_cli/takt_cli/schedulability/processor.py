# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The answer for one processor: whether its task set holds, by the analysis of its policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

from takt_cli.schedulability import earliest_deadline, fixed_priority
from takt_cli.schedulability.processor_demand import Demand, demand, processor_demand
from takt_cli.schedulability.task import ONCE, Bound, Task, TaskSet, TooLongError, above_all


class Outcome(Enum):
    """The answer of a check, in rising order of severity."""

    holds = "holds"
    """No job misses its deadline, whatever the phases of the releases."""
    not_shown = "not shown to hold"
    """A bound is above a deadline, but the releases that would reach the bound may never occur."""
    not_analysed = "not analysed"
    fails = "does not hold"
    """Jobs that take their WCETs do miss deadlines."""


WORST = list(Outcome)


@dataclass(frozen=True)
class Answer:
    """The answer for one task."""

    task: Task
    bound: Bound

    @property
    def outcome(self) -> Outcome:
        """The answer that follows from the bound and the deadline."""
        if self.bound.response is None:
            return Outcome.not_analysed
        if self.bound.response <= self.task.deadline:
            return Outcome.holds
        return Outcome.fails if self.bound.exact else Outcome.not_shown

    @property
    def reached(self) -> bool:
        """True if some job's response time equals the bound, without the job being skipped instead."""
        return (
            self.bound.response is not None
            and self.bound.exact
            and self.bound.response <= self.task.longest_without_skips
        )

    @property
    def margin(self) -> int | None:
        """The deadline minus the bound, in ns; None without a bound."""
        return None if self.bound.response is None else self.task.deadline - self.bound.response


@dataclass(frozen=True)
class ProcessorAnswer:
    """The answer for the tasks of one processor."""

    tasks: TaskSet
    answers: tuple[Answer, ...]
    outcome: Outcome
    demand: Demand | None = None
    """The processor demand; only under earliest deadline first."""


def analyse(tasks: TaskSet, refused: dict[int, str] | None = None) -> ProcessorAnswer:
    """Analyse the tasks of one processor. `refused`: tasks for which no bound can be given, by their places, each with
    the reason."""
    refused = refused or {}
    analysis = earliest_deadline if tasks.by_deadline else fixed_priority
    analysed = [index for index in range(len(tasks.tasks)) if index not in refused]
    bound_of_task = dict(zip(analysed, analysis.responses(tasks, analysed) if analysed else [], strict=True))
    bounds = [bound_of_task.get(index) or Bound(None, why=refused[index]) for index in range(len(tasks.tasks))]
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
    """Return whether it is shown that every deadline is met, as `analyse` does, but without the individual bounds."""
    if tasks.utilisation > 1:
        return False
    if not tasks.by_deadline:
        analysis = fixed_priority.FixedPriorities(tasks)
        return all(analysis.in_time(index) for index in analysis.least_urgent_first)
    try:
        return processor_demand(tasks).fits
    except TooLongError:
        return False


def bound_with_disturbance(tasks: TaskSet, index: int, disturbance: int) -> int | None:
    """Return the bound, in ns, of one task's response times if others take `disturbance` ns of the processor, once and
    at any time; None if there is none."""
    disturbed = replace(tasks, above=(*tasks.above, above_all("others", ONCE, disturbance)))
    if tasks.by_deadline:
        return earliest_deadline.response(disturbed, index).response
    return fixed_priority.response(disturbed, index).response


def _if_nothing_is_skipped(tasks: TaskSet, bounds: list[Bound]) -> list[Bound]:
    """Return the bounds, not `exact` where releases of more urgent tasks may be skipped: there may then be less to wait
    for than the analysis counts."""
    skips_nothing = {
        index: bound.response is not None and bound.response <= task.longest_without_skips
        for index, (task, bound) in enumerate(zip(tasks.tasks, bounds, strict=True))
    }
    skipped = Counter(tasks.tasks[index].urgency for index, each in skips_nothing.items() if not each)
    most_urgent_skipped = max(skipped, default=None)

    def surely(index: int) -> Bound:
        bound, urgency = bounds[index], tasks.tasks[index].urgency
        others = most_urgent_skipped is not None and (
            most_urgent_skipped > urgency or skipped[urgency] > (not skips_nothing[index])
        )
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
    released_together = len({(t.phase, t.jitter) for t in tasks.everything}) == 1 and not tasks.tasks[0].jitter
    surely_fails = due.overloaded or (
        released_together and not refused and due.length is not None and demand(tasks, due.length) > due.length
    )
    return (Outcome.fails if surely_fails else max(Outcome.not_shown, by_responses, key=WORST.index)), due
