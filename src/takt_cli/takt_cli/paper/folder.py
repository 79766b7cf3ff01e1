# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a reproduced paper: a subfolder for each part, and the summary of all parts that were measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Generic

import msgspec

from takt_cli.errors import Interrupted, ResultError
from takt_cli.paper.claims import ClaimVerdict, Goal
from takt_cli.paper.paper import Figures, Paper, Settings, SettingsT, Setup
from takt_cli.paper.papers import find_paper, paper_names
from takt_cli.results.json_file import encoded, plain, read_json, write_json
from takt_cli.results.origin import Host
from takt_cli.run.progress import Progress

SCHEMA_VERSION = 2
PAPER_FILE = "paper.json"
_SETUP = "setup.json"


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The content of paper.json: figures of all parts that were measured, verdicts and goals."""

    schema_version: int = SCHEMA_VERSION
    kind: str = "paper"
    paper: str
    title: str
    setup: Settings
    host: Host | None
    began: str | None
    parts_in_all: int
    parts: Mapping[str, Any]
    claims: list[ClaimVerdict]
    goals: list[Goal]
    notes: list[str]
    faults: list[str]


class PaperFolder(Generic[SettingsT]):
    """A folder with the parts of one paper, which are measured one by one and all with the same setup."""

    def __init__(self, paper: Paper[SettingsT], setup: Setup[SettingsT], path: Path) -> None:
        self.paper = paper
        self.setup = setup
        self.path = path

    def enter(self, parts: Sequence[str], resume: bool) -> None:
        """Prepare the folder for the parts to be measured.

        ResultError if it was made with another setup, or if a part exists and is not to be resumed.
        """
        expected = msgspec.json.decode(encoded({"paper": self.paper.name} | plain(self.setup.settings)))
        file = self.path / _SETUP
        try:
            if file.exists():
                made = read_json(file, dict[str, Any])
                for name in (each for each in expected if made.get(each) != expected[each]):
                    raise ResultError(
                        f"{self.path}: was made with {name} {made.get(name)!r}, not {expected[name]!r}; "
                        "use the same setting, or choose another folder by --out"
                    )
            elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise ResultError(f"{self.path}: holds other files; choose another folder by --out")
            existing_parts = [part for part in parts if (self.path / part).exists()]
            if existing_parts and not resume:
                raise ResultError(
                    f"{self.path / existing_parts[0]}: already exists; continue it by --resume, or choose another "
                    "folder by --out"
                )
            self.path.mkdir(parents=True, exist_ok=True)
            write_json(file, expected)
        except OSError as error:
            raise ResultError(f"{self.path}: cannot be used: {error}; choose another folder by --out") from None

    def measure(self, part: str, resume: bool) -> None:
        """Measure what a part still lacks. If a TaktError is raised, what is done is kept and can be resumed."""
        each = self.paper.parts[part]
        try:
            with Progress(each.items(self.setup), each.seconds(self.setup)) as progress:
                each.measure(self.setup, self.path / part, progress, resume)
        except Interrupted:
            resume_options = f"--resume --out {quote(str(self.path))}"
            raise Interrupted(
                f"interrupted in {part}; what is done is kept; continue with the same command and {resume_options}"
            ) from None

    def summary(self) -> Summary:
        """Return the content of paper.json."""
        parts: dict[str, Figures] = {
            name: part.statistics(self.path / name)
            for name, part in self.paper.parts.items()
            if (self.path / name).is_dir()
        }
        return Summary(
            paper=self.paper.name,
            title=self.paper.file.title,
            setup=self.setup.settings,
            host=next((part.host for part in parts.values() if part.host), None),
            began=min((part.began for part in parts.values() if part.began), default=None),
            parts_in_all=len(self.paper.parts),
            parts=parts,
            claims=self.paper.verdicts(parts),
            goals=self.paper.goals(parts),
            notes=list(self.paper.file.notes),
            faults=[line for name, part in parts.items() for line in _faults(name, part)],
        )


def read_summary(folder: Path) -> Summary:
    """Read paper.json in a folder, with the figures of each part. Raises a ResultError."""
    path = folder / PAPER_FILE
    try:
        summary = read_json(path, Summary)
        if summary.schema_version != SCHEMA_VERSION or summary.paper not in paper_names():
            raise ResultError(f"{path}: is of another version")
        kinds = {name: part.figures for name, part in find_paper(summary.paper).parts.items()}
        parts = {name: msgspec.convert(part, kinds[name]) for name, part in summary.parts.items()}
    except (ResultError, KeyError, msgspec.ValidationError):
        raise ResultError(
            f"{path}: is not in the format of this version of takt; run `takt paper` again with --resume"
        ) from None
    return msgspec.structs.replace(summary, parts=parts)


def _faults(name: str, part: Figures) -> Iterator[str]:
    """Return a line for each failed run, and one if runs are pending."""
    yield from (f"{name}: {failed.measurement}: {failed.error}" for failed in part.failed)
    if part.pending:
        yield f"{name}: {part.pending} runs are pending; --resume continues"
