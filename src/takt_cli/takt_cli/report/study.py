# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A set of results, prepared for a page: its runs grouped by application and executor, and the links to each run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import quote

from takt_cli.analysis.hosts import Hosts, hosts_of
from takt_cli.analysis.natural_order import natural_key
from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.report.plotly_page import Link
from takt_cli.report.values import format_number
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import RESOLVED_FILE
from takt_cli.spec.application import Application
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.units import format_size


class Case(NamedTuple):
    """An application under one executor; its runs are repetitions of each other."""

    application: str
    executor: str


class Group(NamedTuple):
    """Applications that are listed together under a common title."""

    title: str
    applications: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """A set of results. `page_folder` is the folder that the page will be written to; links to files are relative to
    it."""

    results: ResultSet
    page_folder: Path

    @property
    def runs(self) -> tuple[SetRun, ...]:
        """All finished runs of the set."""
        return self.results.runs

    @cached_property
    def executors(self) -> list[str]:
        """The executors that ran: those that takt knows in their usual order, then any others by name."""
        names = {run.executor for run in self.runs}
        return [name for name in ALL_EXECUTORS if name in names] + sorted(names - set(ALL_EXECUTORS))

    @cached_property
    def cases(self) -> dict[Case, list[SetRun]]:
        """The runs of each case by their numbers; cases are in the order in which they are shown."""
        runs_by_case: dict[Case, list[SetRun]] = {}
        for application in self.order:
            for executor in self.executors:
                runs_of_case = [r for r in self.runs if (self.name(r), r.executor) == (application, executor)]
                if runs_of_case:
                    runs_by_case[Case(application, executor)] = sorted(runs_of_case, key=lambda run: run.run)
        return runs_by_case

    @cached_property
    def hosts(self) -> Hosts:
        """The hosts of the runs, and in which facts they differ."""
        return hosts_of([run.host for run in self.runs])

    def name(self, run: SetRun) -> str:
        """Return the name of the run's application. If there are different kinds of hosts the name includes that of the
        run's kind, since runs of different kinds have no common median."""
        label = self.hosts.label(run.host)
        return run.application if label is None else f"{run.application}, {label}"

    @cached_property
    def applications(self) -> dict[str, Application]:
        """The applications as they were run, by name."""
        first = {self.name(run): run for run in reversed(self.runs)}
        return {name: read_json(run.folder / RESOLVED_FILE, Application) for name, run in first.items()}

    def application(self, run: SetRun) -> Application:
        """Return the application of the run."""
        return self.applications[self.name(run)]

    @cached_property
    def groups(self) -> list[Group]:
        """The applications grouped by number of nodes, ordered by utilisation, then by message size. If several
        applications share both number of nodes and utilisation, they are grouped by both."""
        kinds = {name: (len(app.nodes), round(app.utilisation, 2)) for name, app in self.applications.items()}
        by_utilisation = 2 * len(set(kinds.values())) <= len(kinds)
        ordered = sorted(kinds, key=lambda n: (kinds[n], self.applications[n].largest_message, natural_key(n)))
        names_by_group: dict[str, list[str]] = {}
        for name in ordered:
            nodes, utilisation = kinds[name]
            title = f"{nodes} {'node' if nodes == 1 else 'nodes'}"
            names_by_group.setdefault(
                f"{title}, utilisation {format_number(utilisation)}" if by_utilisation else title, []
            ).append(name)
        return [Group(title, tuple(names)) for title, names in names_by_group.items()]

    @cached_property
    def labels(self) -> dict[str, str]:
        """The names of applications without the prefix that all of them share."""
        same_length = 0
        if len(self.order) > 1:
            same_length = next(
                (i for i, letters in enumerate(zip(*self.order, strict=False)) if len(set(letters)) > 1), 0
            )
        cut = max(self.order[0].rfind(mark, 0, same_length) for mark in "-_ ") + 1
        return {name: name[cut:] for name in self.order}

    @cached_property
    def order(self) -> list[str]:
        """The names of the applications in the order in which they are shown."""
        return [name for group in self.groups for name in group.applications]

    @cached_property
    def _places(self) -> dict[Path, str]:
        return {run.folder: f"run-{number}" for number, run in enumerate(self.runs, 1)}

    def anchor(self, run: SetRun) -> str:
        """Return the element id of the run's row on the page."""
        return self._places[run.folder]

    def link_to_run(self, run: SetRun) -> str:
        """Return a link to the run's row on the page."""
        return f"#{self.anchor(run)}"

    def links(self, runs: Iterable[SetRun]) -> list[Link]:
        """Return links to the rows of the runs of one case, labelled with the numbers of the runs."""
        return [Link(str(run.run), self.link_to_run(run), f"run of {run_title(run)}") for run in runs]

    def files(self, run: SetRun) -> list[Link]:
        """Return links to the files of the run, relative to the page."""
        folder = quote(os.path.relpath(run.folder.resolve(), self.page_folder.resolve()).replace(os.sep, "/"))
        return [
            Link("summary", f"{folder}/summary.json", f"summary of {run_title(run)}"),
            Link("record", f"{folder}/result.json", f"record of {run_title(run)}"),
            Link("samples", f"{folder}/", f"folder of {run_title(run)}"),
        ]


def run_title(run: SetRun) -> str:
    """Return a name for the run: `rover under takt, run 2`."""
    return f"{run.application} under {run.executor}, run {run.run}"


def describe_application(application: Application) -> str:
    """Return the property that distinguishes the applications of a group, which is their message size."""
    return f"{format_size(application.largest_message)} messages" if application.largest_message else "no messages"


def format_median(values: Sequence[float | None], unit: str = "") -> str:
    """Format the median of the known values, with the range in brackets unless all are alike: `2.1 ms (1.9 to 3.4)`."""
    known_values = sorted(value for value in values if value is not None)
    if not known_values:
        return "\u2013"
    text = f"{format_number(median(known_values))} {unit}".rstrip()
    low, high = format_number(known_values[0]), format_number(known_values[-1])
    return text if low == high else f"{text} ({low} to {high})"
