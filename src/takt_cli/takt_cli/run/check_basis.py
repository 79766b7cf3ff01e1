# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What `takt check` analyses: execution times and costs, and where they are from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from takt_cli.analysis.grants import policy_in_use, ran_otherwise
from takt_cli.analysis.observed import longest_section, observed, with_margin
from takt_cli.analysis.result import read_result
from takt_cli.schedulability.model import Costs, Demands, declared
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration


@dataclass(frozen=True)
class Basis:
    demands: Demands
    measured: dict[int, int]
    """By task: the longest response in the run, if there is one."""
    notes: tuple[str, ...]


def basis(application: Application, costs: Costs, source: Path | None, margin: Fraction, section: int | None) -> Basis:
    """`source`: a run whose execution times stand for the spec's WCETs, with `margin` on top, and whose
    longest middleware section counts where none is given."""
    notes = []
    if application.overload is not None and application.overload.factor > 1:
        notes.append(f"WCETs are those of the spec's overload, times {application.overload.factor:g}")
    if source is None:
        wcets, measured = declared(application), {}
    else:
        result = read_result(source)
        seen = observed(application, result)
        wcets = tuple(with_margin(seen[task.index].execution, margin) for task in application.tasks)
        measured = {index: each.response for index, each in seen.items() if each.response is not None}
        least = min(each.jobs for each in seen.values())
        of = f"the longest observed in {source} ({least} jobs or more of each task)"
        notes.append(f"WCETs are {of}, and {float(100 * margin):g} %")
        executor, policy = str(result.record["executor"]), str(result.record["policy"])
        if ran_otherwise(executor, policy, in_use := policy_in_use(result.record)):
            notes.append(f"{source} ran as {in_use} instead of {policy}: its responses are not what is bounded")
        if section is None:
            costs = replace(costs, section=longest_section(result))
    if not costs.job and not costs.preemption:
        missing = (
            "of dispatch or of sending: see --overheads and --from"
            if source is None
            else "of dispatch: see --overheads"
        )
        notes.append(f"no overhead is counted, {missing}")
    else:
        job, preemption = format_duration(costs.job), format_duration(costs.preemption)
        notes.append(f"overhead: {job} of each job, {preemption} of each that may preempt")
    if costs.release or costs.others or costs.burst:
        release, others, burst = map(format_duration, (costs.release, costs.others, costs.burst))
        notes.append(f"threads above the jobs: {release} of each release, {others} of each ms, once {burst}")
    if costs.section:
        notes.append(f"the longest middleware section is taken to be {format_duration(costs.section)}")
    return Basis(Demands(wcets, costs), measured, tuple(notes))
