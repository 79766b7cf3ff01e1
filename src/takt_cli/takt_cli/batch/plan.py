# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plan of a batch: its runs and their order, fixed before anything starts, and stored in result.json."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from takt_cli.batch.order import neighbours, shuffled
from takt_cli.errors import UsageError
from takt_cli.results.batch import BatchApplication, BatchSettings, Item
from takt_cli.results.conditions import Load
from takt_cli.results.folder import file_name
from takt_cli.run.settings import RunSettings
from takt_cli.spec.load import Spec


@dataclass(frozen=True)
class Plan:
    """The plan of a batch. Times in nanoseconds. `applications` are by their names in the batch, `items` in the order
    in which they run. `cpus` None stands for the last CPU of each worker of a cluster."""

    applications: dict[str, Spec]
    items: tuple[Item, ...]
    runs: int
    duration: int
    warmup: int
    cooldown: int
    cpus: tuple[int, ...] | None
    seed: int
    load: Load | None = None
    policy: str | None = None

    @property
    def length(self) -> float:
        """The duration of one run in seconds, as far as it is known in advance."""
        return (self.warmup + self.duration + self.cooldown) / 1e9

    @property
    def seconds(self) -> float:
        """The duration of all runs in seconds, one after the other."""
        return self.length * len(self.items)

    @property
    def repeats(self) -> int:
        """The number of times that an application follows itself; unavoidable if there is only one."""
        return neighbours(item.application for item in self.items)

    def settings(self, item: Item, cpus: tuple[int, ...]) -> RunSettings:
        """Return the settings of a run on these CPUs."""
        spec = self.applications[item.application]
        return RunSettings(spec, item.executor, self.duration, self.warmup, cpus, load=self.load)

    def check(self, cpus: tuple[int, ...]) -> None:
        """Raise a UsageError for anything that would prevent one of the runs."""
        for name, executor in sorted({(item.application, item.executor) for item in self.items}):
            self.settings(Item(name, executor, 1), cpus).check()

    @property
    def recorded(self) -> BatchSettings:
        """What is written into the result; the specs lie beside it."""
        return BatchSettings(
            seed=self.seed,
            runs=self.runs,
            duration=self.duration,
            warmup=self.warmup,
            cooldown=self.cooldown,
            cpus=self.cpus,
            load=None if self.load is None else self.load.name,
            policy=self.policy,
            applications=[
                BatchApplication(name, f"specs/{name}.yaml", sha256(spec.text))
                for name, spec in self.applications.items()
            ],
            items=self.items,
        )


def make_plan(
    applications: Sequence[Spec],
    pairs: Iterable[tuple[str, str]],
    runs: int,
    duration: int,
    warmup: int,
    cpus: tuple[int, ...] | None,
    seed: int,
    cooldown: int,
    load: Load | None = None,
    policy: str | None = None,
) -> Plan:
    """Plan `runs` runs of each pair of an application (by its file's stem) and an executor. Raises a UsageError."""
    specs_by_name = _applications_by_name(applications)
    unique_pairs = sorted(set(pairs))
    groups: dict[str, list[Item]] = {name: [] for name in specs_by_name}
    for name, executor in unique_pairs:
        groups[name] += [Item(name, executor, run) for run in range(1, runs + 1)]
    items = tuple(shuffled(groups, seed))
    if not items:
        raise UsageError("nothing to run: give at least one application, one executor and one run")
    return Plan(specs_by_name, items, runs, duration, warmup, cooldown, cpus, seed, load, policy)


def every_pair(applications: Sequence[Spec], executors: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of an application's name and an executor."""
    executor_names = list(executors)
    return [(Path(spec.file).stem, executor) for spec in applications for executor in executor_names]


def sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _applications_by_name(applications: Sequence[Spec]) -> dict[str, Spec]:
    specs_by_name: dict[str, Spec] = {}
    for spec in sorted(applications, key=lambda spec: spec.file):
        name = Path(spec.file).stem
        if name in specs_by_name:
            raise UsageError(f"{spec.file}: {specs_by_name[name].file} has the same name; rename one of them")
        if name != file_name(name) or name.startswith("."):
            raise UsageError(f"{spec.file}: results get the file's name; use up to 80 letters, digits and -_. in it")
        specs_by_name[name] = spec
    return specs_by_name
