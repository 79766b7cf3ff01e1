# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of the result of a paper, and its summary: the figures of all parts that were measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from takt_cli.errors import ResultError
from takt_cli.paper.batch_part import BatchSettings
from takt_cli.paper.claims import ClaimVerdict, Goal
from takt_cli.paper.communication import CommunicationSettings
from takt_cli.paper.papers import find_paper, paper_names
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import NoRecord, ResultFormat, StoredResult


class PaperSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which paper was asked for, and the settings of all its parts."""

    paper: str
    options: BatchSettings | CommunicationSettings


class PaperSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the parts that were measured, verdicts and goals."""

    parts: Mapping[str, Any]
    claims: list[ClaimVerdict]
    goals: list[Goal]
    faults: list[str]


# There is no record, since a paper's result is written before its first part, so that it can be continued.
PAPER_FORMAT = ResultFormat("paper", 3, PaperSettings, NoRecord)


@dataclass(frozen=True)
class PaperResult(StoredResult[PaperSettings, NoRecord]):
    """The result of a paper, whose parts may be incomplete."""

    summary: PaperSummary


def read_paper_result(folder: Path) -> PaperResult:
    """Read the result of a paper, with the figures of each part as its own class. Raises a ResultError."""
    envelope, path = PAPER_FORMAT.read(folder), folder / "summary.json"
    if (name := envelope.settings.paper) not in paper_names():
        raise ResultError(f"{folder}: is of the paper {name}, which this takt does not know; measure again")
    try:
        summary = read_json(path, PaperSummary)
        kinds = find_paper(name).parts
        parts = {part: msgspec.convert(figures, kinds[part].figures) for part, figures in summary.parts.items()}
    except (ResultError, KeyError, msgspec.ValidationError):
        raise ResultError(
            f"{path}: is missing or not in the format of this version of takt; run `takt paper` again with --resume"
        ) from None
    return PaperResult(folder, envelope, msgspec.structs.replace(summary, parts=parts))
