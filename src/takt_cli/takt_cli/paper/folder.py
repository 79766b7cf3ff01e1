# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a reproduced paper: a subfolder for each part, and the summary of all parts that were measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Generic

from takt_cli.errors import Interrupted, ResultError
from takt_cli.paper.paper import Paper, SetupT
from takt_cli.paper.verdict import Goal
from takt_cli.run.progress import Progress

SCHEMA_VERSION = 1
_SETUP = "setup.json"


class PaperFolder(Generic[SetupT]):
    """A folder with the parts of one paper, which are measured one by one and all with the same setup."""

    def __init__(self, paper: Paper[SetupT], setup: SetupT, path: Path) -> None:
        self.paper = paper
        self.setup = setup
        self.path = path

    def enter(self, parts: Sequence[str], resume: bool) -> None:
        """Prepare the folder for the parts to be measured.

        ResultError if it was made with another setup, or if a part exists and is not to be resumed.
        """
        expected = {"paper": self.paper.name} | self.setup.to_json()
        file = self.path / _SETUP
        try:
            if file.exists():
                self._compare(json.loads(file.read_text("utf-8")), expected)
            elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise ResultError(f"{self.path}: holds other files; choose another folder by --out")
            existing_parts = [part for part in parts if (self.path / part).exists()]
            if existing_parts and not resume:
                raise ResultError(
                    f"{self.path / existing_parts[0]}: already exists; continue it by --resume, or choose another "
                    "folder by --out"
                )
            self.path.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(expected, indent=1) + "\n", "utf-8")
        except (OSError, ValueError) as error:
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

    def summary(self) -> dict[str, Any]:
        """Return the content of paper.json: figures of all parts that were measured, verdicts and goals."""
        parts = {
            name: part.statistics(self.path / name)
            for name, part in self.paper.parts.items()
            if (self.path / name).is_dir()
        }
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": "paper",
            "paper": self.paper.name,
            "title": self.paper.title,
            "setup": self.setup.to_json(),
            "host": next((part["host"] for part in parts.values() if part.get("host")), None),
            "began": min((part["began"] for part in parts.values() if part.get("began")), default=None),
            "parts_in_all": len(self.paper.parts),
            "parts": parts,
            "claims": self.paper.verdicts(parts),
            "goals": [_goal(goal) for goal in self.paper.goals(parts)],
            "notes": list(self.paper.notes),
            "faults": [line for name, part in parts.items() for line in _faults(name, part)],
        }

    def _compare(self, existing: dict[str, Any], requested: dict[str, Any]) -> None:
        for name, value in requested.items():
            if existing.get(name) != value:
                raise ResultError(
                    f"{self.path}: was made with {name} {existing.get(name)!r}, not {value!r}; "
                    "use the same setting, or choose another folder by --out"
                )


def _goal(goal: Goal) -> dict[str, Any]:
    return {"goal": goal.goal, "reached": goal.reached, "why": goal.why, "too_short": goal.too_short}


def _faults(name: str, part: dict[str, Any]) -> list[str]:
    """Return a line for each failed run, and one if runs are pending."""
    lines = [f"{name}: {_describe_failed(failed)}: {failed['error']}" for failed in part["failed"]]
    if part["pending"]:
        lines.append(f"{name}: {part['pending']} runs are pending; --resume continues")
    return lines


def _describe_failed(failed: dict[str, Any]) -> str:
    if "measurement" in failed:
        return str(failed["measurement"])
    return f"{failed['application']} under {failed['executor']}, run {failed['run']}"
