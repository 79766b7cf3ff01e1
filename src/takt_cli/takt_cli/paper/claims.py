# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a paper says, as data: the file `paper.yaml` of each paper, with its claims and how each is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Generic, TypeVar, cast

import msgspec
import yaml

from takt_cli.paper.verdict import Finding, Outcome, inconclusive

# The part of a goal that is set for each part that was measured.
EACH = "each"
_REACHED = {Outcome.confirmed: True, Outcome.better: True, Outcome.refuted: False}


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="way", tag=True):
    """A way to judge a claim. The fields of its classes are what the paper's file says of each claim."""

    def judge(self, figures: Any, /) -> Finding:
        """Return the verdict by the figures that `Paper.find` found for the claim."""
        raise NotImplementedError


class Open(Way, frozen=True):
    """The claim cannot be judged here, whatever was run."""

    why: str


WayT = TypeVar("WayT", bound=Way)


class Claim(msgspec.Struct, Generic[WayT], frozen=True, forbid_unknown_fields=True):
    """A claim as it is printed in a section, or a goal for takt: then only `claim`, `part`, `tests` and `judged` are
    given. `rule` describes for the reader how it is judged, with its tolerance: names in braces stand for the file's
    `texts` and for the fields of `judged`."""

    claim: str
    part: str
    judged: WayT
    section: str = ""
    printed: str = ""
    rule: str = ""
    tests: tuple[str, ...] = ()


class Verdict(msgspec.Struct, frozen=True):
    """A claim with its verdict, as in paper.json."""

    section: str
    claim: str
    printed: str
    verdict: str
    why: str
    rule: str
    part: str


class Goal(msgspec.Struct, frozen=True):
    """A goal for takt. `reached` is None if that cannot be decided, and `too_short` is true if a longer measurement
    could decide it."""

    goal: str
    reached: bool | None
    why: str
    too_short: bool = False


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of `takt paper NAME`: its help, the default of --scale, and the help of --scale and --cpu."""

    short_help: str
    help: str
    scale: float
    scale_help: str
    cpu_help: str


class PaperFile(msgspec.Struct, Generic[WayT], frozen=True, forbid_unknown_fields=True):
    """The content of `paper.yaml`. `claimant` is what makes the claims, such as "the thesis"; takt may exceed those on
    the paper's own prototype if it has one. `notes` tell the reader how contradictions in the paper are interpreted,
    and what is done differently here."""

    title: str
    page_title: str
    claimant: str
    command: Command
    notes: tuple[str, ...]
    claims: tuple[Claim[WayT], ...]
    goals: tuple[Claim[WayT], ...]
    texts: dict[str, str] = {}
    prototype: bool = False

    def rule(self, claim: Claim[WayT]) -> str:
        """Return the rule of a claim with its texts and tolerances."""
        return claim.rule.format(**self.texts, **msgspec.structs.asdict(claim.judged))

    def verdicts(self, find: Callable[[Claim[Any]], Any]) -> list[Verdict]:
        """Return the verdicts on all claims. `find` returns the figures of a claim, or a finding if it has none."""
        verdicts = []
        for each in self.claims:
            finding = _judge(each, find)
            verdict = finding.outcome.value, finding.why, self.rule(each), each.part
            verdicts.append(Verdict(each.section, each.claim, each.printed, *verdict))
        return verdicts

    def reached(self, parts: Mapping[str, Any], find: Callable[[Claim[Any]], Any]) -> list[Goal]:
        """Return all goals with whether they were reached."""
        goals = []
        for each in self._goals(parts):
            finding = _judge(each, find)
            reached, is_short = _REACHED.get(finding.outcome), finding.outcome is Outcome.short
            goals.append(Goal(each.claim, reached, finding.why, is_short))
        return goals

    def _goals(self, parts: Mapping[str, Any]) -> Iterator[Claim[WayT]]:
        for goal in self.goals:
            if goal.part != EACH:
                yield goal
                continue
            for part in parts:
                yield msgspec.structs.replace(goal, part=part, claim=f"{part}: {goal.claim}")


def read_paper(name: str, ways: Sequence[type[Way]]) -> PaperFile[Way]:
    """Return the content of the file of a paper whose claims are judged in these ways."""
    text = files(__package__).joinpath(name, "paper.yaml").read_text("utf-8")
    one_of: Any = ways[0]
    for way in ways[1:]:
        one_of |= way
    kind = cast("Any", PaperFile)[one_of]
    paper: PaperFile[Way] = msgspec.convert(yaml.load(text, Loader=yaml.CSafeLoader), kind)
    return paper


def _judge(claim: Claim[Any], find: Callable[[Claim[Any]], Any]) -> Finding:
    figures = inconclusive(claim.judged.why) if isinstance(claim.judged, Open) else find(claim)
    return figures if isinstance(figures, Finding) else claim.judged.judge(figures)
