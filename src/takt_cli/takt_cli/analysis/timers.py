# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of empty timers: CPU time per callback compared with the floors, release jitter, drift."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.analysis.variants import Stalls
from takt_cli.errors import ResultError
from takt_cli.results.json_file import read_json
from takt_cli.results.origin import Guest, Host
from takt_cli.results.program import Probe, Window
from takt_cli.results.result_file import StoredResult
from takt_cli.results.sample_files import JOBS, STALLS, Ints, read_rows
from takt_cli.results.timers import TIMERS_FORMAT, TimersProcess, TimersRecord, TimersSettings, Variant
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles
from takt_cli.statistics.slope import DRIFT_FROM, Slope, slope

_US = 1000


class OverRounds(msgspec.Struct, frozen=True):
    """The median of a figure over the rounds, its extremes, and their number."""

    median: float
    min: float
    max: float
    n: int

    @classmethod
    def of(cls, values: list[float]) -> OverRounds:
        return cls(float(np.median(values)), min(values), max(values), len(values))


class CpuTime(msgspec.Struct, frozen=True):
    """CPU time in us per callback: of the executor's own threads, and of the whole process."""

    own: OverRounds
    process: OverRounds


class JobCounts(msgspec.Struct, frozen=True):
    """The number of releases on the grid within the windows, and their outcomes."""

    released: int
    run: int
    skipped: int
    unfinished: int


class TimersFigures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of a variant. A floor has no ratio to a floor."""

    policy: str | None
    cpu_us_per_callback: CpuTime
    jobs: JobCounts
    release_jitter_us: Percentiles
    drift_us_per_min: Slope
    stalls: Stalls
    refused: list[str]
    floor: str | None = None
    ratio_to_floor: OverRounds | None = None
    ratio_to_floor_process: OverRounds | None = None


class TimersSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a measurement: those of the executors and of the floors, by name."""

    callbacks: int
    nodes: int
    period_ms: float
    phases: str
    duration_s: float
    rounds: int
    rmw: str | None
    executors: dict[str, TimersFigures]
    floors: dict[str, TimersFigures]
    host: Host | None
    virtual: Guest | None


@dataclass(frozen=True)
class Timers(StoredResult[TimersSettings, TimersRecord]):
    """The result in `folder`."""

    def processes(self, name: str) -> list[TimersProcess]:
        return self.record.processes[name]

    def own(self, name: str) -> list[float]:
        """Return the CPU time in us per callback of the executor's own threads, for each round."""
        return self._per_callback(
            name, lambda process: sum(max(each.cpu_ns, 0) for each in process.threads if each.kind == "executor")
        )

    def process(self, name: str) -> list[float]:
        """Return the CPU time in us per callback of the whole process, for each round."""
        return self._per_callback(name, lambda process: process.process_cpu_ns)

    def delays(self, variant: Variant) -> list[tuple[Ints, Samples]]:
        """Return the releases of the jobs that started within the window, and start minus release; in ns, for each
        round."""
        paths = [place / f"{variant.tag}.jobs.npy" for place in self.rounds]
        return [_delays(path, each.window) for path, each in zip(paths, self.processes(variant.name), strict=True)]

    @property
    def rounds(self) -> list[Path]:
        return [self.folder / f"round-{n + 1}" for n in range(self.settings.rounds)]

    def _per_callback(self, name: str, cpu_ns: Callable[[TimersProcess], int]) -> list[float]:
        return [cpu_ns(process) / process.jobs / _US for process in self.processes(name)]


def read_timers(folder: Path) -> Timers:
    """Read the result in `folder`. Raises ResultError if there is none."""
    timers = Timers(folder, TIMERS_FORMAT.read(folder))
    if any(process.jobs == 0 for each in timers.record.processes.values() for process in each):
        raise ResultError(f"{folder}: has a run in which no callback ran")
    return timers


def timers_summary(timers: Timers) -> TimersSummary:
    """Return all figures of a result."""
    settings, origin = timers.settings, timers.origin
    metrics = {each.name: _variant(timers, each) for each in settings.everything}
    executors = [each.name for each in settings.variants]
    return TimersSummary(
        callbacks=settings.callbacks,
        nodes=settings.nodes,
        period_ms=settings.period / 1e6,
        phases=settings.phases,
        duration_s=settings.duration / 1e9,
        rounds=settings.rounds,
        rmw=next((process.rmw for name in executors for process in timers.processes(name) if process.rmw), None),
        executors={name: metrics[name] for name in executors},
        floors={each.name: metrics[each.name] for each in settings.everything if each.is_floor},
        host=origin.host,
        virtual=origin.virtual,
    )


def _variant(timers: Timers, variant: Variant) -> TimersFigures:
    processes, samples = timers.processes(variant.name), timers.delays(variant)
    return TimersFigures(
        policy=variant.policy if variant.executor == "takt" else None,
        cpu_us_per_callback=CpuTime(
            OverRounds.of(timers.own(variant.name)), OverRounds.of(timers.process(variant.name))
        ),
        jobs=_counts(processes),
        release_jitter_us=percentiles(np.concatenate([delay for _, delay in samples]) / _US),
        # Each round has a grid of its own, so drift is computed from the longest round.
        drift_us_per_min=slope([max(samples, key=lambda pair: len(pair[0]))], DRIFT_FROM),
        stalls=_stalls(timers.rounds, variant.tag),
        refused=sorted({line for process in processes if process.grants for line in process.grants.refused}),
        floor=None if variant.is_floor else variant.floor,
        ratio_to_floor=_ratio(timers.own, variant),
        ratio_to_floor_process=_ratio(timers.process, variant),
    )


def _ratio(cpu: Callable[[str], list[float]], variant: Variant) -> OverRounds | None:
    """Return the ratio to the floor in the same rounds; None for a floor."""
    if variant.is_floor:
        return None
    return OverRounds.of([own / floor for own, floor in zip(cpu(variant.name), cpu(variant.floor), strict=True)])


def _counts(processes: list[TimersProcess]) -> JobCounts:
    return JobCounts(
        released=sum(each.releases.releases for each in processes),
        run=sum(each.jobs for each in processes),
        skipped=sum(each.releases.skipped for each in processes),
        unfinished=sum(each.releases.unfinished for each in processes),
    )


def _delays(path: Path, window: Window) -> tuple[Ints, Samples]:
    rows = read_rows(path, JOBS)
    rows = rows[(rows["start"] >= 0) & (rows["release"] >= window.start) & (rows["release"] < window.end)]
    return np.asarray(rows["release"]), (rows["start"] - rows["release"]).astype(np.float64)


def _stalls(places: list[Path], tag: str) -> Stalls:
    rows = [read_rows(place / f"{tag}.stalls.npy", STALLS) for place in places]
    probes = [read_json(place / f"{tag}.stalls.json", Probe) for place in places]
    length = np.concatenate([each["to"] - each["from"] for each in rows])
    return Stalls(seen=all(probe.saw_stalls for probe in probes), length_us=percentiles(length / _US))
