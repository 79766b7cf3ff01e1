# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Parts of a paper that are batches: applications under executors in a shuffled order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from takt_cli.analysis.batch_summary import OverRuns, over_runs
from takt_cli.analysis.result_set import ResultSet, SetRun, read_set
from takt_cli.batch.folder import read_plan
from takt_cli.batch.local import run_batch
from takt_cli.batch.plan import Plan, make_plan
from takt_cli.paper.paper import Failure, Figures, Settings
from takt_cli.paper.scale import Scale
from takt_cli.run.progress import Progress
from takt_cli.spec.load import Spec

WARMUP = 10**9
COOLDOWN = 5 * 10**8
# Estimated time beside warm-up and measurement, in s, for start, discovery, replay and analysis: for each run, for each
# node, and for each node of baseline1, which has a process for each and starts them all on one CPU.
_EACH_RUN, _EACH_NODE, _EACH_PROCESS = 2.0, 0.06, 0.25


class BatchSettings(Settings, frozen=True, kw_only=True):
    """The settings of a paper on executors."""

    seed: int
    only: str | None
    extra: bool


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

    @property
    def settings(self) -> BatchSettings:
        return BatchSettings(scale=self.factor, cpus=self.cpus, seed=self.seed, only=self.only, extra=self.extra)

    @property
    def nothing_chosen(self) -> str:
        return (
            f"--only {self.only}: matches no application of these parts; their names are those of the spec files in a "
            "result that was made without --only"
        )


class BatchFigures(Figures, frozen=True, kw_only=True):
    """The figures of a batch. `measuring_us` is the CPU time per job of recording its samples, over the runs."""

    runs_of_each: int
    measuring_us: OverRuns | None = None


class LazyApplication(NamedTuple):
    """An application that is generated only when needed, as a part has many of which the user may select a few."""

    name: str
    nodes: int
    make: Callable[[], Spec]


@dataclass(frozen=True)
class Items:
    """The runs of a part. Each pair is the name of an application and of an executor."""

    applications: tuple[LazyApplication, ...]
    pairs: tuple[tuple[str, str], ...]
    scale: Scale

    def matching(self, pattern: str | None) -> Items:
        """Return the items whose applications' names match the shell pattern, or all if `pattern` is None."""
        if pattern is None:
            return self
        matching_applications = tuple(each for each in self.applications if fnmatchcase(each.name, pattern))
        names = {each.name for each in matching_applications}
        return Items(matching_applications, tuple(pair for pair in self.pairs if pair[0] in names), self.scale)


@dataclass(frozen=True)
class BatchPart:
    """A part of a paper that is made as a batch; the methods are those of `PaperPart`."""

    name: str
    figures: type[BatchFigures]
    make: Callable[[Setup], Items]
    summarise: Callable[[ResultSet], dict[str, Any]]
    """Returns the further figures of the part."""

    def items(self, setup: Setup) -> int:
        chosen = self._chosen(setup)
        return len(chosen.pairs) * chosen.scale.runs

    def seconds(self, setup: Setup) -> float:
        items = self._chosen(setup)
        nodes = {each.name: each.nodes for each in items.applications}
        length = (WARMUP + COOLDOWN + items.scale.duration) / 1e9 + _EACH_RUN
        each = (
            nodes[name] * (_EACH_PROCESS if executor == "baseline1" else _EACH_NODE) for name, executor in items.pairs
        )
        return items.scale.runs * (length * len(items.pairs) + sum(each))

    def measure(self, setup: Setup, folder: Path, progress: Progress, resume: bool) -> None:
        run_batch(self.plan(setup), folder, list(setup.command), progress, resume=resume, repeat_failed=resume)

    def plan(self, setup: Setup) -> Plan:
        """Return the plan of the batch."""
        items = self._chosen(setup)
        return make_plan(
            [each.make() for each in items.applications],
            items.pairs,
            runs=items.scale.runs,
            duration=items.scale.duration,
            warmup=WARMUP,
            cpus=setup.cpus,
            seed=setup.seed,
            cooldown=COOLDOWN,
        )

    def statistics(self, folder: Path) -> BatchFigures:
        results, plan = read_set(folder), read_plan(folder)
        return self.figures(
            runs=len(results.runs),
            runs_of_each=plan.runs,
            duration_s=plan.duration / 1e9,
            failed=[Failure(f"{each.application} under {each.executor}, run {each.run}", each.error)
                    for each in results.failed],
            pending=results.pending,
            began=results.origin.began,
            host=results.runs[0].host if results.runs else None,
            measuring_us=over_runs(_recording_cost(run) for run in results.runs),
            **self.summarise(results),
        )  # fmt: skip

    def _chosen(self, setup: Setup) -> Items:
        return self.make(setup).matching(setup.only)


def _recording_cost(run: SetRun) -> float | None:
    cost = run.summary.measuring
    return None if cost is None or cost.ns_per_call.p50 is None else cost.ns_per_call.p50 / 1000
