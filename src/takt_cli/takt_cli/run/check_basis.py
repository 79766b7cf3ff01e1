# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The execution times and costs that `takt check` assumes, and their origin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from takt_cli.analysis.grants import policy_in_use, uses_other_policy
from takt_cli.analysis.observations import longest_section, observed_times, with_margin
from takt_cli.analysis.result import read_result
from takt_cli.schedulability.model import Costs, Demands, declared_wcets
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration


@dataclass(frozen=True)
class Basis:
    """The assumptions of an analysis; `notes` say so in words."""

    demands: Demands
    measured_responses: dict[int, int]
    """The longest response time in the run by task, if a run is given."""
    notes: tuple[str, ...]


def basis(application: Application, costs: Costs, source: Path | None, margin: Fraction, section: int | None) -> Basis:
    """Return the basis of an analysis. `source` is a run whose longest execution times, enlarged by `margin`, replace
    the spec's WCETs; its longest middleware section is assumed if `section` is None."""
    notes = []
    if application.overload is not None and application.overload.factor > 1:
        notes.append(f"WCETs are those during the spec's overload, times {application.overload.factor:g}")
    if source is None:
        wcets, measured_responses = declared_wcets(application), {}
    else:
        result = read_result(source)
        observed = observed_times(application, result)
        wcets = tuple(with_margin(observed[task.index].execution, margin) for task in application.tasks)
        measured_responses = {index: each.response for index, each in observed.items() if each.response is not None}
        least_jobs = min(each.jobs for each in observed.values())
        source_text = f"the longest observed in {source} (at least {least_jobs} jobs of each task)"
        notes.append(f"WCETs are {source_text}, plus {float(100 * margin):g} %")
        executor, policy = result.settings.executor, result.settings.policy
        if uses_other_policy(executor, policy, in_use := policy_in_use(result.record)):
            notes.append(f"{source} ran under {in_use} instead of {policy}: the bounds do not apply to its responses")
        if section is None:
            costs = replace(costs, section=longest_section(result))
    if not costs.job and not costs.preemption:
        missing_text = (
            "for dispatch or for sending: see --overheads and --from"
            if source is None
            else "for dispatch: see --overheads"
        )
        notes.append(f"no overhead is counted {missing_text}")
    else:
        job, preemption = format_duration(costs.job), format_duration(costs.preemption)
        notes.append(f"overhead: {job} for each job, {preemption} for each job that may preempt")
    if costs.release or costs.others or costs.burst:
        release, others, burst = map(format_duration, (costs.release, costs.others, costs.burst))
        notes.append(f"threads above the jobs: {release} per release, {others} per ms, and once {burst}")
    if costs.section:
        notes.append(f"the longest middleware section is assumed to be {format_duration(costs.section)}")
    return Basis(Demands(wcets, costs), measured_responses, tuple(notes))
