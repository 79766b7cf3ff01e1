# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a reproduced paper: its result, and a subfolder for each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from takt_cli.errors import Interrupted, ResultError
from takt_cli.host.facts import host_facts
from takt_cli.paper.paper import Figures, Paper, Setup
from takt_cli.paper.result import PAPER_FORMAT, PaperResult, PaperSettings, PaperSummary
from takt_cli.results.result_file import RESULT_FILE, NoRecord
from takt_cli.run.origin import origin_before
from takt_cli.run.progress import Progress


@dataclass(frozen=True)
class PaperFolder:
    """A folder with the parts of one paper, which are measured one by one and all with the same setup."""

    paper: Paper[Any]
    setup: Setup[Any]
    path: Path

    def enter(self, parts: Sequence[str], resume: bool) -> None:
        """Prepare the folder for the parts to be measured.

        ResultError if it was made with another setup, or if a part exists and is not to be resumed.
        """
        settings = PaperSettings(self.paper.name, self.setup.settings)
        try:
            is_new = not (self.path / RESULT_FILE).exists()
            if not is_new:
                _require_same(self.path, PAPER_FORMAT.read(self.path).settings, settings)
            elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise ResultError(f"{self.path}: holds other files; choose another folder by --out")
            existing_parts = [part for part in parts if (self.path / part).exists()]
            if existing_parts and not resume:
                raise ResultError(
                    f"{self.path / existing_parts[0]}: already exists; continue it by --resume, or choose another "
                    "folder by --out"
                )
            self.path.mkdir(parents=True, exist_ok=True)
            if is_new:
                origin = origin_before(self.setup.command, host_facts(self.setup.settings.cpus))
                PAPER_FORMAT.write(self.path, origin, settings, NoRecord())
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

    def result(self) -> PaperResult:
        """Return the result with the figures of what has been measured so far, after `enter`."""
        made = {name: part for name, part in self.paper.parts.items() if (self.path / name).is_dir()}
        parts: dict[str, Figures] = {name: part.statistics(self.path / name) for name, part in made.items()}
        summary = PaperSummary(
            parts=parts,
            claims=self.paper.verdicts(parts),
            goals=self.paper.goals(parts),
            faults=[line for name, part in parts.items() for line in _faults(name, part)],
        )
        return PaperResult(self.path, PAPER_FORMAT.read(self.path), summary)


def _require_same(folder: Path, made: PaperSettings, wanted: PaperSettings) -> None:
    """Raise a ResultError that names the first setting that differs, if one does."""
    if made != wanted:
        old, new = ({"paper": each.paper} | msgspec.structs.asdict(each.options) for each in (made, wanted))
        name = next(each for each in new if old.get(each) != new[each])
        raise ResultError(
            f"{folder}: was made with {name} {old.get(name)!r}, not {new[name]!r}; use the same setting, or choose "
            "another folder by --out"
        )


def _faults(name: str, part: Figures) -> Iterator[str]:
    """Return a line for each failed run, and one if runs are pending."""
    yield from (f"{name}: {failed.measurement}: {failed.error}" for failed in part.failed)
    if part.pending:
        yield f"{name}: {part.pending} runs are pending; --resume continues"
