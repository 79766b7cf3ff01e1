# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Will an application hold: every processor by the analysis of the policy, and what that leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takt_cli.schedulability.model import Demands, refusal, task_set
from takt_cli.schedulability.processor import WORST, Outcome, ProcessorAnswer, analyse
from takt_cli.schedulability.refresh import Refresh, needed, refreshes, refusals, with_refreshes
from takt_cli.schedulability.task import Bound, TaskSet
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
    refused = _budgets(application, members, tasks) | _from_outside(application, members)
    tasks = _with_budgets(application, members, tasks)
    reads = refreshes(application, members)
    if not reads:
        return analyse(tasks, refused), []
    groups = [t.node if application.nodes[t.node].group == "exclusive" else None for t in members]
    every = analyse(with_refreshes(tasks, reads, groups), refused)
    kept = needed(tasks, reads, [answer.bound for answer in every.answers])
    costly = with_refreshes(tasks, kept, groups)
    answer = analyse(costly, refused)
    more = refusals(tasks, kept, [each.bound for each in answer.answers])
    if kept:
        answer = analyse(costly, more | refused)
        bounds = [replace(each.bound, exact=False) for each in answer.answers]
        answer = replace(
            answer, answers=tuple(replace(a, bound=b) for a, b in zip(answer.answers, bounds, strict=True))
        )
        if answer.outcome is Outcome.fails and costly.utilisation > 1 >= tasks.utilisation:
            answer = replace(answer, outcome=Outcome.not_shown)
    return answer, kept


def _budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> dict[int, str]:
    return {
        i: "its jobs use up their budget and go on in the background, where nothing is promised"
        for i, task in enumerate(members)
        if _lowered(application, task, tasks.tasks[i].wcet)
    }


def _from_outside(application: Application, members: Sequence[SpecTask]) -> dict[int, str]:
    return {
        i: f"its jobs are skipped where {application.topics[topic].name!r}, from outside, is too old"
        for i, task in enumerate(members)
        for topic in task.callback.bounds
        if topic not in application.producers and task.callback.on_stale == "skip"
    }


def _with_budgets(application: Application, members: Sequence[SpecTask], tasks: TaskSet) -> TaskSet:
    """What goes on in the background takes no more than its budget from the others."""
    return tasks.with_wcets(
        [
            spec.callback.budget if _lowered(application, spec, task.wcet) else task.wcet
            for spec, task in zip(members, tasks.tasks, strict=True)
        ]
    )


def _lowered(application: Application, task: SpecTask, wcet: int) -> bool:
    callback = task.callback
    preempts = not application.policy.startswith("np-")
    return preempts and callback.on_budget == "background" and 0 < callback.budget < wcet
