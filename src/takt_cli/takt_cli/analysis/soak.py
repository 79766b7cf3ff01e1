# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures and verdict of a soak: misses by kind, drift, and the resources that the process used over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.analysis.gauges import LEAST_SAMPLES, Gauges, gauge_figures, grown_gauges
from takt_cli.analysis.grid import Window
from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.stalls.late_starts import BOUND, LateStarts, late_starts, waiting_since
from takt_cli.analysis.stalls.stall_causes import StallsByCause, stalls_by_cause
from takt_cli.analysis.stalls.stalls_by_switches import StolenPieces, late_wakeups, stolen_pieces
from takt_cli.analysis.verdict import EVIDENT, doubts_by_stalls, judged, unobserved_host_effects, was_throttled
from takt_cli.errors import ResultError
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.origin import Host
from takt_cli.results.result_file import StoredResult
from takt_cli.results.sample_files import (
    ADDED,
    CPU_TURNS,
    FINISHES,
    GAUGES,
    SOAK_EVENTS,
    SOAK_JOBS,
    SOAK_MISSES,
    STALLS,
    Ints,
    Mask,
    Rows,
    read_rows,
)
from takt_cli.results.soak import SOAK_FORMAT, SoakProcess, SoakRecord, SoakSettings
from takt_cli.results.structures import extended
from takt_cli.results.verdict import PASS, TOO_SHORT, Verdict
from takt_cli.statistics.accumulation import OUTSIDE, accumulation
from takt_cli.statistics.percentiles import Percentiles, percentiles
from takt_cli.statistics.slope import DRIFT_FROM, Slope, slope

KINDS = ("unforced", "transition", "host", "kept", "forced")
# Up to this slope, in us per minute, nothing counts as drift: clock reads differ by as much.
_DRIFT_LIMIT = 1.0
_US, _HOUR = 1e3, 3600e9


@dataclass(frozen=True)
class Soak(StoredResult[SoakSettings, SoakRecord]):
    """The jobs of the window and what was recorded beside them. `kinds`: a mask of the late jobs of each of KINDS.
    `stalls`: those that the probe saw, and `late_wakeups`: those that only the kernel's context switches show; both by
    what had the CPU in them are `stalls_by_cause`. `stolen`: what the host took in shorter pieces."""

    window: Window
    jobs: Rows
    kinds: dict[str, Mask]
    events: Rows
    gauges: Rows
    stalls: Rows
    late_wakeups: Rows
    stalls_by_cause: StallsByCause
    stolen: StolenPieces
    cpu_turns: Rows

    @property
    def process(self) -> SoakProcess:
        return self.record.process

    @property
    def most_urgent(self) -> Rows:
        """The jobs of the most urgent task, whose timing is the same in all scenarios."""
        rows: Rows = self.jobs[self.jobs["task"] == 0]
        return rows


def read_soak(folder: Path) -> Soak:
    """Read the result in `folder`. Raises ResultError if there is none."""
    envelope = SOAK_FORMAT.read(folder)
    process, probe = envelope.record.process, envelope.record.probe
    window = Window(process.t0, process.window.start, process.window.end)
    jobs = read_rows(folder / "jobs.npy", SOAK_JOBS)
    replay = read_rows(folder / "replay.npy", FINISHES)
    if len(replay) != len(jobs):
        raise ResultError(f"{folder}: replay.npy does not belong to jobs.npy; restore the files, or run the soak again")
    events = read_rows(folder / "events.npy", SOAK_EVENTS)
    stalls = read_rows(folder / "stalls.npy", STALLS)
    misses = read_rows(folder / "misses.npy", SOAK_MISSES)
    in_window = (jobs["release"] >= window.start) & (jobs["release"] < window.end)
    turns = read_rows(folder / "cpu.npy", CPU_TURNS)
    unseen = _late_wakeups(process, probe.cpu, jobs, turns, stalls)
    observed = np.concatenate([stalls, unseen]) if probe.saw_stalls else stalls[:0]
    by_cause = stalls_by_cause(observed, turns, process.switches)
    stolen = stolen_pieces(turns, process.switches.threads)
    kinds = _miss_kinds(jobs, replay["finish"], by_cause, stolen, misses)
    gauges = read_rows(folder / "gauges.npy", GAUGES)
    gauges = gauges[(gauges["at"] >= window.start) & (gauges["at"] <= window.end)]
    kinds = {kind: mask[in_window] for kind, mask in kinds.items()}
    return Soak(
        folder, envelope, window, jobs[in_window], kinds, events, gauges, stalls, unseen, by_cause, stolen, turns
    )


def _late_wakeups(process: SoakProcess, cpu: int, jobs: Rows, turns: Rows, stalls: Rows) -> Rows:
    """Return the stalls at releases of the most urgent task that the probe did not see."""
    releases = jobs["release"][jobs["task"] == 0]
    if len(releases) == 0:
        return stalls[:0]
    grid = np.arange(releases[0], releases[-1] + 1, process.tasks[0].period_ns)
    found = late_wakeups(grid, turns, process.switches.threads, cpu, BOUND)
    return found[~overlaps(found["from"], found["to"], stalls)]


class ReleaseDrift(Slope, frozen=True, kw_only=True):
    """The drift of the releases of the most urgent task, and how many of them are off its grid."""

    off_grid: int


class MissesByKind(msgspec.Struct, frozen=True):
    """The number of late jobs, and of those of each kind."""

    late: int
    unforced: int
    transition: int
    host: int
    kept: int
    forced: int


class Skipped(msgspec.Struct, frozen=True):
    """The number of releases without a job, and of those that a stall explains: one of the host, or one in which a
    thread kept all others off the CPU."""

    n: int
    host: int
    kept: int


class ScenarioChanges(msgspec.Struct, frozen=True):
    """Changes of scenario that took effect, and that a later request overwrote; the longest from request to effect."""

    switches: int
    overwritten: int
    longest_us: float


class StallCounts(msgspec.Struct, frozen=True):
    """The number of stalls that the probe saw, and of those that only late wake-ups show; and in how many of both each
    thread had the CPU and kept all others off it."""

    probe: int
    late_wakeups: int
    kept_by: dict[str, int]


class SoakFigures(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a soak. `guests` is the number of nodes that were added, `stress` the load as it was achieved."""

    hours: float
    application: str
    rmw: str
    jobs: int
    utilisation: float
    misses: MissesByKind
    skipped: int
    skipped_most_urgent: Skipped
    response_ms: Percentiles
    drift_us_per_min: ReleaseDrift
    gauges: Gauges
    scenarios: ScenarioChanges
    guests: int
    change_ms: Percentiles
    received: int
    read_outside: int
    start_delay_us: Percentiles
    late_starts: LateStarts
    stress: AchievedLoad | None
    refused: list[str]
    stalls: StallCounts
    host: Host | None


class SoakSummary(SoakFigures, frozen=True, kw_only=True):
    """All figures with the verdict."""

    verdict: Verdict


def soak_summary(soak: Soak) -> SoakSummary:
    """Return all figures with a verdict."""
    process, origin = soak.process, soak.origin
    urgent, task = soak.most_urgent, process.tasks[0]
    delay = (urgent["start"] - urgent["release"]).astype(np.float64)
    off_grid = (urgent["release"] - soak.window.t0 - task.phase_ns) % task.period_ns != 0
    changes = soak.events[soak.events["kind"] >= ADDED]
    figures = SoakFigures(
        hours=(soak.window.end - soak.window.start) / _HOUR,
        application=soak.settings.application,
        rmw=process.rmw,
        jobs=len(soak.jobs),
        utilisation=float(soak.jobs["cpu"].sum()) / (soak.window.end - soak.window.start),
        misses=MissesByKind(
            late=int((soak.jobs["finish"] > soak.jobs["deadline"]).sum()),
            **{kind: int(mask.sum()) for kind, mask in soak.kinds.items()},
        ),
        skipped=process.counters.skipped,
        skipped_most_urgent=_skipped(urgent, task.period_ns, soak.stalls_by_cause, soak.stolen),
        response_ms=percentiles((soak.jobs["finish"] - soak.jobs["release"]) / 1e6),
        drift_us_per_min=extended(
            slope([(urgent["release"], delay)], DRIFT_FROM), ReleaseDrift, off_grid=int(off_grid.sum())
        ),
        gauges=gauge_figures(soak.gauges),
        scenarios=ScenarioChanges(
            process.statistics.scenario_switches,
            process.statistics.scenario_requests_overwritten,
            process.statistics.longest_switch_ns / _US,
        ),
        guests=int((soak.events["kind"] == ADDED).sum()),
        change_ms=percentiles((changes["to"] - changes["from"]) / 1e6),
        received=process.received,
        read_outside=process.read_outside.messages,
        start_delay_us=percentiles(delay / _US),
        late_starts=_late_starts(soak, task.period_ns),
        stress=origin.conditions.load if origin.conditions else None,
        refused=process.grants.refused,
        stalls=StallCounts(len(soak.stalls), len(soak.late_wakeups), soak.stalls_by_cause.kept_by),
        host=origin.host,
    )
    return extended(figures, SoakSummary, verdict=_verdict(figures, soak))


def _skipped(rows: Rows, period: int, stalls: StallsByCause, stolen: StolenPieces) -> Skipped:
    """Return how many releases of a task of this period had no job, between two that had one, and those of them that
    stalls explain. A release is skipped because the job before it has not finished, so a stall may lie anywhere
    from the release of that job to the next start; or that job would have finished but for what the host took."""
    gaps = _gaps(rows, period)
    skipped = (rows["release"][gaps + 1] - rows["release"][gaps]) // period - 1
    before = rows[gaps]
    of_host, kept = stalls.causes(before["release"], rows["start"][gaps + 1])
    over = before["finish"] - before["release"] - period
    of_host |= (over > 0) & (over <= stolen.within(before["release"], before["finish"]))
    return Skipped(int(skipped.sum()), int(skipped[of_host].sum()), int(skipped[kept & ~of_host].sum()))


def _gaps(rows: Rows, period: int) -> Ints:
    """Return the indices of the jobs that were followed by skipped releases."""
    return np.flatnonzero(np.diff(rows["release"]) >= 2 * period)


def _late_starts(soak: Soak, period: int) -> LateStarts:
    """Return how many jobs of the most urgent task started later than takt promises, and why."""
    rows = soak.most_urgent
    waiting_from = waiting_since(rows["release"], rows["finish"], period)
    # What made a job skip releases made the start after them late, too.
    explained_from, gaps = waiting_from.copy(), _gaps(rows, period)
    explained_from[gaps + 1] = rows["release"][gaps]
    switches = soak.process.switches
    return late_starts(
        waiting_from, rows["start"], soak.stalls_by_cause, soak.cpu_turns, switches, explained_from=explained_from
    )


def _miss_kinds(jobs: Rows, model: Ints, stalls: StallsByCause, stolen: StolenPieces, misses: Rows) -> dict[str, Mask]:
    """Return the kind of each late job: one that a stall of the host overlaps, or that would have been on time but for
    what the host took in shorter pieces (`host`); one that overlaps only stalls in which a thread kept others off; one
    during a change of scenario, as reported by the executor; one that is also late in the model (`forced`); or else
    `unforced`. Nodes that are added or removed excuse no miss."""
    late: Mask = jobs["finish"] > jobs["deadline"]
    on_time_otherwise = jobs["finish"] - stolen.within(jobs["release"], jobs["finish"]) <= jobs["deadline"]
    of_host, kept_off = stalls.causes(jobs["release"], jobs["finish"])
    host = late & (of_host | on_time_otherwise)
    kept = late & ~host & kept_off
    rest = late & ~host & ~kept
    flagged = misses[misses["transition"] != 0]
    pairs = set(zip(flagged["task"].tolist(), flagged["release"].tolist(), strict=True))
    transition = np.zeros(len(jobs), np.bool_)
    of_rest = zip(jobs["task"][rest].tolist(), jobs["release"][rest].tolist(), strict=True)
    transition[rest] = [pair in pairs for pair in of_rest]
    rest &= ~transition
    late_in_model = (model < 0) | (model > jobs["deadline"])
    kinds = (rest & ~late_in_model, transition, host, kept, rest & late_in_model)
    return dict(zip(KINDS, kinds, strict=True))


def _verdict(figures: SoakFigures, soak: Soak) -> Verdict:
    """Return the verdict, as for a run: it fails for faults of takt, and never passes if the host was not observed or
    was stalled for too long."""
    misses, origin = figures.misses, soak.origin
    throttled = was_throttled(soak.stalls, soak.window, origin.known_host)
    reasons_not_judged = unobserved_host_effects(throttled, origin, [soak.record.probe], soak.window)
    if dropped := soak.process.dropped:
        reasons_not_judged.append(f"{dropped} rows of the record were dropped for lack of room")
    faults = []
    if misses.unforced:
        faults.append(f"{misses.unforced} unforced misses: the policy would have met these deadlines")
    skipped = figures.skipped_most_urgent
    if unexplained := skipped.n - skipped.host - skipped.kept:
        faults.append(f"{unexplained} releases of the most urgent task were skipped without a stall")
    slope = figures.drift_us_per_min
    if slope.off_grid:
        faults.append(f"{slope.off_grid} releases off the grid")
    drift = accumulation(slope, _DRIFT_LIMIT, period=soak.process.tasks[0].period_ns / _US)
    if drift.outcome == OUTSIDE:
        faults.append(f"releases drift by {slope.slope:+.2f} us a minute: {drift.why}")
    faults += grown_gauges(figures.gauges)
    doubts = reasons_not_judged + doubts_by_stalls(misses.host + misses.kept, figures.jobs)
    if drift.alone:
        doubts.append(f"releases drift by {slope.slope:+.2f} us a minute: {drift.why}")
    evident = not reasons_not_judged and misses.unforced > EVIDENT * (misses.host + misses.kept)
    evident |= any("grew" in fault or "grid" in fault for fault in faults)
    result = judged(faults, doubts, "no unforced miss, no drift, and nothing grew", evident)
    too_short_reasons = (
        [] if figures.gauges.heap.n >= LEAST_SAMPLES else ["it was too short to see whether anything grew"]
    )
    if drift.outcome == TOO_SHORT:
        too_short_reasons.append(f"it cannot be judged yet whether releases drift: {drift.why}")
    if result.outcome == PASS and too_short_reasons:
        return Verdict(TOO_SHORT, ["no unforced miss", *too_short_reasons, "run for longer"])
    return result
