# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The framework for reproducing papers: parts that are measured one by one, their figures, verdicts and goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from takt_cli.chart.chart import Chart
from takt_cli.errors import HostError, UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.paper.claims import EACH, Claim, ClaimVerdict, Goal, Open, Way
from takt_cli.paper.exhibit import Exhibit, ExhibitTexts
from takt_cli.paper.paper_file import PaperFile
from takt_cli.paper.verdict import Finding, NotJudged, Outcome, inconclusive
from takt_cli.report.plotly_page import Section, Table
from takt_cli.run.progress import Progress
from takt_cli.run.transports import missing_transports

_REACHED = {Outcome.confirmed: True, Outcome.better: True, Outcome.refuted: False}


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="subject"):
    """The settings that are the same for all parts in one folder; papers have further ones, by their subject."""

    scale: float
    cpus: tuple[int, ...]

    @property
    def nothing_chosen(self) -> str:
        """What is said if these settings leave nothing to measure."""
        return "none of the paper's measurements can be made with these options"


SettingsT = TypeVar("SettingsT", bound=Settings)


@dataclass(frozen=True)
class Setup(Generic[SettingsT]):
    """How a paper is measured: the settings, the command line for the record, and for each transport that this build
    lacks the reason."""

    settings: SettingsT
    command: tuple[str, ...] = ()
    missing_transports: Mapping[str, str] = field(default_factory=dict)


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
    duration_s: float | None = None
    absent: list[str] = []


Parts = Mapping[str, Any]
"""The figures of the parts that were measured, by name. Each part has its own class of `Figures`."""


class PaperPart(Protocol[SettingsT]):
    """An experiment of a paper."""

    @property
    def name(self) -> str: ...
    @property
    def figures(self) -> type[Figures]:
        """The class of its figures."""

    def items(self, setup: Setup[SettingsT], /) -> int:
        """Return the number of its runs, for the progress bar."""

    def seconds(self, setup: Setup[SettingsT], /) -> float:
        """Return the estimated duration in s."""

    def measure(self, setup: Setup[SettingsT], folder: Path, progress: Progress, resume: bool, /) -> None:
        """Write raw results into `folder`; with `resume`, continue with what is there. Raises a TaktError."""

    def statistics(self, folder: Path, /) -> Figures:
        """Return the figures, of the class `figures`."""


def paper_cpus(chosen: tuple[int, ...] | None, count: int = 1) -> tuple[int, ...]:
    """Return the CPUs to run on: those that are `chosen`, else the last `count` that this process may use.

    Raises a UsageError if both are given and do not agree, a HostError if this process may not use that many.
    """
    if chosen is not None:
        if count > 1 and len(chosen) != count:
            raise UsageError(f"--cpu: names {len(chosen)} and --cpu-count {count} CPUs; leave --cpu-count out")
        if len(chosen) > 2:
            raise UsageError("--cpu: names more than two CPUs; give one or two")
        return choose_cpus(chosen)
    allowed = allowed_cpus()
    if len(allowed) < count:
        raise HostError(f"--cpu-count {count}: this process may use CPU {allowed[0]} only; give 1")
    return tuple(allowed[-count:])


def figures_of_part(parts: Parts, claim: Claim[Any]) -> Any:
    """Return the figures of the part by which a claim is judged. Raises NotJudged if it was not run."""
    if claim.part not in parts:
        raise NotJudged(f"{claim.part} was not run")
    return parts[claim.part]


@dataclass(frozen=True)
class Paper(Generic[SettingsT]):
    """A paper: what it says, how its experiments are made here, and how their figures are shown.

    `settings` is the class of its settings, whose fields the file's options set, and `program` measures its messages if
    it has some. `find` returns what a claim is judged by, and raises NotJudged if that was not run. `names` are those
    of the parts, or of their tests, that the user may give, each with its part.
    """

    name: str
    file: PaperFile[Way]
    settings: type[SettingsT]
    parts: dict[str, PaperPart[SettingsT]]
    exhibits: Callable[[Parts, Mapping[str, ExhibitTexts]], Iterable[Exhibit]]
    program: str | None = None
    find: Callable[[Parts, Claim[Any]], Any] = figures_of_part
    names: Mapping[str, str] = field(default_factory=dict)
    names_are: str = "PART"
    shows_tables: bool = False
    """Whether the terminal shows the tables, too."""
    facts: Callable[[Parts], list[tuple[str, str]]] = lambda _: []
    """Further facts of the results, each with its name."""

    def setup(
        self, scale: float, chosen: tuple[int, ...] | None, command: tuple[str, ...], *, count: int = 1, **options: Any
    ) -> Setup[SettingsT]:
        """Return the setup by the options that the user gave: the CPUs that were `chosen`, or else so many of them."""
        given = {name: value for name, value in options.items() if value is not None}
        content = {"scale": scale, "cpus": paper_cpus(chosen, count), **given}
        settings = msgspec.convert(content, self.settings, strict=False)
        return Setup(settings, command, missing_transports(self.program) if self.program else {})

    def tables(self, parts: Parts) -> dict[str, Table]:
        """Return the tables by name."""
        exhibits = sorted(self.exhibits(parts, self.file.exhibits), key=lambda each: each.rank)
        return {each.name: each.table for each in exhibits if each.table is not None}

    def charts(self, parts: Parts) -> dict[str, Chart]:
        """Return the figures by name."""
        exhibits = self.exhibits(parts, self.file.exhibits)
        return {name: chart for each in exhibits for name, chart in each.figures.items()}

    def sections(self, parts: Parts) -> list[Section]:
        """Return the sections of the page that have something to show, each with its plots first."""
        sections, exhibits = [], list(self.exhibits(parts, self.file.exhibits))
        for name, title in self.file.sections.items():
            mine = [each for each in exhibits if each.section == name]
            plots = [each.plot for each in mine if each.plot is not None]
            tables = [each.table for each in mine if each.table is not None and each.plot is None]
            if plots or tables:
                sections.append(Section(name, title, plots=plots, tables=tables))
        return sections

    def verdicts(self, parts: Parts) -> list[ClaimVerdict]:
        """Return the verdicts on all claims by the figures of the parts that were measured."""
        verdicts = []
        for each in self.file.claims:
            finding = self._judge(parts, each)
            verdict = finding.outcome.value, finding.why, self.file.rule(each), each.part
            verdicts.append(ClaimVerdict(each.section, each.claim, each.printed, *verdict))
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
        try:
            return claim.judged.judge(self.find(parts, claim))
        except NotJudged as reason:
            return inconclusive(str(reason))
