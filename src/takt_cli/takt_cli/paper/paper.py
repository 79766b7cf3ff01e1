# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The frame that papers fit in: parts that are measured one by one, figures made of each, and what comes of the
paper's claims with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from takt_cli.paper.verdict import Goal
from takt_cli.run.progress import Progress


class Asked(Protocol):
    """What a user asks for, of whatever paper. `command` is for the record."""

    @property
    def factor(self) -> float: ...
    @property
    def command(self) -> tuple[str, ...]: ...
    def to_json(self) -> dict[str, Any]:
        """What results that are put together must have in common."""
        ...


SetupT = TypeVar("SetupT", bound=Asked)
_SetupT_contra = TypeVar("_SetupT_contra", bound=Asked, contravariant=True)


@dataclass(frozen=True)
class Setup:
    """What a user asks for of a paper on executors. `only`: a pattern for names of applications, of which the
    others are left out; `extra`: with what the paper names but did not measure."""

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


class Part(Protocol[_SetupT_contra]):
    """One experiment of a paper."""

    @property
    def name(self) -> str: ...
    @property
    def does(self) -> str: ...
    def items(self, setup: _SetupT_contra, /) -> int:
        """How many runs it has, as a progress bar counts them."""
        ...

    def seconds(self, setup: _SetupT_contra, /) -> float:
        """About how long it takes."""
        ...

    def measure(self, setup: _SetupT_contra, folder: Path, progress: Progress, resume: bool, /) -> None:
        """Leaves raw results in `folder`; with `resume` goes on where there are some. Raises a TaktError."""
        ...

    def figures(self, folder: Path, /) -> dict[str, Any]:
        """As JSON, of raw results that may be incomplete: `runs`, `failed` and `pending` say how far."""
        ...


@dataclass(frozen=True)
class Paper(Generic[SetupT]):
    """`verdicts` and `goals` take the figures by part, of those that were measured."""

    name: str
    title: str
    parts: dict[str, Part[SetupT]]
    verdicts: Callable[[dict[str, dict[str, Any]]], list[dict[str, Any]]]
    goals: Callable[[dict[str, dict[str, Any]]], list[Goal]]
    notes: tuple[str, ...]
    """How its contradictions are read, and what is done in another way."""
