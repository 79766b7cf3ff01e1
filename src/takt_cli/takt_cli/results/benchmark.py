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

_MS = 10**6
# A pass takes so many seconds beside its turns, and each turn beside its length.
_START, _PAUSE = 1.0, 0.06


@dataclass(frozen=True)
class Kind:
    """A benchmark. `x` is what is varied, if anything; `turn` is the time of each variant per round, in ns; `turns` is
    the number of turns per round."""

    name: str
    description: str
    variants: str
    """What the variants are, and the floors or references that they are compared with."""
    rounds: int
    turn: int
    turns: int
    ratios: tuple[tuple[str, str], ...]
    x: str = ""
    growth: tuple[str, ...] = ()
    limits: tuple[tuple[str, str, float], ...] = ()
    differences: tuple[tuple[str, str, float], ...] = ()
    """Differences of the medians within a round, each with its limit in ns."""
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
    def kind(self) -> Kind:
        return KINDS[self.benchmark]

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


_KINDS = (
    Kind(
        "dispatch",
        "the cost of handing a job to its worker and back, by number of tasks",
        "Variants: the scheduler alone, driven in virtual time, with all jobs released together (together) or one by "
        "one (spread); and the CPU time of the process for each of 20 000 empty jobs a second (executor). Floors: "
        "moving one entry of a heap of the same size for each job (heap), and a timer thread that wakes a worker "
        "thread (wake-up).",
        12,
        400 * _MS,
        20,
        x="tasks",
        ratios=(
            *(("executor", "wake-up"), ("together", "heap"), ("spread", "heap"), ("executor", "executor")),
            *(("together", "together"), ("spread", "spread"), ("heap", "heap")),
        ),
        growth=("together", "spread", "heap", "executor", "wake-up"),
    ),
    Kind(
        "preemption",
        "the time from a release to the job's first instruction while a less urgent job has the CPU",
        "Variant: from the instant at which an urgent timer is due to the first instruction of its callback, while "
        "another callback of the executor has the CPU (takt). Floor: a timer thread that sleeps until that instant and "
        "wakes another thread, at the same priorities, while a less urgent third thread computes (wake-up). cyclictest "
        "is measured beside it, for the latency of the host alone.",
        15,
        1000 * _MS,
        2,
        ratios=(("takt", "wake-up"),),
        limits=(("takt", "wake-up", 1.5),),
        cyclictest=True,
    ),
    Kind(
        "exchange",
        "round trips between two nodes of one process, by message size",
        "Variants: messages that are loaned (loaned), and messages that are copied because they are published by "
        "reference (copied). Reference: two threads that wake each other (wake-up). Within one preemption level a "
        "message needs no other thread, so a round trip can cost less than that.",
        24,
        4 * _MS,
        34,
        x="bytes",
        ratios=(("loaned", "loaned"), ("copied", "copied"), ("loaned", "copied"), ("loaned", "wake-up")),
        growth=("loaned",),
    ),
    Kind(
        "crossing",
        "round trips between two nodes on one CPU and on two, and the sender's time for publishing",
        "Variants: the round trip of a small message, and the time of its first publication in the sender, with both "
        "nodes on one CPU and on two. Reference: two threads that wake each other, on one CPU and on two (wake-up).",
        15,
        200 * _MS,
        4,
        ratios=(
            ("round trip, one CPU", "wake-up, one CPU"),
            ("round trip, two CPUs", "wake-up, two CPUs"),
            ("round trip, two CPUs", "round trip, one CPU"),
            ("publish, two CPUs", "publish, one CPU"),
        ),
    ),
    Kind(
        "switch",
        "the time from a request for another scenario to its effect, and to the first job that it lets start",
        "Variants: from just before the request for a scenario to its effect, and to the start of a job that only the "
        "new scenario allows to preempt the running one; requested by another thread of the CPU (thread) or by the "
        "running callback (callback). Floor: the requesting thread wakes a more urgent thread, which wakes another "
        "(wake-up).",
        12,
        500 * _MS,
        4,
        ratios=(
            *(("thread, start", "thread, wake-up"), ("callback, start", "callback, wake-up")),
            *(("thread, effect", "thread, wake-up"), ("callback, effect", "callback, wake-up")),
        ),
    ),
    Kind(
        "section",
        "the cost for a job of entering and leaving a middleware section",
        "A middleware section is a part of a job that is inside the middleware; takt lets no other job start "
        "meanwhile. Variants: a section in a job (section), in another section (nested section), and outside of jobs. "
        "Floors: two clock reads, which are part of a section; and locking a free mutex with priority inheritance, "
        "which a section replaces (lock).",
        12,
        500 * _MS,
        1,
        ratios=(
            *(("section", "two clock reads"), ("section", "lock")),
            *(("nested section", "two clock reads"), ("outside of jobs", "two clock reads")),
        ),
    ),
    Kind(
        "trace",
        "the cost of a trace for the threads that release and run a job, and for the thread that writes it",
        "Variants: the CPU time for a job that enters the middleware once, reads and publishes, with a trace (traced) "
        "and without one (not traced), whose difference is judged; and the CPU time of the thread that writes the "
        "trace.",
        60,
        150 * _MS,
        4,
        x="tasks",
        ratios=(("traced", "not traced"),),
        differences=(("traced", "not traced", 100.0),),
    ),
    Kind(
        "nodes",
        "the time that nodes take to join and to leave a spinning executor, by number of nodes",
        "Variants: the time in all to add 10, 100 and 1,000 nodes with a timer each, one by one, to an executor that "
        "spins (takt adds), and to remove them (takt removes); and the same in one change (at once). Floors: creating "
        "and destroying the same nodes in the middleware (rcl makes, rcl destroys).",
        12,
        3000 * _MS,
        3,
        x="nodes",
        ratios=(
            *(("takt adds", "takt adds"), ("takt removes", "takt removes")),
            *(("takt adds at once", "takt adds"), ("takt removes at once", "takt removes")),
            *(("rcl makes", "rcl makes"), ("rcl destroys", "rcl destroys")),
            *(("takt adds", "rcl makes"), ("takt removes", "rcl destroys")),
        ),
        growth=(
            *("takt adds", "takt adds at once", "takt removes", "takt removes at once", "rcl makes", "rcl destroys"),
        ),
        turn_is_given=False,
    ),
)
KINDS = {kind.name: kind for kind in _KINDS}


class AllSettings(msgspec.Struct, frozen=True):
    """What `takt measure all` was asked for: a third of the rounds, and a CPU, None for any."""

    quick: bool
    cpu: int | None


class AllRecord(msgspec.Struct, frozen=True):
    """The benchmarks that were made, each with its result in a folder of its name, and why others could not be."""

    made: list[str]
    failed: list[str]


ALL_FORMAT = ResultFormat("all", 1, AllSettings, AllRecord)
