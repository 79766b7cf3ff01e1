# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The file `paper.yaml` of each paper: what it says, how its claims are judged, and the options of its command."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Generic, cast

import msgspec
import yaml

from takt_cli.options.usage import Option, Usage
from takt_cli.paper.claims import Claim, Way, WayT


class Command(Usage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of `takt paper NAME`: its help, the default of --scale, and the help of --scale and --cpu."""

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
    options: tuple[Option, ...]
    notes: tuple[str, ...]
    claims: tuple[Claim[WayT], ...]
    goals: tuple[Claim[WayT], ...]
    texts: dict[str, str] = {}
    prototype: bool = False

    def rule(self, claim: Claim[WayT]) -> str:
        """Return the rule of a claim with its texts and tolerances."""
        return claim.rule.format(**self.texts, **msgspec.structs.asdict(claim.judged))


def read_paper(name: str, ways: Sequence[type[Way]]) -> PaperFile[Way]:
    """Return the content of the file of a paper whose claims are judged in these ways."""
    text = files(__package__).joinpath(name, "paper.yaml").read_text("utf-8")
    one_of: Any = ways[0]
    for way in ways[1:]:
        one_of |= way
    kind = cast("Any", PaperFile)[one_of]
    paper: PaperFile[Way] = msgspec.convert(yaml.load(text, Loader=yaml.CSafeLoader), kind)
    return paper
