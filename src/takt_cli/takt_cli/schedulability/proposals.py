# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Proposals, in words, of the smallest changes that would make an application schedulable."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from takt_cli.schedulability.check import Check, check
from takt_cli.schedulability.priority_search import with_assigned_priorities
from takt_cli.schedulability.processor import Outcome
from takt_cli.schedulability.wcet_limits import WcetLimits
from takt_cli.spec.units import format_duration, format_factor, rounded_down

_OF_ONE_TASK = 3
# Each needs an analysis of the whole application.
_NODES_TRIED = 3


def proposed_changes(checked: Check, processor_of_task: tuple[int, ...], limits: Mapping[int, WcetLimits]) -> list[str]:
    """Return the ends of sentences that begin with "it would hold if"; smallest changes first. Empty if the application
    holds, or if none of the changes that are tried helps."""
    if checked.outcome is Outcome.holds or checked.why_not_analysed is not None:
        return []
    failing = [p for p in checked.processors if p.answer.outcome is not Outcome.holds]
    changes = []
    # Changing one task can only help if no more than one processor fails.
    if len(failing) == 1:
        changes += _changes_of_one_task(checked, limits[failing[0].number])
    factor = min((limits[p.number].factor for p in failing), default=Fraction(0))
    if factor > 0:
        changes.append(f"all WCETs were multiplied by {format_factor(factor)}")
    changes += _changes_of_groups(checked, processor_of_task)
    return changes + _changes_of_policy(checked, processor_of_task)


def _changes_of_one_task(checked: Check, limits: WcetLimits) -> list[str]:
    shorter = []
    for index, largest in limits.largest.items():
        wcet = checked.demands.wcets[index]
        if largest is not None and 0 < largest < wcet:
            shorter.append((Fraction(wcet - largest, wcet), index, rounded_down(largest)))
    return [
        f"{checked.application.tasks[index].id} took at most {format_duration(largest)}, "
        f"{format_duration(checked.demands.wcets[index] - largest)} ({float(100 * less):.3g} %) less"
        for less, index, largest in sorted(shorter)[:_OF_ONE_TASK]
    ]


def _changes_of_groups(checked: Check, processor_of_task: tuple[int, ...]) -> list[str]:
    """Return the proposals that let the callbacks of one node preempt each other."""
    application = checked.application
    concerned = dict.fromkeys(
        member.node
        for processor in checked.processors
        if processor.answer.outcome is not Outcome.holds
        for member in processor.members
        if len(application.nodes[member.node].callbacks) > 1 and application.nodes[member.node].group == "exclusive"
    )
    changes = []
    for index in list(concerned)[:_NODES_TRIED]:
        nodes = list(application.nodes)
        nodes[index] = replace(nodes[index], group="reentrant")
        changed = replace(application, nodes=tuple(nodes))
        if check(changed, processor_of_task, checked.demands).outcome is Outcome.holds:
            changes.append(
                f"the callbacks of node {nodes[index].name} were in nodes of their own, or in a reentrant group "
                "(if several threads may use the data of the node at once)"
            )
    return changes


def _changes_of_policy(checked: Check, processor_of_task: tuple[int, ...]) -> list[str]:
    """Return proposals that leave the execution times alone: other priorities or another policy."""
    application, demands = checked.application, checked.demands
    policy = application.policy
    changes = []
    if (
        policy.removeprefix("np-") in {"fp", "rm", "dm"}
        and with_assigned_priorities(application, processor_of_task, demands) is not None
    ):
        changes.append("it had other priorities: --assign shows them")
    preemptive = policy.removeprefix("np-")
    for other in dict.fromkeys((preemptive, "edf", "np-edf", "dm")):
        if other != policy and check(application.under(other), processor_of_task, demands).outcome is Outcome.holds:
            changes.append(f"the policy were {other}")
            break
    return changes
