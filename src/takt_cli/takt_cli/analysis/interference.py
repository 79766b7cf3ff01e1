# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interference: what disturbing activities cost the most urgent task, by turns with and without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import numpy as np

from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.stalls.late_starts import LateStarts, late_starts, waiting_since
from takt_cli.analysis.stalls.stall_causes import StallsByCause, stalls_by_cause
from takt_cli.errors import RunError
from takt_cli.results.interference import (
    INTERFERENCE_FORMAT,
    Activity,
    InterferenceProcess,
    InterferenceRecord,
    InterferenceSettings,
    Turn,
    Variant,
    Waits,
)
from takt_cli.results.origin import Host
from takt_cli.results.program import PeerWork, Probe
from takt_cli.results.result_file import StoredResult
from takt_cli.results.sample_files import CPU_TURNS, JOBS, SAMPLES, STALLS, Ints, Mask, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

_US = 1000
Figures = TypeVar("Figures")

LEVELS = ("p50", "p99.9", "max")


@dataclass(frozen=True)
class Turns:
    """The releases on the ideal grid within all turns of one kind, in order of time.

    `delay`: the time in ns until the task's next job started; if a release was skipped, that is a later release's job.
    `round`: the round of each release. Of the misses, `missed_by_host_stall` are those that overlap a stall in which no
    thread had the CPU; `missed_by_thread_stall` those that overlap only stalls in which a thread had it: then either
    the kernel could not be preempted, or the host stopped the CPU meanwhile, which cannot be distinguished."""

    seconds: float
    release: Ints
    delay: Samples
    round: Ints
    late: Mask
    skipped: Mask
    missed_by_host_stall: Mask
    missed_by_thread_stall: Mask

    @property
    def missed(self) -> Mask:
        return self.late | self.skipped


@dataclass(frozen=True)
class CaseMeasurement:
    """The measurements of one case with one front end over one RMW."""

    variant: Variant
    process: InterferenceProcess
    probe: Probe
    jobs: Rows
    publishes: Rows
    stalls: Rows
    cpu_turns: Rows

    def turns_of(self, active: bool) -> list[Turn]:
        """Return the turns with the activity (`active`) or without, as the program recorded them, after those in which
        it warmed up."""
        return [each for each in self.process.turns if each.on is active and each.round >= self.variant.case.warm_up]

    def turns(self, active: bool) -> Turns:
        """Return the releases in the turns with the activity (`active`) or without."""
        return self._joined(self.turns_of(active))

    def warm_up(self) -> Turns | None:
        """Return the releases in the turns with the activity in which the case warmed up; None if it did not."""
        turns = [each for each in self.process.turns if each.on and each.round < self.variant.case.warm_up]
        return self._joined(turns) if turns else None

    def _joined(self, turns: list[Turn]) -> Turns:
        seconds, *columns = zip(*(astuple(self._turn(each)) for each in turns), strict=True)
        return Turns(sum(seconds), *map(np.concatenate, columns))

    def _turn(self, turn: Turn) -> Turns:
        t0, period = self.process.t0, self.process.period_ns
        begin, end = -(-(turn.start - t0) // period), -(-(turn.end - t0) // period)
        index = np.arange(max(begin, 0), max(end, 0), dtype=np.int64)
        started = self.jobs["index"].astype(np.int64)
        place = np.searchsorted(started, index)
        # After the last job it is unknown when the next one would have started.
        has_next_job = place < len(started)
        index, place = index[has_next_job], place[has_next_job]
        release = t0 + index * period
        skipped = started[place] != index
        late = ~skipped & (self.jobs["finish"][place] > release + period)
        end_of_job = np.maximum(self.jobs["finish"][place], release + period)
        of_host, kept = self.stalls_by_cause.causes(release, end_of_job)
        return Turns(
            (turn.end - turn.start) / 1e9,
            release,
            (self.jobs["start"][place] - release).astype(np.float64),
            np.full(len(index), turn.round, np.int64),
            late,
            skipped,
            (late | skipped) & of_host,
            (late | skipped) & kept,
        )

    @cached_property
    def stalls_by_cause(self) -> StallsByCause:
        """The stalls that the probe saw, by what had the CPU in them."""
        seen = self.stalls if self.probe.saw_stalls else self.stalls[:0]
        return stalls_by_cause(seen, self.cpu_turns, self.process.switches)

    def late_starts(self, active: bool) -> LateStarts:
        """Return the late starts within the turns of one kind, and why they were late."""
        t0, period = self.process.t0, self.process.period_ns
        waiting_from = waiting_since(t0 + self.jobs["index"].astype(np.int64) * period, self.jobs["finish"], period)
        chosen = self._rounds_of(waiting_from, active) >= 0
        start = self.jobs["start"]
        return late_starts(
            waiting_from[chosen], start[chosen], self.stalls_by_cause, self.cpu_turns, self.process.switches
        )

    def publish_times(self, active: bool) -> tuple[Samples, Ints]:
        """Return how long the most urgent task's own publish calls took within the turns of one kind, in ns, and the
        round of each."""
        rounds = self._rounds_of(self.publishes["at"], active)
        chosen = rounds >= 0
        return self.publishes["value"][chosen].astype(np.float64), rounds[chosen]

    def stall_lengths(self, active: bool) -> Percentiles:
        """Return the lengths of the stalls that the probe saw within the turns of one kind, in us."""
        turns = np.array([(turn.start, turn.end) for turn in self.turns_of(active)], [("from", "<i8"), ("to", "<i8")])
        seen = self.stalls[overlaps(self.stalls["from"], self.stalls["to"], turns)]
        return percentiles((seen["to"] - seen["from"]) / _US)

    def _rounds_of(self, instants: Ints, active: bool) -> Ints:
        """Return the round of each instant that lies in a turn of one kind, -1 for the others."""
        rounds = np.full(len(instants), -1, np.int64)
        for turn in self.turns_of(active):
            rounds[(instants >= turn.start) & (instants < turn.end)] = turn.round
        return rounds


@dataclass(frozen=True)
class InterferenceResult(StoredResult[InterferenceSettings, InterferenceRecord]):
    """The result of `takt measure interference`: its envelope and all its cases."""

    measurements: list[CaseMeasurement]


def read_interference(folder: Path) -> InterferenceResult:
    """Read the result in `folder`. Raises ResultError if there is none, RunError if a job found no room."""
    envelope = INTERFERENCE_FORMAT.read(folder)
    reports = zip(envelope.settings.variants, envelope.record.processes, envelope.record.probes, strict=True)
    return InterferenceResult(folder, envelope, [_read(folder, *each) for each in reports])


def _read(folder: Path, variant: Variant, process: InterferenceProcess, probe: Probe) -> CaseMeasurement:
    if process.dropped:
        raise RunError(f"{variant.name}: {process.dropped} jobs were not recorded for lack of room; shorten the turns")
    files = {"jobs": JOBS, "publishes": SAMPLES, "stalls": STALLS, "cpu": CPU_TURNS}
    rows = (read_rows(folder / f"{variant.tag}.{name}.npy", kind) for name, kind in files.items())
    return CaseMeasurement(variant, process, probe, *rows)


class ByTurns(msgspec.Struct, Generic[Figures], frozen=True, kw_only=True, rename={"active": "with"}):
    """What there is of the turns with the activity (`active`), and of those without."""

    active: Figures
    without: Figures

    def each(self) -> Iterator[tuple[str, Figures]]:
        """Yield both with the names of their turns."""
        yield "with", self.active
        yield "without", self.without


class TurnFigures(msgspec.Struct, frozen=True):
    """The figures of the turns of one kind: releases, and those missed by their causes."""

    releases: int
    missed: int
    late: int
    skipped: int
    skipped_per_s: float | None
    host_misses: int
    kept_misses: int
    start_delay_us: Percentiles


class TurnRatio(MedianOfRounds, frozen=True, kw_only=True):
    """The ratio of the turns with an activity to those without, over the rounds."""

    least: float
    greatest: float


Ratios = dict[str, TurnRatio | None]


class PublishTimes(ByTurns[Percentiles], frozen=True, kw_only=True):
    """How long the most urgent task's own publish calls took."""

    ratio: Ratios


class WaitFigures(ByTurns[Waits], frozen=True, kw_only=True):
    """The waits, and the functions that waited longest for a mutex and held it, if known."""

    longest_lock_wait_in: str | None
    longest_lock_held_by: str | None


class Done(Activity, frozen=True, kw_only=True):
    """What was really done in the turns with the activity, in this process and in the others, and how often the reader
    was stopped."""

    turns_stopped: int
    peers: dict[str, PeerWork]


class StallFigures(ByTurns[Percentiles], frozen=True, kw_only=True):
    """The lengths of the host's stalls in us; `seen` says whether the probe could see them."""

    seen: bool


class CaseFigures(ByTurns[TurnFigures], frozen=True, kw_only=True):
    """All figures of one case with one front end over one RMW. `warm_up`: those of the turns with the activity in which
    it warmed up, which are in no other figure but the longest waits."""

    case: str
    description: str
    front_end: str
    rmw: str
    mutexes: str
    max_section_ns: int
    kept_heap_bytes: int
    policy_in_use: str
    warm_up: TurnFigures | None
    start_delay_ratio: Ratios
    publish_us: PublishTimes | None
    waits: WaitFigures
    late_starts: ByTurns[LateStarts]
    switches_refused: str
    did: Done
    stalls: StallFigures
    refused: list[str]


class InterferenceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a measurement."""

    rounds: int
    turn_s: float
    cpu: int
    cases: list[CaseFigures]
    absent: list[str]
    host: Host | None


def interference_summary(result: InterferenceResult) -> InterferenceSummary:
    """Return all figures of a result."""
    settings = result.settings
    return InterferenceSummary(
        rounds=settings.rounds,
        turn_s=settings.turn / 1e9,
        cpu=settings.cpu,
        cases=[_case(each) for each in result.measurements],
        absent=list(settings.absent),
        host=result.origin.host,
    )


def _case(measurement: CaseMeasurement) -> CaseFigures:
    variant, process = measurement.variant, measurement.process
    turns = {on: measurement.turns(on) for on in (True, False)}
    published = {on: measurement.publish_times(on) for on in turns}
    publish_us = PublishTimes(
        **_both(lambda on: percentiles(published[on][0] / _US)), ratio=_ratios(list(published.values()))
    )
    last_waits = process.turns[-1].waits
    return CaseFigures(
        case=variant.case.name,
        description=variant.case.description,
        front_end=variant.front_end,
        rmw=process.rmw,
        mutexes=variant.mutexes,
        max_section_ns=variant.max_section,
        kept_heap_bytes=variant.kept_heap,
        policy_in_use=process.policy.in_use,
        **_both(lambda on: _turn_figures(turns[on])),
        warm_up=_turn_figures(warm_up) if (warm_up := measurement.warm_up()) else None,
        start_delay_ratio=_ratios([(each.delay, each.round) for each in turns.values()]),
        publish_us=publish_us if len(measurement.publishes) else None,
        waits=WaitFigures(
            **_both(lambda on: _waits(measurement.turns_of(on))),
            longest_lock_wait_in=last_waits.longest_lock_wait_in or None,
            longest_lock_held_by=last_waits.longest_lock_held_by or None,
        ),
        late_starts=ByTurns(**_both(measurement.late_starts)),
        switches_refused=process.switches.refused,
        did=_done(measurement.turns_of(True)),
        stalls=StallFigures(**_both(measurement.stall_lengths), seen=measurement.probe.saw_stalls),
        refused=process.grants.refused,
    )


def _both(figures: Callable[[bool], Figures]) -> dict[str, Figures]:
    """Return the fields of `ByTurns`."""
    return {"active": figures(True), "without": figures(False)}


def _turn_figures(turns: Turns) -> TurnFigures:
    return TurnFigures(
        releases=len(turns.delay),
        missed=int(turns.missed.sum()),
        late=int(turns.late.sum()),
        skipped=int(turns.skipped.sum()),
        skipped_per_s=float(turns.skipped.sum() / turns.seconds) if turns.seconds else None,
        host_misses=int(turns.missed_by_host_stall.sum()),
        kept_misses=int(turns.missed_by_thread_stall.sum()),
        start_delay_us=percentiles(turns.delay / _US),
    )


def _ratios(samples: list[tuple[Samples, Ints]]) -> Ratios:
    """Return the ratios of the turns with to those without, the first and the second samples, of the same round: the
    median over the rounds with its interval, the least and the greatest."""
    rounds = sorted(set.intersection(*(set(of.tolist()) for _, of in samples)))
    result: Ratios = {}
    for name in LEVELS:
        pairs = [[percentiles(times[of == each]).figure(name) for times, of in samples] for each in rounds]
        ratios = [one / other for one, other in pairs if one is not None and other]
        result[name] = (
            extended(over_rounds(ratios), TurnRatio, least=min(ratios), greatest=max(ratios)) if ratios else None
        )
    return result


def _waits(turns: list[Turn]) -> Waits:
    """Return the waits in these turns: sums of counts, and the longest times. None for what is not counted in each."""

    def combined(combine: Callable[[list[int]], int], count: Callable[[Waits], int | None]) -> int | None:
        counts = [n for turn in turns if (n := count(turn.waits)) is not None]
        return combine(counts) if len(counts) == len(turns) else None

    return Waits(
        deferred=combined(sum, lambda waits: waits.deferred),
        longest_section_ns=combined(max, lambda waits: waits.longest_section_ns),
        overlong_sections=combined(sum, lambda waits: waits.overlong_sections),
        entity_waits=combined(sum, lambda waits: waits.entity_waits),
        longest_wait_ns=combined(max, lambda waits: waits.longest_wait_ns),
        lock_waits=combined(sum, lambda waits: waits.lock_waits),
        longest_lock_wait_ns=combined(max, lambda waits: waits.longest_lock_wait_ns),
    )


def _done(turns: list[Turn]) -> Done:
    """Return what was done in these turns."""
    peers = {
        role: PeerWork(*(sum(getattr(turn.peers[role], name) for turn in turns) for name in PeerWork.__struct_fields__))
        for role in turns[0].peers
    }
    counted = [name for name in Activity.__struct_fields__ if name != "longest_job_ns"]
    counts = {name: sum(getattr(turn.did, name) for turn in turns) for name in counted}
    return Done(
        **counts,
        longest_job_ns=max(turn.did.longest_job_ns for turn in turns),
        turns_stopped=sum(turn.stopped for turn in turns),
        peers=peers,
    )
