# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The plan of a batch: its runs and their order, fixed before anything starts, and stored in result.json."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from takt_cli.batch.order import neighbours, shuffled
from takt_cli.errors import UsageError
from takt_cli.results.batch import BatchApplication, BatchSettings, Item
from takt_cli.results.conditions import Load
from takt_cli.results.folder import file_name
from takt_cli.run.settings import RunSettings
from takt_cli.spec.load import Spec
from takt_cli.surroundings.load import parse_load


class Plan(BatchSettings, frozen=True, kw_only=True):
    """The plan of a batch: its settings, as they are recorded, and the specs by their names in the batch."""

    specs: dict[str, Spec]

    @property
    def background(self) -> Load | None:
        """The load beside all runs."""
        return None if self.load is None else parse_load(self.load)

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

    def run_settings(self, item: Item, cpus: tuple[int, ...]) -> RunSettings:
        """Return the settings of a run on these CPUs."""
        spec = self.specs[item.application]
        return RunSettings(spec, item.executor, self.duration, self.warmup, cpus, load=self.background)

    def only(self, item: Item) -> Plan:
        """Return this plan with no run but this one."""
        return replace(self, items=(item,), specs={item.application: self.specs[item.application]})

    def check(self, cpus: tuple[int, ...]) -> None:
        """Raise a UsageError for anything that would prevent one of the runs."""
        for name, executor in sorted({(item.application, item.executor) for item in self.items}):
            self.run_settings(Item(name, executor, 1), cpus).check()

    @property
    def recorded(self) -> BatchSettings:
        """What is written into the result; the specs lie beside it."""
        return BatchSettings(**{name: getattr(self, name) for name in BatchSettings.__struct_fields__})


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
    return Plan(
        seed=seed,
        runs=runs,
        duration=duration,
        warmup=warmup,
        cooldown=cooldown,
        cpus=cpus,
        load=None if load is None else load.name,
        policy=policy,
        applications=[
            BatchApplication(name, f"specs/{name}.yaml", sha256(spec.text)) for name, spec in specs_by_name.items()
        ],
        items=items,
        specs=specs_by_name,
    )


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
