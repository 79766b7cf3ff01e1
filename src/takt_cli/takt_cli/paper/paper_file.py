# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The files in the folder of each paper: `paper.yaml` says what it says, how its claims are judged, which options its
command has and which texts its tables and plots; its printed tables are CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Generic, cast

import msgspec

from takt_cli.options.usage import Option, Usage
from takt_cli.paper.claims import Claim, Way, WayT
from takt_cli.paper.exhibit import ExhibitTexts
from takt_cli.results.json_file import Content
from takt_cli.spec.packaged import packaged


class Command(Usage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of `takt paper NAME`: its help, the default of --scale, and the help of --scale and --cpu."""

    scale: float
    scale_help: str
    cpu_help: str


class PaperFile(msgspec.Struct, Generic[WayT], frozen=True, forbid_unknown_fields=True):
    """The content of `paper.yaml`. `claimant` is what makes the claims, such as "the thesis"; takt may exceed those on
    the paper's own prototype if it has one. `sections` are those of the page, by id. `notes` tell the reader how
    contradictions in the paper are interpreted, and what is done differently here."""

    title: str
    page_title: str
    claimant: str
    command: Command
    options: tuple[Option, ...]
    notes: tuple[str, ...]
    claims: tuple[Claim[WayT], ...]
    goals: tuple[Claim[WayT], ...]
    sections: dict[str, str]
    exhibits: dict[str, ExhibitTexts]
    texts: dict[str, str] = {}
    prototype: bool = False

    def rule(self, claim: Claim[WayT]) -> str:
        """Return the rule of a claim with its texts and tolerances."""
        return claim.rule.format(**self.texts, **msgspec.structs.asdict(claim.judged))


def read_paper(name: str, ways: Sequence[type[Way]]) -> PaperFile[Way]:
    """Return the content of the file of a paper whose claims are judged in these ways."""
    one_of: Any = ways[0]
    for way in ways[1:]:
        one_of |= way
    paper: PaperFile[Way] = read_yaml(name, "paper", cast("Any", PaperFile)[one_of])
    return paper


def read_yaml(paper: str, name: str, kind: type[Content]) -> Content:
    """Return the content of a YAML file in the folder of a paper."""
    return packaged(f"{__package__}.{paper}", name, kind)


def printed_rows(paper: str, name: str, kind: type[Content]) -> tuple[Content, ...]:
    """Return the rows of a printed table, its columns as the fields of `kind`."""
    columns, *rows = cells_of(paper, name)
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    return msgspec.convert(named, tuple[kind, ...], strict=False)  # type: ignore[valid-type]


def cells_of(paper: str, name: str) -> list[list[str]]:
    """Return the cells of a file, the titles of its columns first."""
    return list(csv.reader(io.StringIO(files(__package__).joinpath(paper, f"{name}.csv").read_text("utf-8"))))
