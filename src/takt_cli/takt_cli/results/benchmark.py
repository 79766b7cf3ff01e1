# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The benchmarks of the runtime, and the format of their results.

A benchmark's program measures several variants in turns. It is started several times; beside `result.json` the folder
`pass-N` has its report and samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from takt_cli.results.program import Grants
from takt_cli.results.result_file import ResultFormat
from takt_cli.spec.packaged import packaged

# A pass takes so many seconds beside its turns, and each turn beside its length.
_START, _PAUSE = 1.0, 0.06


class Benchmark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A benchmark. `variants`: what these are, and the floors or references that they are compared with; `x`: what is
    varied, if anything; `turn`: the time of each variant per round, in ns, and `turns` their number per round.
    `differences` of the medians within a round have limits in ns."""

    name: str
    description: str
    variants: str
    rounds: int
    turn: int
    turns: int
    ratios: tuple[tuple[str, str], ...]
    x: str = ""
    growth: tuple[str, ...] = ()
    limits: tuple[tuple[str, str, float], ...] = ()
    differences: tuple[tuple[str, str, float], ...] = ()
    cyclictest: bool = False
    """True if cyclictest is measured beside it, for the latency of the host alone."""
    turn_is_given: bool = True
    """True if a turn has a given length; otherwise it takes as long as what is measured, and `turn` is an estimate."""

    @property
    def format(self) -> ResultFormat[BenchmarkSettings, BenchmarkRecord]:
        return ResultFormat(self.name, 2, BenchmarkSettings, BenchmarkRecord)


@dataclass(frozen=True)
class BenchmarkSettings:
    """The settings of a benchmark. `rounds` are divided among `passes`, each of which is a process of its own; `turn`
    is in ns."""

    benchmark: str
    cpu: int
    rounds: int
    turn: int
    passes: int = 3

    @property
    def kind(self) -> Benchmark:
        return BENCHMARKS[self.benchmark]

    @property
    def rounds_of_passes(self) -> list[int]:
        pass_count = min(self.passes, self.rounds)
        return [self.rounds // pass_count + (n < self.rounds % pass_count) for n in range(pass_count)]

    def seconds_of(self, rounds: int) -> float:
        """Return the approximate duration of a pass with so many rounds, without cyclictest."""
        return _START + rounds * self.kind.turns * (self.turn / 1e9 + _PAUSE)

    @property
    def cyclictest_seconds(self) -> float:
        """The duration of cyclictest after each pass: as long as takt and its floor are measured together."""
        rounds = self.rounds / len(self.rounds_of_passes)
        return max(2 * self.turn / 1e9 * rounds, 0.1) if self.kind.cyclictest else 0.0

    @property
    def parts(self) -> int:
        return len(self.rounds_of_passes) * (1 + self.kind.cyclictest)

    @property
    def seconds(self) -> float:
        return sum(self.seconds_of(rounds) + self.cyclictest_seconds for rounds in self.rounds_of_passes)


class BenchmarkProcess(msgspec.Struct, frozen=True):
    """The report of a benchmark's program. `dropped` counts the samples that found no room."""

    variants: list[str]
    dropped: int
    grants: Grants


class BenchmarkRecord(msgspec.Struct, frozen=True):
    """The reports of all passes, and the latencies that cyclictest measured: how many there were of each, in ns."""

    processes: list[BenchmarkProcess]
    cyclictest: dict[int, int] | None = None

    @property
    def variants(self) -> list[str]:
        return self.processes[0].variants

    @property
    def preempts(self) -> bool:
        return all(process.grants.realtime for process in self.processes)

    @property
    def refused(self) -> list[str]:
        return sorted({line for process in self.processes for line in process.grants.refused})


def pass_folder(folder: Path, number: int) -> Path:
    """Return the folder of a pass, counted from 0, in that of a result."""
    return folder / f"pass-{number + 1}"


BENCHMARKS = {each.name: each for each in packaged(__package__, "benchmarks", list[Benchmark])}


class AllSettings(msgspec.Struct, frozen=True):
    """What `takt measure all` was asked for: a third of the rounds, and a CPU, None for any."""

    quick: bool
    cpu: int | None


class AllRecord(msgspec.Struct, frozen=True):
    """The benchmarks that were made, each with its result in a folder of its name, and why others could not be."""

    made: list[str]
    failed: list[str]


ALL_FORMAT = ResultFormat("all", 1, AllSettings, AllRecord)
