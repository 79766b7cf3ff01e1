# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Parts of a paper that are batches: applications under executors in a shuffled order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from takt_cli.analysis.batch_summary import over_runs
from takt_cli.analysis.result_set import ResultSet, SetRun, read_set
from takt_cli.batch.folder import read_plan
from takt_cli.batch.local import run_batch
from takt_cli.batch.plan import Plan, make_plan
from takt_cli.paper.paper import Failure, Figures, Settings, Setup
from takt_cli.run.progress import Progress
from takt_cli.spec.load import Spec

WARMUP = 10**9
COOLDOWN = 5 * 10**8
# Estimated time beside warm-up and measurement, in s, for start, discovery, replay and analysis: for each run, for each
# node, and for each node of baseline1, which has a process for each and starts them all on one CPU.
_EACH_RUN, _EACH_NODE, _EACH_PROCESS = 2.0, 0.06, 0.25
# Shorter runs are not meaningful: some tasks have a period of 100 ms, and the start must have settled first.
SHORTEST = 2 * 10**9


class BatchSettings(Settings, frozen=True, kw_only=True, tag="executors"):
    """The settings of a paper on executors. `only` is a shell pattern for the names of applications; the others are
    left out. `extra` includes measurements that the paper mentions but did not make."""

    seed: int
    only: str | None = None
    extra: bool = False

    @property
    def nothing_chosen(self) -> str:
        return (
            f"--only {self.only}: matches no application of these parts; their names are those of the spec files in a "
            "result that was made without --only"
        )


BatchSetup: TypeAlias = Setup[BatchSettings]


class RecordingCostOverRuns(msgspec.Struct, frozen=True):
    """The CPU time per job of recording its samples, in us: its median and range over `n` runs."""

    n: int
    median: float | None
    min: float | None
    max: float | None


class BatchFigures(Figures, frozen=True, kw_only=True):
    runs_of_each: int
    measuring_us: RecordingCostOverRuns | None = None


class Scale(NamedTuple):
    """The number of runs and their duration in ns at a scale; at a factor of 1 they are those of the paper."""

    runs: int
    duration: int


def scale_for(factor: float, runs: int, duration: int) -> Scale:
    """Return the scale for a factor, from the paper's number of runs and their duration in ns.

    Both shrink by the square root of the factor, so that the total measured time is proportional to the factor. No run
    is shorter than two seconds, and there are never more or longer runs than in the paper.
    """
    count = min(max(round(runs * math.sqrt(factor)), 1), runs)
    length = min(factor * runs * duration / count, duration)
    return Scale(count, max(round(length / 10**6) * 10**6, min(SHORTEST, duration)))


class LazyApplication(NamedTuple):
    """An application that is generated only when needed, as a part has many of which the user may select a few."""

    name: str
    nodes: int
    make: Callable[[], Spec]


class Items(NamedTuple):
    """The runs of a part. Each pair is the name of an application and of an executor."""

    applications: Iterable[LazyApplication]
    pairs: Iterable[tuple[str, str]]
    scale: Scale


@dataclass(frozen=True)
class BatchPart:
    """A part of a paper that is made as a batch; the methods are those of `PaperPart`."""

    name: str
    figures: type[BatchFigures]
    make: Callable[[BatchSettings], Items]
    summarise: Callable[[ResultSet, BatchFigures], BatchFigures]
    """Returns the figures of the part, which extend those of all batches."""

    def items(self, setup: BatchSetup) -> int:
        _, pairs, scale = self._chosen(setup)
        return len(pairs) * scale.runs

    def seconds(self, setup: BatchSetup) -> float:
        applications, pairs, scale = self._chosen(setup)
        length = (WARMUP + COOLDOWN + scale.duration) / 1e9 + _EACH_RUN
        each = (
            applications[name].nodes * (_EACH_PROCESS if executor == "baseline1" else _EACH_NODE)
            for name, executor in pairs
        )
        return scale.runs * (length * len(pairs) + sum(each))

    def measure(self, setup: BatchSetup, folder: Path, progress: Progress, resume: bool) -> None:
        run_batch(self.plan(setup), folder, list(setup.command), progress, resume=resume, repeat_failed=resume)

    def plan(self, setup: BatchSetup) -> Plan:
        """Return the plan of the batch."""
        applications, pairs, scale = self._chosen(setup)
        return make_plan(
            [each.make() for each in applications.values()],
            pairs,
            runs=scale.runs,
            duration=scale.duration,
            warmup=WARMUP,
            cpus=setup.settings.cpus,
            seed=setup.settings.seed,
            cooldown=COOLDOWN,
        )

    def statistics(self, folder: Path) -> BatchFigures:
        results, plan = read_set(folder), read_plan(folder)
        common = BatchFigures(
            runs=len(results.runs),
            runs_of_each=plan.runs,
            duration_s=plan.duration / 1e9,
            failed=[Failure(f"{each.application} under {each.executor}, run {each.run}", each.error)
                    for each in results.failed],
            pending=results.pending,
            measuring_us=msgspec.convert(
                over_runs(_recording_cost(run) for run in results.runs), RecordingCostOverRuns, from_attributes=True
            ),
        )  # fmt: skip
        return self.summarise(results, common)

    def _chosen(self, setup: BatchSetup) -> tuple[dict[str, LazyApplication], tuple[tuple[str, str], ...], Scale]:
        """Return the applications by name, the pairs and the scale of what --only selects."""
        items, pattern = self.make(setup.settings), setup.settings.only or "*"
        applications = {each.name: each for each in items.applications if fnmatchcase(each.name, pattern)}
        return applications, tuple(pair for pair in items.pairs if pair[0] in applications), items.scale


def _recording_cost(run: SetRun) -> float | None:
    cost = run.summary.measuring
    return None if cost is None or cost.ns_per_call.p50 is None else cost.ns_per_call.p50 / 1000
