# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The result of `takt check` as data, for JSON."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from takt_cli.schedulability import chains
from takt_cli.schedulability.check import Check, Processor
from takt_cli.schedulability.processor import WORST, Answer, Outcome
from takt_cli.schedulability.processor_demand import demand
from takt_cli.schedulability.wcet_limits import WcetLimits
from takt_cli.spec.application import Task


class CheckCosts(msgspec.Struct, frozen=True):
    """The costs of the executor that were counted, in ns."""

    job: int
    preemption: int
    middleware_section: int
    release_jitter: int
    release: int
    other_threads_per_ms: int
    longest_of_other_threads: int


class DemandAbove(msgspec.Struct, frozen=True):
    """A length of time in which more work may be due than fits into it."""

    length_ns: int
    due_ns: int
    blocking_ns: int
    blocked_by: str | None
    by_task_ns: dict[str, int]


class RefreshedRead(msgspec.Struct, frozen=True):
    """A read before which the producer's work is counted, since the data may be too old."""

    reader: str
    producer: str
    max_age_ns: int


class CheckedProcessor(msgspec.Struct, frozen=True):
    """A processor. `wcet_factor` is the factor by which all WCETs may grow, None if that is not known."""

    processor: int
    outcome: str
    utilisation: float
    wcet_factor: float | None
    demand_above_length: DemandAbove | None
    refreshed: list[RefreshedRead]


class CheckedTask(msgspec.Struct, frozen=True):
    """A task with the bound of its response times, None if there is none because of `why_not`, and the longest response
    times that were simulated and measured."""

    task: str
    index: int
    processor: int
    period_ns: int
    deadline_ns: int
    wcet_ns: int
    priority: int
    outcome: str
    bound_ns: int | None
    exact: bool
    margin_ns: int | None
    blocking_ns: int
    blocked_by: str | None
    why_not: str | None
    largest_wcet_ns: int | None
    simulated_ns: int | None
    measured_ns: int | None


class CheckedRead(msgspec.Struct, frozen=True):
    """A topic that a task reads, and the age of the data at most, None without a bound."""

    reader: str
    topic: str
    producer: str
    age_ns: int | None
    max_age_ns: int | None


class CheckedChain(msgspec.Struct, frozen=True):
    """A chain of tasks, the age of its data at its end and its reaction time at most."""

    tasks: list[str]
    age_ns: int | None
    reaction_ns: int | None


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The complete result. `refused`: why there is no analysis; `mends`: changes that would help; `assigned`: the
    priorities that were found, None if there are none, and absent if none were searched."""

    schema_version: int = 1
    application: str
    policy: str
    outcome: str
    refused: str | None
    costs_ns: CheckCosts
    processors: list[CheckedProcessor]
    tasks: list[CheckedTask]
    reads: list[CheckedRead]
    chains: list[CheckedChain]
    all_chains: bool
    notes: list[str] = []
    mends: list[str] = []
    assigned: dict[str, int] | msgspec.UnsetType | None = msgspec.UNSET


class ScenariosSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The result for a strategy: that of each scenario; the strategy holds if all of them do."""

    schema_version: int = 1
    outcome: str
    scenarios: dict[str, CheckSummary]


def check_summary(
    checked: Check,
    limits: Mapping[int, WcetLimits],
    simulated: Mapping[int, int] | None = None,
    measured: Mapping[int, int] | None = None,
) -> CheckSummary:
    """Return the complete result. `limits`: by the number of the processor; `simulated`, `measured`: the longest
    response times by the index of the task."""
    application, costs = checked.application, checked.demands.costs
    chain_bounds, all_listed = chains.chains(application, checked.responses)
    tasks = [
        _task(p.number, task, answer, checked, limits.get(p.number), (simulated or {}, measured or {}))
        for p in checked.processors
        for task, answer in zip(p.members, p.answer.answers, strict=True)
    ]
    return CheckSummary(
        application=application.name,
        policy=application.policy,
        outcome=checked.outcome.value,
        refused=checked.why_not_analysed,
        costs_ns=CheckCosts(
            costs.job, costs.preemption, costs.section, costs.jitter, costs.release, costs.others, costs.burst
        ),
        processors=[_processor(p, limits.get(p.number)) for p in checked.processors],
        tasks=sorted(tasks, key=lambda each: each.index),
        reads=[
            CheckedRead(read.reader.id, application.topics[read.topic].name, read.producer.id, read.age, read.max_age)
            for read in chains.reads(application, checked.responses)
        ],
        chains=[CheckedChain([task.id for task in chain.tasks], chain.age, chain.reaction) for chain in chain_bounds],
        all_chains=all_listed,
    )


def _processor(processor: Processor, limits: WcetLimits | None) -> CheckedProcessor:
    answer = processor.answer
    due, short = answer.demand, None
    if due is not None and not due.fits and due.length is not None:
        by_task = _due(processor, due.length)
        short = DemandAbove(due.length, due.due, due.blocking.length, due.blocking.blocker, by_task)
    members = processor.members
    return CheckedProcessor(
        processor.number,
        answer.outcome.value,
        float(answer.tasks.utilisation),
        None if limits is None else float(limits.factor),
        short,
        [RefreshedRead(members[r.reader].id, members[r.producer].id, r.max_age) for r in processor.refreshed],
    )


def _due(processor: Processor, length: int) -> dict[str, int]:
    due_by_task = {
        task.id: demand(type(processor.answer.tasks)((each,), True), length)
        for task, each in zip(processor.members, processor.answer.tasks.tasks, strict=True)
    }
    return {name: due for name, due in due_by_task.items() if due}


def _task(
    number: int,
    task: Task,
    answer: Answer,
    checked: Check,
    limits: WcetLimits | None,
    longest: tuple[Mapping[int, int], Mapping[int, int]],
) -> CheckedTask:
    bound, callback = answer.bound, task.callback
    return CheckedTask(
        task.id,
        task.index,
        number,
        callback.period,
        callback.deadline,
        checked.demands.wcets[task.index],
        callback.priority,
        answer.outcome.value,
        bound.response,
        answer.reached,
        answer.margin,
        bound.blocking,
        bound.blocker,
        bound.why or None,
        None if limits is None else limits.largest[task.index],
        *(times.get(task.index) for times in longest),
    )


def scenarios_summary(summaries: Mapping[str, CheckSummary]) -> ScenariosSummary:
    """Return the result for a strategy, whose outcome is that of the worst scenario."""
    outcomes = [Outcome(each.outcome) for each in summaries.values()]
    return ScenariosSummary(outcome=max(outcomes, key=WORST.index).value, scenarios=dict(summaries))
