# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Schedulability check of an application: each processor by the analysis of its policy, with budgets and bounded data
age taken into account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takt_cli.schedulability.columns import MAX_TIME
from takt_cli.schedulability.model import Costs, Demands, refusal, task_set
from takt_cli.schedulability.processor import WORST, Outcome, ProcessorAnswer, analyse
from takt_cli.schedulability.refresh import Refresh, reads_that_need_refreshing, refreshes, refusals, with_refreshes
from takt_cli.schedulability.task import Bound, Task, TaskSet
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask


@dataclass(frozen=True)
class Processor:
    """The answer for one processor."""

    number: int
    members: tuple[SpecTask, ...]
    answer: ProcessorAnswer
    refreshed: tuple[Refresh, ...] = ()
    """Reads for which it is not shown that their data is always young enough; the cost of refreshing is counted."""


@dataclass(frozen=True)
class Check:
    """The answer for an application: one per processor, and what was assumed."""

    application: Application
    demands: Demands
    processors: tuple[Processor, ...]
    why_not_analysed: str | None = None
    """The reason why nothing was analysed, if so."""

    @property
    def outcome(self) -> Outcome:
        """The worst answer of all processors."""
        if self.why_not_analysed is not None:
            return Outcome.not_analysed
        return max((p.answer.outcome for p in self.processors), key=WORST.index, default=Outcome.holds)

    @property
    def responses(self) -> dict[int, Bound]:
        """The bound of each task, by the task's index in the application."""
        return {
            task.index: answer.bound
            for processor in self.processors
            for task, answer in zip(processor.members, processor.answer.answers, strict=True)
        }


def check(application: Application, processor_of_task: Sequence[int], demands: Demands) -> Check:
    """Check every processor of an application. `processor_of_task`: the processor of each task, negative for none."""
    refusal_reason = refusal(application)
    if refusal_reason is not None:
        return Check(application, demands, (), refusal_reason)
    return Check(
        application,
        demands,
        tuple(
            _processor(application, processor_of_task, demands, number) for number in processors_of(processor_of_task)
        ),
    )


def processors_of(processor_of_task: Sequence[int]) -> list[int]:
    """Return the numbers of the processors in use, ascending."""
    return sorted({number for number in processor_of_task if number >= 0})


def check_processor(application: Application, members: tuple[SpecTask, ...], demands: Demands) -> ProcessorAnswer:
    """Return the answer for one processor alone."""
    return _analyse(application, members, demands)[0]


def _processor(application: Application, processor_of_task: Sequence[int], demands: Demands, number: int) -> Processor:
    members = tuple(task for task in application.tasks if processor_of_task[task.index] == number)
    answer, reads = _analyse(application, members, demands)
    return Processor(number, members, answer, tuple(reads))


def _analyse(
    application: Application, members: tuple[SpecTask, ...], demands: Demands
) -> tuple[ProcessorAnswer, list[Refresh]]:
    tasks = task_set(application, members, demands)
    refused = _budgets(application, members, tasks) | not_refreshed(application, members)
    tasks = _with_budgets(application, members, tasks)
    answer, kept_reads = _refreshing(application, members, tasks, refused)
    if kept_reads:
        # A job that a reader brings forward may end earlier than it would by itself.
        return _without_exact_bounds(answer, tasks.utilisation > 1), kept_reads
    if demands.costs != Costs():
        without_costs = _with_budgets(
            application, members, task_set(application, members, replace(demands, costs=Costs()))
        )
        return _without_exact_bounds(answer, analyse(without_costs, refused).outcome is Outcome.fails), kept_reads
    return answer, kept_reads


def _refreshing(
    application: Application, members: tuple[SpecTask, ...], tasks: TaskSet, refused: dict[int, str]
) -> tuple[ProcessorAnswer, list[Refresh]]:
    """Return the answer with the cost of bounded data age, and the reads that may need refreshing.

    Begins with none of them. As long as only those that are counted have been refreshed, the bounds hold, so a read
    whose data these bounds show to be young is never the first to be refreshed beyond them."""
    reads = refreshes(application, members)
    if not reads:
        return analyse(tasks, refused), []
    groups = [t.node if application.nodes[t.node].group == "exclusive" else None for t in members]
    counted: set[Refresh] = set()
    while True:
        kept_reads = [read for read in reads if read in counted]
        costly = with_refreshes(tasks, kept_reads, groups)
        answer = analyse(costly, refused)
        may_be_old = set(reads_that_need_refreshing(tasks, reads, [each.bound for each in answer.answers]))
        if may_be_old <= counted:
            break
        counted |= may_be_old
    further_refusals = refusals(tasks, kept_reads, [each.bound for each in answer.answers])
    return (analyse(costly, further_refusals | refused) if further_refusals else answer), kept_reads


def _without_exact_bounds(answer: ProcessorAnswer, fails: bool) -> ProcessorAnswer:
    """Return the answer where more is counted than jobs need to take, so that no bound is certain to be reached.
    `fails`: the task set does not hold without the additional costs either."""
    answers = tuple(replace(each, bound=replace(each.bound, exact=False)) for each in answer.answers)
    outcome = Outcome.not_shown if answer.outcome is Outcome.fails else answer.outcome
    return replace(answer, answers=answers, outcome=Outcome.fails if fails else outcome)


def _budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> dict[int, str]:
    return {
        i: "its jobs exceed their budget and continue at background priority, where no bound can be given"
        for i, task in enumerate(members)
        if _exceeds_budget(application, task, tasks.tasks[i].wcet)
    }


def not_refreshed(application: Application, members: Sequence[SpecTask]) -> dict[int, str]:
    """Return the tasks that skip jobs when their data is too old although its publisher is not on this processor, by
    their places in `members`, each with the reason why no bound can be given."""
    indices_here = {task.index for task in members}
    reasons: dict[int, str] = {}
    for i, task in enumerate(members):
        for topic in task.callback.bounds if task.callback.on_stale == "skip" else ():
            producer = application.producers.get(topic)
            if producer is None or producer.index not in indices_here:
                name = application.topics[topic].name
                publisher_place = "outside the application" if producer is None else "on another processor"
                reasons[i] = f"its jobs are skipped when {name!r}, which is published {publisher_place}, is too old"
    return reasons


def _with_budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> TaskSet:
    """Return the task set in which a job that continues at background priority takes only its budget from the others.

    Jobs that waited for one in the background, for whatever time, become ready together when it ends: that is
    counted as jitter."""

    def cut(spec: SpecTask, task: Task) -> Task:
        if not _exceeds_budget(application, spec, task.wcet):
            return task
        late = task.queue * task.period + (task.deadline if tasks.by_deadline and task.queue else 0)
        # The budget is enforced only after the job has left a middleware section.
        wcet = spec.callback.budget + task.section
        return replace(task, wcet=wcet, jitter=task.jitter + late, background=True)

    return replace(tasks, tasks=tuple(cut(spec, task) for spec, task in zip(members, tasks.tasks, strict=True)))


def _exceeds_budget(application: Application, task: SpecTask, wcet: int) -> bool:
    return wcet > longest_foreground_wcet(application, task)


def longest_foreground_wcet(application: Application, task: SpecTask) -> int:
    """Return the longest execution time in ns with which a job of the task does not continue at background priority;
    MAX_TIME if there is no such limit."""
    callback = task.callback
    preempts = not application.policy.startswith("np-")
    return callback.budget if preempts and callback.on_budget == "background" and callback.budget else MAX_TIME
