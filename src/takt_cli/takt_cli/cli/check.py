# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt check`: predict by schedulability analysis whether an application meets its deadlines."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import click
import msgspec

from takt_cli.cli.output import show
from takt_cli.cli.simulate import default_duration, processors_of
from takt_cli.errors import UsageError
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.check import check_report
from takt_cli.results.folder import ResultFolder, file_name
from takt_cli.results.json_file import write_json
from takt_cli.run.check_basis import Basis, basis
from takt_cli.run.check_overheads import overheads
from takt_cli.run.simulation import longest_responses, placement
from takt_cli.schedulability.check import Check, check
from takt_cli.schedulability.check_summary import (
    CheckedProcessor,
    CheckedTask,
    CheckSummary,
    ScenariosSummary,
    check_summary,
    scenarios_summary,
)
from takt_cli.schedulability.model import Costs, Demands
from takt_cli.schedulability.priority_search import with_assigned_priorities
from takt_cli.schedulability.processor import Outcome
from takt_cli.schedulability.proposals import proposed_changes
from takt_cli.schedulability.wcet_limits import WcetLimits, wcet_limits
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, read_spec
from takt_cli.spec.strategy import Scenario, read_scenarios
from takt_cli.spec.units import format_duration

# How many numbers of processors are tried, from the least that the utilisation allows.
_FURTHER = 3


def _command(
    spec: Path,
    policy: str | None,
    strategy: Path | None,
    assign: bool,
    source: str | None,
    margin: float,
    overhead_job: int | None,
    overhead_preemption: int | None,
    benchmarks: tuple[Path, ...],
    section: int | None,
    jitter: int | None,
    processors: int | None,
    simulated: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    loaded = read_spec(spec, policy)
    application = loaded.application
    processor_count = processors_of(loaded, processors)
    measured_costs = asdict(Costs())
    for benchmark in benchmarks:
        measured_costs |= overheads(benchmark, len(application.tasks))
    given_costs = {"job": overhead_job, "preemption": overhead_preemption, "section": section, "jitter": jitter}
    costs = Costs(**measured_costs | {name: value for name, value in given_costs.items() if value is not None})
    if source == "":
        raise UsageError("--from: is empty; name the folder of a finished run")
    run = None if source is None else Path(source)
    based = basis(application, costs, run, Fraction(str(margin)) / 100, section)
    processor_of_task = placement(application, processor_count)
    summary: CheckSummary | ScenariosSummary
    if strategy is not None:
        if assign:
            raise UsageError("--assign does not go with --strategy, whose scenarios have priorities of their own")
        summary = _check_scenarios(read_scenarios(strategy, application), based, processor_of_task)
    else:
        assigned_application = (
            _with_assigned_priorities(application, processor_of_task, based.demands) if assign else None
        )
        checked = check(assigned_application or application, processor_of_task, based.demands)
        summary = _summary(checked, based, processor_of_task, processor_count if simulated or out else None)
        if processors is None:
            suggestions = _more_processors_suggestion(checked, processor_count)
            summary = msgspec.structs.replace(summary, mends=summary.mends + suggestions)
        if assign:
            summary = _noting_priorities(summary, assigned_application)
    if out is not None:
        with ResultFolder(out) as folder:
            _write_result(folder.path, loaded, summary)
    show(as_json, summary, *check_report(summary, out), folder=out)
    if summary.outcome != Outcome.holds.value:
        click.get_current_context().exit(1)


def _check_scenarios(scenarios: list[Scenario], based: Basis, processor_of_task: tuple[int, ...]) -> ScenariosSummary:
    """Check each scenario by itself; the outcome of the whole is that of the worst."""
    summaries = {}
    for scenario in scenarios:
        processor_of_active_task = tuple(
            -1 if index in scenario.suspended else number for index, number in enumerate(processor_of_task)
        )
        basis_of_scenario = replace(based, demands=replace(based.demands, suspended=scenario.suspended))
        summaries[scenario.name] = _summary(
            check(scenario.application, processor_of_active_task, basis_of_scenario.demands),
            basis_of_scenario,
            processor_of_active_task,
            None,
        )
    return scenarios_summary(summaries)


def _with_assigned_priorities(
    application: Application, processor_of_task: tuple[int, ...], demands: Demands
) -> Application | None:
    if application.policy.removeprefix("np-") not in {"fp", "rm", "dm"}:
        raise UsageError(f"--assign: the policy {application.policy} uses no priorities; add --policy dm")
    return with_assigned_priorities(application, processor_of_task, demands)


def _noting_priorities(summary: CheckSummary, assigned: Application | None) -> CheckSummary:
    """Return the summary with the priorities that were assigned, or a note that there are none."""
    if assigned is not None:
        priorities = {task.id: task.callback.priority for task in assigned.tasks}
        return msgspec.structs.replace(summary, assigned=priorities)
    note = "no assignment of fixed priorities was found under which all deadlines hold"
    return msgspec.structs.replace(summary, assigned=None, notes=[*summary.notes, note])


def _more_processors_suggestion(checked: Check, number: int) -> list[str]:
    """Return a suggestion if the utilisation needs more processors than there are and a few more suffice."""
    tasks = [task for processor in checked.processors for task in processor.answer.tasks.tasks]
    least_processors = math.ceil(sum(task.utilisation for task in tasks))
    for processor_count in range(least_processors, least_processors + _FURTHER) if least_processors > number else ():
        if (
            check(checked.application, placement(checked.application, processor_count), checked.demands).outcome
            is Outcome.holds
        ):
            return [f"it ran on {processor_count} processors: --processors {processor_count}"]
    return []


def _summary(
    checked: Check, based: Basis, processor_of_task: tuple[int, ...], simulated_on: int | None
) -> CheckSummary:
    limits: dict[int, WcetLimits] = {
        p.number: wcet_limits(checked.application, p, based.demands) for p in checked.processors
    }
    simulated = {}
    if simulated_on is not None:
        simulated = longest_responses(checked.application, default_duration(checked.application), simulated_on)
    summary = check_summary(checked, limits, simulated, based.measured_responses)
    open_tasks = summary.tasks if summary.outcome == Outcome.not_shown.value else []
    missed = [task for task in open_tasks if (task.simulated_ns or 0) > task.deadline_ns]
    notes = [*based.notes, *_tasks_above_bounds(summary.tasks), *_counted_refreshes(summary.processors)]
    notes += [
        f"the simulation misses deadlines of {task.task}: it takes {format_duration(task.simulated_ns or 0)}, "
        f"deadline {format_duration(task.deadline_ns)}"
        for task in missed
    ]
    outcome = Outcome.fails.value if missed else summary.outcome
    mends = proposed_changes(checked, processor_of_task, limits)
    return msgspec.structs.replace(summary, outcome=outcome, notes=notes, mends=mends)


def _counted_refreshes(processors: list[CheckedProcessor]) -> list[str]:
    """Return a note that names the tasks whose work is counted for their readers, which have a `max_age`."""
    pairs = [f"{each.producer} before {each.reader}" for processor in processors for each in processor.refreshed]
    if not pairs:
        return []
    return [
        f"counted for data that may be too old (max_age), once for each job of the reader: {', '.join(pairs)}. A job "
        "before the first message counts as one with data that is too old"
    ]


def _tasks_above_bounds(tasks: list[CheckedTask]) -> list[str]:
    """Return a note that names the tasks whose longest response time in the run exceeds their bound."""
    task_texts = [
        f"{task.task} {format_duration(task.measured_ns)}"
        for task in tasks
        if task.measured_ns is not None and task.bound_ns is not None and task.measured_ns > task.bound_ns
    ]
    explanation = "which counts no stalls of the host, and takt's own threads only with --overheads"
    return [f"longer in the run than the bound, {explanation}: {', '.join(task_texts)}"] if task_texts else []


def _write_result(folder: Path, spec: Spec, summary: CheckSummary | ScenariosSummary) -> None:
    # Imported here: loading the plotting library takes half a second, and only --out needs it.
    from takt_cli.chart.svg import write_svgs  # noqa: PLC0415
    from takt_cli.report.charts.check import check_chart  # noqa: PLC0415

    (folder / "spec.yaml").write_bytes(spec.text)
    write_json(folder / "check.json", summary)
    scenarios = summary.scenarios if isinstance(summary, ScenariosSummary) else {"": summary}
    charts = {
        f"responses{'-' * bool(name)}{file_name(name)}": check_chart(each)
        for name, each in scenarios.items()
        if each.tasks
    }
    write_svgs(folder, charts)


check_command = verb("check", read_usage(__name__), _command)
