# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of `takt report`, on a batch, a demo or a single run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from takt_cli.analysis.result_set import BATCH, RUN, ResultSet
from takt_cli.errors import ResultError
from takt_cli.report.measures import COSTS, DEADLINES_AND_DATA
from takt_cli.report.plotly_page import Section, Table, study_page
from takt_cli.report.run_detail import detail_sections
from takt_cli.report.study import Study
from takt_cli.report.study_facts import facts, notes, recording_cost
from takt_cli.report.study_plots import figure_plot
from takt_cli.report.tables.study import cards, failed_table, overview_table, runs_table
from takt_cli.report.texts import REMARKS
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.results.json_file import read_json
from takt_cli.spec.units import format_duration, format_size

# Parameters of the generator that the table shows anyway, since they follow from the application.
_KNOWN = ("nodes", "utilisation", "periods", "message_size")


def result_page(result: ResultSet, page_folder: Path) -> str:
    """Return the page as HTML. `page_folder` is the folder that it will be written to; links are relative to it."""
    if not result.runs:
        raise ResultError(f"{result.folder}: has no finished run to report on; run or resume the batch first")
    study = Study(result, page_folder)
    details = [] if result.kind == BATCH else detail_sections(study)
    sections = [*_side_by_side(study), *details, _runs(study), applications_section(study)]
    return study_page(_title(study), _subtitle(study), sections, facts(study), list(notes(study)))


def _title(study: Study) -> str:
    names = study.order
    if study.results.kind == RUN:
        return f"{names[0]} under {study.executors[0]}"
    subject = names[0] if len(names) == 1 else f"{len(names)} applications"
    return (
        f"{subject} under {', '.join(study.executors[:-1])} and {study.executors[-1]}"
        if len(study.executors) > 1
        else f"{subject} under {study.executors[0]}"
    )


def _subtitle(study: Study) -> list[str]:
    """Return short phrases on what was run, for the line below the title."""
    applications = list(study.applications.values())
    nodes = sorted({len(application.nodes) for application in applications})
    loads = sorted({round(application.utilisation, 2) for application in applications})
    sizes = sorted({application.largest_message for application in applications})
    cpus = sorted({cpu for run in study.runs for cpu in run.host.used_cpus})
    first = study.runs[0]
    return [
        f"{len(study.runs)} {'run' if len(study.runs) == 1 else 'runs'}",
        f"{_span([str(n) for n in nodes])} nodes",
        f"utilisation {_span([f'{load:.2f}' for load in loads])}",
        f"messages of {_span([format_size(size) for size in sizes])}",
        f"CPU {', '.join(map(str, cpus))}",
        f"{first.settings.duration / 1e9:g} s each",
        first.record.rmw,
    ]


def _side_by_side(study: Study) -> list[Section]:
    if len(study.runs) == 1:
        return [Section("overview", "Overview", cards=cards(study))]
    overview = Section("overview", "Overview", cards=cards(study), tables=[overview_table(study)])
    text = REMARKS["rows of a study"]
    measuring = recording_cost(study)
    costs = (
        [f"Recording takes {measuring} of CPU time per job under every executor, included here."] if measuring else []
    )
    return [
        overview,
        Section("deadlines", "Deadlines and data", [text], [figure_plot(study, each) for each in DEADLINES_AND_DATA]),
        Section("costs", "Overhead", costs, [figure_plot(study, each) for each in COSTS]),
    ]  # fmt: skip


def _runs(study: Study) -> Section:
    failed = failed_table(study)
    tables = [runs_table(study)] + ([failed] if failed else [])
    text = "All runs, each with links to the files that its figures were computed from."
    return Section("runs", "Runs", [text], tables=tables)


def _span(values: list[str]) -> str:
    if len(values) <= 3:
        return ", ".join(values)
    return f"{values[0]} to {values[-1]}"


def applications_section(study: Study) -> Section:
    """Return the section: a row for each application, with those parameters of the generator that differ."""
    generated = _generated(study)
    parameters_by_application = {each.name: each.parameters for each in generated.applications} if generated else {}
    parameters_by_name = {study.name(run): parameters_by_application.get(run.application, {}) for run in study.runs}
    parameters = _differing([each for each in parameters_by_name.values() if each])
    rows = []
    for name in study.order:
        application = study.applications[name]
        tasks = application.tasks
        periods = sorted({task.callback.period for task in tasks})
        rows.append({
            "application": name,
            "nodes": format_count(len(application.nodes)),
            "tasks": format_count(len(tasks)),
            "utilisation": f"{application.utilisation:.3f}",
            "periods": ", ".join(format_duration(period) for period in periods),
            "topics": format_count(len(application.topics)),
            "largest message": format_size(application.largest_message) if application.topics else NONE,
            "policy": application.policy,
            **{each.replace("_", " "): _text(parameters_by_name[name].get(each)) for each in parameters},
        })  # fmt: skip
    table = Table.of("The applications", rows)
    seed = "" if generated is None or generated.seed is None else f", seed {generated.seed}"
    command = " ".join(generated.command or ["takt", "generate"]) if generated else ""
    made = [f"Generated by {command}{seed}."] if generated else []
    return Section("applications", "Applications", made, tables=[table])


class _GeneratedApplication(msgspec.Struct, frozen=True):
    name: str
    parameters: dict[str, Any] = {}


class _Generated(msgspec.Struct, frozen=True):
    """The part of generated.json that is read here."""

    applications: list[_GeneratedApplication] = []
    command: list[str] = []
    seed: int | None = None


def _generated(study: Study) -> _Generated | None:
    """Return how the applications were generated; None if the folder of the set does not say so."""
    path = study.results.folder / "generated.json"
    return read_json(path, _Generated) if path.exists() else None


def _differing(parameters: list[dict[str, Any]]) -> list[str]:
    """Return the names of the parameters whose values are not the same in all applications."""
    names = dict.fromkeys(name for each in parameters for name in each if name not in _KNOWN)
    return [name for name in names if len({_text(each.get(name)) for each in parameters}) > 1]


def _text(value: Any) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_text(each)}" for name, each in value.items())
    return format_number(value) if isinstance(value, float) else str(value)
