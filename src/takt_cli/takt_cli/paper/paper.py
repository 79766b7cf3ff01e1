# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The framework for reproducing papers: parts that are measured one by one, their figures, verdicts and goals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from takt_cli.paper.verdict import Goal
from takt_cli.run.progress import Progress


class AnySetup(Protocol):
    """The options that the user gave, of whatever paper. `command` is the command line, for the record."""

    @property
    def factor(self) -> float: ...
    @property
    def command(self) -> tuple[str, ...]: ...
    def to_json(self) -> dict[str, Any]:
        """Return the settings that must be the same for all parts that are combined in one folder."""
        ...


SetupT = TypeVar("SetupT", bound=AnySetup)
_SetupT_contra = TypeVar("_SetupT_contra", bound=AnySetup, contravariant=True)


@dataclass(frozen=True)
class Setup:
    """The options that the user gave for a paper on executors. `only` is a shell pattern for the names of applications;
    the others are left out. `extra` includes measurements that the paper mentions but did not make."""

    factor: float
    cpus: tuple[int, ...]
    seed: int
    command: tuple[str, ...]
    only: str | None = None
    extra: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "scale": self.factor,
            "cpus": list(self.cpus),
            "seed": self.seed,
            "only": self.only,
            "extra": self.extra,
        }


class PaperPart(Protocol[_SetupT_contra]):
    """An experiment of a paper."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    def items(self, setup: _SetupT_contra, /) -> int:
        """Return the number of its runs, for the progress bar."""
        ...

    def seconds(self, setup: _SetupT_contra, /) -> float:
        """Return the estimated duration in s."""
        ...

    def measure(self, setup: _SetupT_contra, folder: Path, progress: Progress, resume: bool, /) -> None:
        """Write raw results into `folder`; with `resume`, continue with what is there. Raises a TaktError."""
        ...

    def statistics(self, folder: Path, /) -> dict[str, Any]:
        """Return the figures as JSON, from raw results that may be incomplete.

        `runs`, `failed` and `pending` say how much was measured.
        """
        ...


@dataclass(frozen=True)
class Paper(Generic[SetupT]):
    """A paper. `verdicts` and `goals` take the figures by part, of those parts that were measured."""

    name: str
    title: str
    parts: dict[str, PaperPart[SetupT]]
    verdicts: Callable[[dict[str, dict[str, Any]]], list[dict[str, Any]]]
    goals: Callable[[dict[str, dict[str, Any]]], list[Goal]]
    notes: tuple[str, ...]
    """Notes for the reader: how contradictions in the paper are interpreted, and what is done differently here."""
