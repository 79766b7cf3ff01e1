# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interference: what disturbing activities cost the most urgent task, by turns with and without them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from takt_cli.analysis.late_starts import late_starts, longest_holders, waiting_since
from takt_cli.analysis.misses import overlaps
from takt_cli.errors import ResultError, RunError
from takt_cli.results.probe import probes_saw_stalls
from takt_cli.results.sample_files import CPU_TURNS, JOBS, SAMPLES, STALLS, Ints, Mask, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds
from takt_cli.statistics.percentiles import Samples, percentiles

SCHEMA_VERSION = 1
_US = 1000
PROBE_THREAD = "lab.probe"
"""The name of the thread that watches for stalls of the host."""
Reduce = Callable[[Sequence[int]], int]


class Wait(NamedTuple):
    """A counter of the executor for waiting: its table header, and how turns are combined, by the sum of counts or by
    the maximum of lengths of time. Lengths are in ns and the longest since the executor was created."""

    title: str
    of_turns: Reduce


# By the keys in the program's output (`waits_between` there). A counter that is not in the output gets no column.
WAITS = {
    "deferred": Wait("deferred\nstarts", sum),
    "longest_section_ns": Wait("longest\nsection, ms", max),
    "overlong_sections": Wait("overlong\nsections", sum),
    "entity_waits": Wait("waits for\nentities", sum),
    "longest_wait_ns": Wait("longest\nentity wait, ms", max),
    "lock_waits": Wait("waits for\nmutexes", sum),
    "longest_lock_wait_ns": Wait("longest\nmutex wait, ms", max),
}
# Of the activity's counters this one is combined by the maximum, all others by the sum.
_LONGEST = "longest_job_ns"
_RATIOS = ("p50", "p99.9", "max")


@dataclass(frozen=True)
class Turns:
    """The releases on the ideal grid within all turns of one kind, in order of time.

    `delay`: the time in ns until the task's next job started; if a release was skipped, that is a later release's job.
    `round`: the round of each release. Of the misses, `missed_by_host_stall` are those that overlap a stall in which no
    thread had the CPU; `missed_by_thread_stall` those that overlap only stalls in which a thread had it: then either
    the kernel could not be preempted, or the host stopped the CPU meanwhile, which cannot be distinguished."""

    seconds: float
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

    variant: dict[str, Any]
    process: dict[str, Any]
    probe: dict[str, Any]
    jobs: Rows
    publishes: Rows
    stalls: Rows
    cpu_turns: Rows

    @property
    def windows(self) -> list[dict[str, Any]]:
        """The time windows of the turns, as the program recorded them."""
        windows: list[dict[str, Any]] = self.process["turns"]
        return windows

    def turns(self, active: bool) -> Turns:
        """Return the releases in the turns with the activity (`active`) or without."""
        turns_of_kind = [self._turn(window) for window in self.windows if window["on"] is active]
        return Turns(
            sum(turn.seconds for turn in turns_of_kind),
            *(
                np.concatenate([getattr(turn, name) for turn in turns_of_kind])
                for name in ("delay", "round", "late", "skipped", "missed_by_host_stall", "missed_by_thread_stall")
            ),
        )

    def _turn(self, window: dict[str, Any]) -> Turns:
        t0, period = int(self.process["t0"]), int(self.process["period_ns"])
        begin, end = -(-(window["from"] - t0) // period), -(-(window["to"] - t0) // period)
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
        of_host, kept = (overlaps(release, end_of_job, stalls) for stalls in self.stalls_by_cause)
        return Turns(
            (window["to"] - window["from"]) / 1e9,
            (self.jobs["start"][place] - release).astype(np.float64),
            np.full(len(index), window["round"], np.int64),
            late,
            skipped,
            (late | skipped) & of_host,
            (late | skipped) & kept & ~of_host,
        )

    @cached_property
    def stalls_by_cause(self) -> tuple[Rows, Rows]:
        """The stalls that the probe saw: those in which no thread had the CPU, and those in which a thread had it for
        most of the time. Without the kernel's context switches all count as the first kind."""
        observed_stalls = self.stalls if probes_saw_stalls([self.probe]) else self.stalls[:0]
        if self.process["switches"]["refused"]:
            return observed_stalls, observed_stalls[:0]
        idle_and_probe_tids = {
            0,
            *(each["tid"] for each in self.process["switches"]["threads"] if each["name"] == PROBE_THREAD),
        }
        holder_tids = longest_holders(observed_stalls, self.cpu_turns)
        idle = np.isin(holder_tids, sorted(idle_and_probe_tids))
        return observed_stalls[idle], observed_stalls[~idle]

    def late_starts(self, active: bool) -> dict[str, Any] | None:
        """Return which threads had the CPU when starts were late, within the turns of one kind; None if the kernel's
        context switches could not be recorded."""
        if self.process["switches"]["refused"]:
            return None
        t0, period = int(self.process["t0"]), int(self.process["period_ns"])
        waiting_from = waiting_since(t0 + self.jobs["index"].astype(np.int64) * period, self.jobs["finish"], period)
        in_turns = np.zeros(len(waiting_from), np.bool_)
        for window in self.windows:
            if window["on"] is active:
                in_turns |= (waiting_from >= window["from"]) & (waiting_from < window["to"])
        return late_starts(
            waiting_from[in_turns], self.jobs["start"][in_turns], self.cpu_turns, self.process["switches"]["threads"]
        ) | {"lost": self.process["switches"]["lost"]}

    def publish_times(self, active: bool) -> tuple[Samples, Ints]:
        """Return how long the most urgent task's own publish calls took within the turns of one kind, in ns, and the
        round of each."""
        times, rounds = [np.empty(0)], [np.empty(0, np.int64)]
        for window in self.windows:
            if window["on"] is active:
                in_turn = (self.publishes["at"] >= window["from"]) & (self.publishes["at"] < window["to"])
                times.append(np.asarray(self.publishes["value"][in_turn], np.float64))
                rounds.append(np.full(int(in_turn.sum()), window["round"], np.int64))
        return np.concatenate(times), np.concatenate(rounds)


@dataclass(frozen=True)
class InterferenceResult:
    """The result of `takt measure interference`: its record and all its cases."""

    record: dict[str, Any]
    measurements: list[CaseMeasurement]


def has_interference_result(folder: Path) -> bool:
    """Return whether a folder has a result of `takt measure interference`."""
    try:
        kind = json.loads((folder / "run.json").read_text("utf-8")).get("kind")
    except (OSError, ValueError, AttributeError):
        return False
    return bool(kind == "interference")


def read_interference(folder: Path) -> InterferenceResult:
    """Read the result in `folder`. Raises ResultError if there is none."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        if record["kind"] != "interference":
            raise ResultError(f"{folder}: is not a result of takt measure interference, but of {record['kind']}")
        measured_variants = zip(record["variants"], record["processes"], record["probes"], strict=True)
        return InterferenceResult(record, [_read(folder, *each) for each in measured_variants])
    except FileNotFoundError:
        raise ResultError(f"{folder}: has no run.json; name the folder of a finished run") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{folder}: is not the result of takt measure interference: {error!r}") from None


def _read(folder: Path, variant: dict[str, Any], process: dict[str, Any], probe: dict[str, Any]) -> CaseMeasurement:
    tag = variant["tag"]
    if process["dropped"]:
        raise RunError(
            f"{variant['name']}: {process['dropped']} jobs were not recorded for lack of room; shorten the turns"
        )
    return CaseMeasurement(
        variant,
        process,
        probe,
        read_rows(folder / f"{tag}.jobs.npy", JOBS),
        read_rows(folder / f"{tag}.publishes.npy", SAMPLES),
        read_rows(folder / f"{tag}.stalls.npy", STALLS),
        read_rows(folder / f"{tag}.cpu.npy", CPU_TURNS),
    )


def interference_summary(result: InterferenceResult) -> dict[str, Any]:
    """Return all figures, for JSON. `with` and `without` are the two kinds of turns of the same run."""
    record = result.record
    return {
        "schema_version": SCHEMA_VERSION,
        "rounds": record["rounds"],
        "turn_s": record["turn_ns"] / 1e9,
        "cpu": record["cpu"],
        "cases": [_case_summary(each) for each in result.measurements],
        "absent": record["absent"],
        "host": record["host"],
    }


def _case_summary(measurement: CaseMeasurement) -> dict[str, Any]:
    variant, process = measurement.variant, measurement.process
    turns = {True: measurement.turns(True), False: measurement.turns(False)}
    delays = {on: (each.delay, each.round) for on, each in turns.items()}
    published = {on: measurement.publish_times(on) for on in turns}
    return {
        "case": variant["case"]["name"],
        "description": variant["case"]["description"],
        "front_end": variant["front_end"],
        "rmw": process["rmw"],
        "mutexes": variant["mutexes"],
        "max_section_ns": variant["max_section_ns"],
        "kept_heap_bytes": variant["kept_heap_bytes"],
        "policy_in_use": process["policy"]["in_use"],
        "with": _turn_summary(turns[True]),
        "without": _turn_summary(turns[False]),
        "start_delay_ratio": _ratios(delays),
        "publish_us": {
            "with": percentiles(published[True][0] / _US),
            "without": percentiles(published[False][0] / _US),
            "ratio": _ratios(published),
        }
        if len(measurement.publishes)
        else None,
        "waits": {
            "with": _waits(measurement, True),
            "without": _waits(measurement, False),
            "longest_lock_wait_in": _function_named(measurement, "longest_lock_wait_in"),
            "longest_lock_held_by": _function_named(measurement, "longest_lock_held_by"),
        },
        "late_starts": {"with": measurement.late_starts(True), "without": measurement.late_starts(False)},
        "switches_refused": process["switches"]["refused"],
        "did": _activity_done(measurement, [window["did"] for window in measurement.windows if window["on"]]),
        "stalls": _stalls(measurement),
        "refused": process["grants"]["refused"],
    }


def _turn_summary(turns: Turns) -> dict[str, Any]:
    return {
        "releases": len(turns.delay),
        "missed": int(turns.missed.sum()),
        "late": int(turns.late.sum()),
        "skipped": int(turns.skipped.sum()),
        "skipped_per_s": float(turns.skipped.sum() / turns.seconds) if turns.seconds else None,
        "host_misses": int(turns.missed_by_host_stall.sum()),
        "kept_misses": int(turns.missed_by_thread_stall.sum()),
        "start_delay_us": percentiles(turns.delay / _US),
    }


class TurnRatio(MedianOfRounds, frozen=True, kw_only=True):
    """The ratio of the turns with an activity to those without, over the rounds."""

    least: float
    greatest: float


def _ratios(samples: dict[bool, tuple[Samples, Ints]]) -> dict[str, TurnRatio | None]:
    """Return the ratios of the turns with to those without, of the same round: the median over the rounds with its
    interval, the least and the greatest."""
    rounds = sorted(set(samples[True][1].tolist()) & set(samples[False][1].tolist()))
    result: dict[str, TurnRatio | None] = {}
    for name in _RATIOS:
        pairs = [[percentiles(times[of == each]).figure(name) for times, of in samples.values()] for each in rounds]
        ratios = [one / other for one, other in pairs if one is not None and other]
        result[name] = (
            extended(over_rounds(ratios), TurnRatio, least=min(ratios), greatest=max(ratios)) if ratios else None
        )
    return result


def _waits(measurement: CaseMeasurement, active: bool) -> dict[str, int]:
    waits_of_turns = [window["waits"] for window in measurement.windows if window["on"] is active]
    return {
        name: int(wait.of_turns([each[name] for each in waits_of_turns]))
        for name, wait in WAITS.items()
        if name in waits_of_turns[0]
    }


def _function_named(measurement: CaseMeasurement, key: str) -> str | None:
    """Return the function that the waits name under `key` at the end, with its library; None if there is none."""
    function: str | None = measurement.windows[-1]["waits"].get(key)
    return function or None


def _activity_done(measurement: CaseMeasurement, reports: list[dict[str, int]]) -> dict[str, Any]:
    """Return what was really done in the turns with the activity, in this process and in the others."""
    report_totals = {name: (max if name == _LONGEST else sum)(each[name] for each in reports) for name in reports[0]}
    turns = [window for window in measurement.windows if window["on"]]
    peers = {
        role: {name: sum(turn["peers"][role][name] for turn in turns) for name in ("times", "bytes")}
        for role in turns[0]["peers"]
    }
    return report_totals | {"turns_stopped": sum(turn["stopped"] for turn in turns), "peers": peers}


def _stalls(measurement: CaseMeasurement) -> dict[str, Any]:
    """Return the stalls of the host that the probe saw, within the turns of each kind."""
    rows = measurement.stalls
    result: dict[str, Any] = {"seen": probes_saw_stalls([measurement.probe])}
    for name, on in (("with", True), ("without", False)):
        in_turns = np.zeros(len(rows), np.bool_)
        for window in measurement.windows:
            if window["on"] is on:
                in_turns |= (rows["to"] > window["from"]) & (rows["from"] < window["to"])
        result[name] = percentiles((rows["to"] - rows["from"])[in_turns] / _US)
    return result
