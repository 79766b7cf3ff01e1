# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The framework for reproducing papers: parts that are measured one by one, their figures, verdicts and goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from takt_cli.chart.chart import Chart
from takt_cli.paper.claims import EACH, Claim, Goal, Open, Verdict, Way
from takt_cli.paper.paper_file import PaperFile
from takt_cli.paper.verdict import Finding, Outcome, inconclusive
from takt_cli.report.plotly_page import Section, Table
from takt_cli.results.origin import Host
from takt_cli.run.progress import Progress

_REACHED = {Outcome.confirmed: True, Outcome.better: True, Outcome.refuted: False}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that must be the same for all parts that are combined in one folder; papers have further ones."""

    scale: float
    cpus: tuple[int, ...]


class AnySetup(Protocol):
    """The options that the user gave, of whatever paper. `command` is the command line, for the record."""

    @property
    def command(self) -> tuple[str, ...]: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def nothing_chosen(self) -> str:
        """What is said if these options leave nothing to measure."""
        ...


SetupT = TypeVar("SetupT", bound=AnySetup)
_SetupT_contra = TypeVar("_SetupT_contra", bound=AnySetup, contravariant=True)


class Failure(msgspec.Struct, frozen=True):
    """A measurement or a run that failed."""

    measurement: str
    error: str


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a part, from raw results that may be incomplete; each kind of part has further ones.

    `runs`, `failed` and `pending` say how much was measured, `absent` what is not part of this build or not installed.
    """

    runs: int
    failed: list[Failure]
    pending: int
    began: str | None = None
    host: Host | None = None
    duration_s: float | None = None
    absent: list[str] = []


Parts = Mapping[str, Any]
"""The figures of the parts that were measured, by name. Each part has its own class of `Figures`."""


class PaperPart(Protocol[_SetupT_contra]):
    """An experiment of a paper."""

    @property
    def name(self) -> str: ...
    @property
    def figures(self) -> type[Figures]:
        """The class of its figures."""
        ...

    def items(self, setup: _SetupT_contra, /) -> int:
        """Return the number of its runs, for the progress bar."""
        ...

    def seconds(self, setup: _SetupT_contra, /) -> float:
        """Return the estimated duration in s."""
        ...

    def measure(self, setup: _SetupT_contra, folder: Path, progress: Progress, resume: bool, /) -> None:
        """Write raw results into `folder`; with `resume`, continue with what is there. Raises a TaktError."""
        ...

    def statistics(self, folder: Path, /) -> Any:
        """Return the figures, of the class `figures` or convertible to it."""
        ...


def figures_of_part(parts: Parts, claim: Claim[Any]) -> Any:
    """Return the figures of the part by which a claim is judged, or a finding if it was not run."""
    return parts.get(claim.part) or inconclusive(f"{claim.part} was not run")


@dataclass(frozen=True)
class Paper(Generic[SetupT]):
    """A paper: what it says, how its experiments are made here, and how their figures are shown.

    `setup` takes the scale, the chosen CPUs if any, and the command line, and by name what the file's options set.
    `find` returns what a claim is judged by, or a finding if that was not run. `sections` are those of the page, made
    from the figures and the tables. `names` are those of the parts, or of their tests, that the user may give, each
    with its part.
    """

    name: str
    file: PaperFile[Way]
    parts: dict[str, PaperPart[SetupT]]
    tables: Callable[[Parts], dict[str, Table]]
    charts: Callable[[Parts], dict[str, Chart]]
    sections: Callable[[Parts, dict[str, Table]], list[Section]]
    setup: Callable[..., SetupT]
    find: Callable[[Parts, Claim[Any]], Any] = figures_of_part
    names: Mapping[str, str] = field(default_factory=dict)
    names_are: str = "PART"
    shows_tables: bool = False
    """Whether the terminal shows the tables, too."""
    facts: Callable[[Parts], list[tuple[str, str]]] = lambda _: []
    """Further facts of the results, each with its name."""

    def verdicts(self, parts: Parts) -> list[Verdict]:
        """Return the verdicts on all claims by the figures of the parts that were measured."""
        verdicts = []
        for each in self.file.claims:
            finding = self._judge(parts, each)
            verdict = finding.outcome.value, finding.why, self.file.rule(each), each.part
            verdicts.append(Verdict(each.section, each.claim, each.printed, *verdict))
        return verdicts

    def goals(self, parts: Parts) -> list[Goal]:
        """Return all goals with whether they were reached."""
        goals = []
        for goal in self.file.goals:
            for part in parts if goal.part == EACH else (goal.part,):
                finding = self._judge(parts, msgspec.structs.replace(goal, part=part))
                reached, is_short = _REACHED.get(finding.outcome), finding.outcome is Outcome.short
                text = f"{part}: {goal.claim}" if goal.part == EACH else goal.claim
                goals.append(Goal(text, reached, finding.why, is_short))
        return goals

    def _judge(self, parts: Parts, claim: Claim[Way]) -> Finding:
        if isinstance(claim.judged, Open):
            return inconclusive(claim.judged.why)
        found = self.find(parts, claim)
        return found if isinstance(found, Finding) else claim.judged.judge(found)
