# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The result of `takt check` as data, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from takt_cli.schedulability import chains
from takt_cli.schedulability.check import Check, Processor
from takt_cli.schedulability.processor import WORST, Answer, Outcome
from takt_cli.schedulability.processor_demand import demand
from takt_cli.schedulability.wcet_limits import WcetLimits
from takt_cli.spec.application import Task

SCHEMA_VERSION = 1


def check_summary(checked: Check, limits: Mapping[int, WcetLimits]) -> dict[str, Any]:
    """Return the complete result; times in ns. `limits`: by the number of the processor."""
    application, costs = checked.application, checked.demands.costs
    return {
        "schema_version": SCHEMA_VERSION,
        "application": application.name,
        "policy": application.policy,
        "outcome": checked.outcome.value,
        "refused": checked.why_not_analysed,
        "costs_ns": {
            "job": costs.job,
            "preemption": costs.preemption,
            "middleware_section": costs.section,
            "release_jitter": costs.jitter,
            "release": costs.release,
            "other_threads_per_ms": costs.others,
            "longest_of_other_threads": costs.burst,
        },
        "processors": [_processor(p, limits.get(p.number)) for p in checked.processors],
        "tasks": sorted(
            (
                _task(p.number, task, answer, checked, limits.get(p.number))
                for p in checked.processors
                for task, answer in zip(p.members, p.answer.answers, strict=True)
            ),
            key=lambda each: int(each["index"]),
        ),
        **_chains(checked),
    }


def _processor(processor: Processor, limits: WcetLimits | None) -> dict[str, Any]:
    answer = processor.answer
    short = None
    if answer.demand is not None and not answer.demand.fits and answer.demand.length is not None:
        due = answer.demand
        assert due.length is not None
        short = {
            "length_ns": due.length,
            "due_ns": due.due,
            "blocking_ns": due.blocking.length,
            "blocked_by": due.blocking.blocker,
            "by_task_ns": _due(processor, due.length),
        }
    return {
        "processor": processor.number,
        "outcome": answer.outcome.value,
        "utilisation": float(answer.tasks.utilisation),
        "wcet_factor": None if limits is None else float(limits.factor),
        "demand_above_length": short,
        "refreshed": [
            {
                "reader": processor.members[read.reader].id,
                "producer": processor.members[read.producer].id,
                "max_age_ns": read.max_age,
            }
            for read in processor.refreshed
        ],
    }


def _due(processor: Processor, length: int) -> dict[str, int]:
    due_by_task = {
        task.id: demand(type(processor.answer.tasks)((each,), True), length)
        for task, each in zip(processor.members, processor.answer.tasks.tasks, strict=True)
    }
    return {name: due for name, due in due_by_task.items() if due}


def _task(number: int, task: Task, answer: Answer, checked: Check, limits: WcetLimits | None) -> dict[str, Any]:
    bound, wcet = answer.bound, checked.demands.wcets[task.index]
    return {
        "task": task.id,
        "index": task.index,
        "processor": number,
        "period_ns": task.callback.period,
        "deadline_ns": task.callback.deadline,
        "wcet_ns": wcet,
        "priority": task.callback.priority,
        "outcome": answer.outcome.value,
        "bound_ns": bound.response,
        "exact": answer.reached,
        "margin_ns": answer.margin,
        "blocking_ns": bound.blocking,
        "blocked_by": bound.blocker,
        "why_not": bound.why or None,
        "largest_wcet_ns": None if limits is None else limits.largest[task.index],
        "simulated_ns": None,
        "measured_ns": None,
    }


def _chains(checked: Check) -> dict[str, Any]:
    responses = checked.responses
    chain_bounds, all_listed = chains.chains(checked.application, responses)
    return {
        "reads": [
            {
                "reader": read.reader.id,
                "topic": checked.application.topics[read.topic].name,
                "producer": read.producer.id,
                "age_ns": read.age,
                "max_age_ns": read.max_age,
            }
            for read in chains.reads(checked.application, responses)
        ],
        "chains": [
            {"tasks": [task.id for task in chain.tasks], "age_ns": chain.age, "reaction_ns": chain.reaction}
            for chain in chain_bounds
        ],
        "all_chains": all_listed,
    }


def scenarios_summary(summaries: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the result for a strategy: that of each scenario; the strategy holds if all of them do."""
    outcomes = [Outcome(each["outcome"]) for each in summaries.values()]
    return {
        "schema_version": SCHEMA_VERSION,
        "outcome": max(outcomes, key=WORST.index).value,
        "scenarios": dict(summaries),
    }


def holds(summary: dict[str, Any]) -> bool:
    """Return whether the result is that the application holds."""
    return bool(summary["outcome"] == Outcome.holds.value)
