# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The content of `generated.json`, which lies beside generated specs: how each of them was made."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType


class DrawnTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task; the last three are the sums over the runnables that it was made of, and absent without runnables."""

    task: str
    period_ns: int
    wcet_ns: int
    utilisation: float
    deadline_ns: int
    priority: int
    runnables: int | UnsetType = UNSET
    best_us: float | UnsetType = UNSET
    average_us: float | UnsetType = UNSET


class DrawnApplication(msgspec.Struct, frozen=True, kw_only=True):
    """An application. `combination` has the forced parameters, `parameters` all of them; `packages` are the folders of
    its ROS 2 packages, absent if none were asked for."""

    name: str
    file: str
    sha256: str
    combination: dict[str, Any]
    repetition: int
    seed: int
    parameters: dict[str, Any]
    utilisation_wanted: float
    utilisation: float
    topics: int
    readers: int
    chains: list[list[str]]
    notes: list[str]
    tasks: list[DrawnTask]
    packages: list[str] | UnsetType = UNSET


class Combinations(msgspec.Struct, frozen=True):
    """The number of combinations of parameters, and of those that describe different applications."""

    all: int
    distinct: int


class GeneratedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The whole content. `read` is the parameter file as it was read, `forced` the parameters of which every
    combination was made."""

    schema_version: int = 1
    kind: str = "generated"
    command: list[str]
    versions: dict[str, str | None]
    commit: str | None
    file: str
    seed: int
    repeat: int
    read: Any
    forced: list[str]
    combinations: Combinations
    applications: list[DrawnApplication]
