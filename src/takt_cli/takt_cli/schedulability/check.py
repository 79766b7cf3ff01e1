# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Will an application hold: every processor by the analysis of the policy, and what that leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takt_cli.schedulability.columns import FAR
from takt_cli.schedulability.model import Costs, Demands, refusal, task_set
from takt_cli.schedulability.processor import WORST, Outcome, ProcessorAnswer, analyse
from takt_cli.schedulability.refresh import Refresh, needed, refreshes, refusals, with_refreshes
from takt_cli.schedulability.task import Bound, Task, TaskSet
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask


@dataclass(frozen=True)
class Processor:
    number: int
    members: tuple[SpecTask, ...]
    answer: ProcessorAnswer
    refreshed: tuple[Refresh, ...] = ()
    """The reads of which it is not shown that their data is always young enough."""


@dataclass(frozen=True)
class Check:
    application: Application
    demands: Demands
    processors: tuple[Processor, ...]
    refused: str | None = None
    """Why nothing was analysed."""

    @property
    def outcome(self) -> Outcome:
        if self.refused is not None:
            return Outcome.not_analysed
        return max((p.answer.outcome for p in self.processors), key=WORST.index, default=Outcome.holds)

    @property
    def responses(self) -> dict[int, Bound]:
        """By task."""
        return {
            task.index: answer.bound
            for processor in self.processors
            for task, answer in zip(processor.members, processor.answer.answers, strict=True)
        }


def check(application: Application, on: Sequence[int], demands: Demands) -> Check:
    """`on`: the processor of each task, below 0 for none."""
    why = refusal(application)
    if why is not None:
        return Check(application, demands, (), why)
    return Check(
        application, demands, tuple(_processor(application, on, demands, number) for number in processors_of(on))
    )


def processors_of(on: Sequence[int]) -> list[int]:
    return sorted({number for number in on if number >= 0})


def check_processor(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> ProcessorAnswer:
    """One processor alone."""
    return _analyse(application, members, demands)[0]


def _processor(application: Application, on: Sequence[int], demands: Demands, number: int) -> Processor:
    members = tuple(task for task in application.tasks if on[task.index] == number)
    answer, reads = _analyse(application, members, demands)
    return Processor(number, members, answer, tuple(reads))


def _analyse(
    application: Application, members: tuple[SpecTask, ...], demands: Demands
) -> tuple[ProcessorAnswer, list[Refresh]]:
    tasks = task_set(application, members, demands)
    refused = _budgets(application, members, tasks) | not_refreshed(application, members)
    tasks = _with_budgets(application, members, tasks)
    answer, kept = _refreshing(application, members, tasks, refused)
    if kept:
        # Who is brought forward may end earlier than alone.
        return _at_most(answer, tasks.utilisation > 1), kept
    if demands.costs != Costs():
        alone = _with_budgets(application, members, task_set(application, members, replace(demands, costs=Costs())))
        return _at_most(answer, analyse(alone, refused).outcome is Outcome.fails), kept
    return answer, kept


def _refreshing(
    application: Application, members: tuple[SpecTask, ...], tasks: TaskSet, refused: dict[int, str]
) -> tuple[ProcessorAnswer, list[Refresh]]:
    """With what bounded data age costs, and the reads that may need it."""
    reads = refreshes(application, members)
    if not reads:
        return analyse(tasks, refused), []
    groups = [t.node if application.nodes[t.node].group == "exclusive" else None for t in members]
    costly = with_refreshes(tasks, reads, groups)
    answer = analyse(costly, refused)
    kept = needed(tasks, reads, [each.bound for each in answer.answers])
    if len(kept) < len(reads):
        costly = with_refreshes(tasks, kept, groups)
        answer = analyse(costly, refused)
    more = refusals(tasks, kept, [each.bound for each in answer.answers])
    return (analyse(costly, more | refused) if more else answer), kept


def _at_most(answer: ProcessorAnswer, fails: bool) -> ProcessorAnswer:
    """The answer where more is counted than jobs need to take: nothing is sure to be reached. `fails`: but
    without all that it does not hold either."""
    answers = tuple(replace(each, bound=replace(each.bound, exact=False)) for each in answer.answers)
    outcome = Outcome.not_shown if answer.outcome is Outcome.fails else answer.outcome
    return replace(answer, answers=answers, outcome=Outcome.fails if fails else outcome)


def _budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> dict[int, str]:
    return {
        i: "its jobs use up their budget and go on in the background, where nothing is promised"
        for i, task in enumerate(members)
        if _lowered(application, task, tasks.tasks[i].wcet)
    }


def not_refreshed(application: Application, members: Sequence[SpecTask]) -> dict[int, str]:
    """Whose jobs are skipped for old data that nothing on this processor publishes."""
    here = {task.index for task in members}
    found: dict[int, str] = {}
    for i, task in enumerate(members):
        for topic in task.callback.bounds if task.callback.on_stale == "skip" else ():
            producer = application.producers.get(topic)
            if producer is None or producer.index not in here:
                name, where = application.topics[topic].name, "outside" if producer is None else "another processor"
                found[i] = f"its jobs are skipped where {name!r}, from {where}, is too old"
    return found


def _with_budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> TaskSet:
    """What goes on in the background takes no more than its budget of each job from the others. Jobs that
    have waited for one in the background, however long, come all at once when it ends."""

    def cut(spec: SpecTask, task: Task) -> Task:
        if not _lowered(application, spec, task.wcet):
            return task
        late = task.queue * task.period + (task.deadline if tasks.by_deadline and task.queue else 0)
        # A job is charged when it leaves the middleware.
        wcet = spec.callback.budget + task.section
        return replace(task, wcet=wcet, jitter=task.jitter + late, background=True)

    return replace(tasks, tasks=tuple(cut(spec, task) for spec, task in zip(members, tasks.tasks, strict=True)))


def _lowered(application: Application, task: SpecTask, wcet: int) -> bool:
    return wcet > most_in_the_foreground(application, task)


def most_in_the_foreground(application: Application, task: SpecTask) -> int:
    """How long jobs of a task may take without going on in the background."""
    callback = task.callback
    preempts = not application.policy.startswith("np-")
    return callback.budget if preempts and callback.on_budget == "background" and callback.budget else FAR
