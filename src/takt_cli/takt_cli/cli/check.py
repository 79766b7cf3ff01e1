# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt check`: will it hold, before it runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.checked import check_summary, holds
from takt_cli.analysis.observed import longest_section, observed, with_margin
from takt_cli.analysis.result import read_result
from takt_cli.cli.options import Duration, json_option, policy_option, spec_argument
from takt_cli.cli.output import print_json, show
from takt_cli.cli.simulate import default_duration
from takt_cli.errors import UsageError
from takt_cli.report.check_plot import check_plot
from takt_cli.report.check_table import check_report
from takt_cli.run.checked import longest_responses, placement
from takt_cli.run.folder import ResultFolder
from takt_cli.schedulability.check import Check, check
from takt_cli.schedulability.mend import Room, assigned, room
from takt_cli.schedulability.mends import mends
from takt_cli.schedulability.model import Costs, Demands, declared
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, read_spec
from takt_cli.spec.units import format_duration

_COST = Duration()


@dataclass(frozen=True)
class _Basis:
    """What is analysed: the execution times and where they are from."""

    demands: Demands
    measured: dict[int, int]
    notes: list[str]


@click.command("check", short_help="Will it hold: response-time analysis.")
@spec_argument
@policy_option
@click.option("--assign", is_flag=True, help="Find fixed priorities under which it holds (Audsley's algorithm).")
@click.option(
    "--from",
    "source",
    type=click.Path(),
    metavar="RESULT",
    help="A finished run: take the longest execution of each task and the longest middleware section from it.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1000),
    default=20.0,
    show_default=True,
    metavar="PERCENT",
    help="With --from: on top of what was observed.",
)
@click.option("--overhead-job", type=_COST, default="0ns", show_default=True, help="Dispatch, added to each job.")
@click.option(
    "--overhead-preemption", type=_COST, default="0ns", show_default=True, help="Added for each job that may preempt."
)
@click.option(
    "--section", type=_COST, help="The longest middleware section [default: none, or that of the run with --from]."
)
@click.option("--jitter", type=_COST, default="0ns", show_default=True, help="How late releases may be noticed.")
@click.option(
    "--processors", type=click.IntRange(1, 128), help="Over how many the tasks are partitioned [default: the spec's]."
)
@click.option("--simulate", "simulated", is_flag=True, help="Lay the model's longest responses beside (--out does).")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Keep check.json and a plot here.")
@json_option
def check_command(
    spec: Path,
    policy: str | None,
    assign: bool,
    source: str | None,
    margin: float,
    overhead_job: int,
    overhead_preemption: int,
    section: int | None,
    jitter: int,
    processors: int | None,
    simulated: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Say whether the application SPEC meets every deadline, before it runs.

    For each task an upper bound of its response times, by an analysis of the policy: busy periods under
    fixed priorities (fp, rm, dm), processor demand under edf, both also for np- forms and groups. Along
    readers and producers, how old data gets. Where it does not hold: which task, why, and what would mend
    it. The exit status is 0 only if it holds.

    \b
    Examples:
      takt check examples/planner.yaml
      takt check examples/planner.yaml --policy edf --overhead-job 5us --overhead-preemption 10us
      takt check examples/planner.yaml --assign
      takt check examples/planner.yaml --from results/run --margin 30
    """
    loaded = read_spec(spec, policy)
    application = loaded.application
    number = application.processors if processors is None else processors
    if number < application.processors:
        raise UsageError(f"--processors {number}: {spec} places callbacks on {application.processors}")
    costs = Costs(overhead_job, overhead_preemption, section or 0, jitter)
    basis = _basis(application, costs, source, Fraction(str(margin)) / 100, section)
    on = placement(application, number)
    given = basis.demands
    found = _assigned(application, on, given) if assign else None
    checked = check(found or application, on, given)
    summary = _summary(checked, basis, on, number if simulated or out else None)
    if assign:
        summary |= {"assigned": None if found is None else {t.id: t.callback.priority for t in found.tasks}}
        if found is None:
            summary["notes"].append("no assignment of fixed priorities is found under which it holds")
    if out is not None:
        with ResultFolder(out) as folder:
            _keep(folder.path, loaded, checked.application, summary)
    if as_json:
        print_json(summary | ({"folder": str(out)} if out else {}))
    else:
        show(*check_report(summary, out))
    if not holds(summary):
        click.get_current_context().exit(1)


def _basis(application: Application, costs: Costs, source: str | None, margin: Fraction, section: int | None) -> _Basis:
    notes = []
    if application.overload is not None and application.overload.factor > 1:
        notes.append(f"WCETs are those of the spec's overload, times {application.overload.factor:g}")
    if source is None:
        wcets, measured = declared(application), {}
    else:
        if not source:
            raise UsageError("--from: is empty; name the folder of a finished run")
        result = read_result(Path(source))
        seen = observed(application, result)
        wcets = tuple(with_margin(seen[task.index].execution, margin) for task in application.tasks)
        measured = {index: each.response for index, each in seen.items() if each.response is not None}
        least = min(each.jobs for each in seen.values())
        of = f"the longest observed in {source} ({least} jobs or more of each task)"
        notes.append(f"WCETs are {of}, and {float(100 * margin):g} %")
        if section is None:
            costs = replace(costs, section=longest_section(result))
    if not costs.job and not costs.preemption:
        notes.append("no overhead of dispatch is counted: see --overhead-job and --overhead-preemption")
    if costs.section:
        notes.append(f"the longest middleware section is taken to be {format_duration(costs.section)}")
    return _Basis(Demands(wcets, costs), measured, notes)


def _assigned(application: Application, on: tuple[int, ...], demands: Demands) -> Application | None:
    if application.policy.removeprefix("np-") not in {"fp", "rm", "dm"}:
        raise UsageError(f"--assign: priorities mean nothing under {application.policy}; add --policy dm")
    return assigned(application, on, demands)


def _summary(checked: Check, basis: _Basis, on: tuple[int, ...], simulated_on: int | None) -> dict[str, Any]:
    rooms: dict[int, Room] = {p.number: room(checked.application, p, basis.demands) for p in checked.processors}
    summary = check_summary(checked, rooms)
    summary["notes"] = basis.notes
    summary["mends"] = mends(checked, on, rooms)
    simulated = {}
    if simulated_on is not None:
        simulated = longest_responses(checked.application, default_duration(checked.application), simulated_on)
    for task in summary["tasks"]:
        task["simulated_ns"] = simulated.get(task["index"])
        task["measured_ns"] = basis.measured.get(task["index"])
    return summary


def _keep(folder: Path, spec: Spec, application: Application, summary: dict[str, Any]) -> None:
    (folder / "spec.yaml").write_bytes(spec.text)
    (folder / "resolved.json").write_text(json.dumps(application.to_json(), indent=1) + "\n", "utf-8")
    (folder / "check.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    if summary["tasks"]:
        (folder / "responses.svg").write_text(check_plot(summary), "utf-8")
