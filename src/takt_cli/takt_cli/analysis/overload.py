# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of an overload: which tasks met their deadlines, what resources the process used, and how long recovery
took."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from takt_cli.analysis.counters import MessageTotals, message_counts
from takt_cli.analysis.gauges import LEAST_SAMPLES, Gauges, gauge_figures, grown_gauges
from takt_cli.analysis.grants import policy_in_use, refused_requests
from takt_cli.analysis.grid import Fate, Outcomes, Window, outcomes
from takt_cli.analysis.intervals import NEVER, clip, next_idle, total_length, union
from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.analysis.verdict import EVIDENT, doubts_by_stalls, judged, throttle_windows, unobserved_host_effects
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.origin import Host
from takt_cli.results.overload import OverloadSettings
from takt_cli.results.result_file import NoRecord, StoredResult
from takt_cli.results.sample_files import SKIPPED, STALLS, Mask, Rows
from takt_cli.results.structures import extended
from takt_cli.results.verdict import Verdict
from takt_cli.spec.application import Application, Overload
from takt_cli.statistics.percentiles import Percentiles, percentiles

_MS, _S = 1e6, 1e9
# The largest share of the overload that throttling, and making up for it, may take if a verdict is to be given.
_LARGEST_LOSS = 0.5
# If less than this share of the CPU is left over, it counts as fully utilised.
_FULL = 1e-6


class Utilisation(msgspec.Struct, frozen=True):
    """The utilisation at normal load and during the overload."""

    calm: float
    overload: float


class JobCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of releases, and of each kind of miss among them."""

    jobs: int
    late: int
    skipped: int
    host: int
    unforced: int


class HeldFigures(JobCounts, frozen=True, kw_only=True):
    """The figures of the tasks that the policy can hold through the overload.

    Each of their misses is of one kind: during real-time throttling, or before that was made up for; the same of
    another stall of the host; `unforced`, on time in the replay; or else `forced`."""

    tasks: list[str]
    utilisation: float
    in_overload: int
    throttled: int
    forced: int
    response_of_deadline: Percentiles


class TaskFigures(JobCounts, frozen=True, kw_only=True):
    """The figures of one task within the overload."""

    task: str
    priority: int
    period_ms: float
    utilisation: float
    queue: int
    held: bool
    response_ms: Percentiles


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """The time from the end of the overload until no job was pending, None if that did not come: in the run, in its
    replay, and in a simulation with the WCETs; the jobs then pending; and the bounds, that of the run by the work that
    was left in the replay. None if a bound is unknown or infinite."""

    measured_ms: float | None
    replayed_ms: float | None
    simulated_ms: float | None
    pending: int
    backlog_ms: float | None
    bound_ms: float | None
    simulated_bound_ms: float | None


class Throttling(msgspec.Struct, frozen=True, kw_only=True):
    """The windows in which the kernel throttled real-time threads, and its settings for that."""

    windows: int
    total_ms: float
    made_up_ms: float
    length_ms: Percentiles
    rt_runtime_us: int | None
    rt_period_us: int | None


class StalledTime(msgspec.Struct, frozen=True):
    """The number of stalls of the host, and the time that they took."""

    n: int
    total_ms: float


class OverloadFigures(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of an overload. `held` are the tasks that meet every deadline in the model, `others` the rest during
    the overload, and `calm` all tasks before it and after the recovery."""

    policy: str
    policy_in_use: str
    rmw: str
    utilisation: Utilisation
    overload_s: float
    held: HeldFigures
    others: JobCounts
    calm: JobCounts
    recovery: Recovery
    gauges: Gauges
    throttling: Throttling
    stalls: StalledTime
    messages: MessageTotals
    dispatch_us: float | None
    tasks: list[TaskFigures]
    stress: AchievedLoad | None
    refused: list[str]
    host: Host | None


class OverloadSummary(OverloadFigures, frozen=True, kw_only=True):
    """All figures, and the verdict on them."""

    verdict: Verdict


@dataclass(frozen=True)
class OverloadRun(StoredResult[OverloadSettings, NoRecord]):
    """A run with its replay, and a simulation of the same application with the WCETs of its spec."""

    run_analysis: RunAnalysis
    model: Rows

    @property
    def application(self) -> Application:
        return self.run_analysis.result.application

    @property
    def window(self) -> Window:
        return self.run_analysis.result.window

    @property
    def overload(self) -> Overload:
        """The overload that the spec describes."""
        assert self.application.overload is not None
        return self.application.overload

    @property
    def begin(self) -> int:
        """The beginning of the overload, in the run's own time."""
        return self.window.t0 + self.overload.begin

    @property
    def end(self) -> int:
        """The end of the overload, in the run's own time."""
        return self.window.t0 + self.overload.end

    @cached_property
    def stalls(self) -> Rows:
        """The stalls of the host that the probe saw, throttling included."""
        result = self.run_analysis.result
        return result.stalls if result.record.saw_stalls else result.stalls[:0]

    @cached_property
    def throttled(self) -> Rows:
        """The windows in which the kernel throttled real-time threads."""
        return throttle_windows(self.stalls, self.window, self.run_analysis.result.host, in_parts=True)

    @cached_property
    def held(self) -> list[int]:
        """The tasks that meet every deadline in the model, overload included: under `fp` the most urgent ones."""
        length = self.window.end - self.window.t0
        out = outcomes(self.application, Window(0, 0, length), self.model)
        late = set(out.task[out.missed].tolist())
        return [task.index for task in self.application.tasks if task.index not in late]

    @property
    def held_utilisation(self) -> float:
        """The utilisation of the held tasks during the overload."""
        return sum(self.application.tasks[number].callback.utilisation for number in self.held) * self.overload.factor

    def made_up(self, stalls: Rows) -> Rows:
        """Return each stall extended until the held tasks had made up for it, but no longer than this may take.

        The extension is needed because the probe does not see the first millisecond of a stall, so that a stall costs
        less in the replay than in the run."""
        jobs = self.run_analysis.result.jobs
        held_jobs = jobs[np.isin(jobs["task"], self.held) & ((jobs["flags"] & SKIPPED) == 0)]
        extended_stalls: Rows = stalls.copy()
        extended_stalls["to"] = next_idle(held_jobs["release"], held_jobs["finish"], stalls["to"])
        for stall in extended_stalls:
            limit = recovery_bound(
                0, self.held_utilisation, self.application.hyperperiod, self.stalls, int(stall["from"])
            )
            if limit is not None:
                stall["to"] = min(stall["to"], stall["from"] + limit)
        return extended_stalls

    @cached_property
    def recovered(self) -> int | None:
        """The instant at which the run had recovered from the overload, in its own time; None if it had not."""
        return idle_from(self.run_analysis.result.jobs, self.end)


def idle_from(jobs: Rows, instant: int) -> int | None:
    """Return the first instant from `instant` on at which no job was pending or running; None if there was none before
    the end of the record."""
    executed_jobs = jobs[(jobs["flags"] & SKIPPED) == 0]
    idle_instant = int(next_idle(executed_jobs["release"], executed_jobs["finish"], instant))
    return None if idle_instant == NEVER else idle_instant


def pending_at(jobs: Rows, instants: Any) -> Any:
    """Return the number of released but unfinished jobs at each of the instants."""
    executed_jobs = jobs[(jobs["flags"] & SKIPPED) == 0]
    finish = np.where(executed_jobs["finish"] >= 0, executed_jobs["finish"], NEVER)
    return np.searchsorted(np.sort(executed_jobs["release"]), instants, "right") - np.searchsorted(
        np.sort(finish), instants, "right"
    )


def stalled_time(stalls: Rows, begin: int, end: int) -> int:
    """Return for how long, in ns, the host was stalled between two instants."""
    return total_length(clip(union(stalls["from"], stalls["to"]), begin, end))


def recovery_bound(backlog: int, utilisation: float, hyperperiod: int, stalls: Rows, begin: int) -> int | None:
    """Return how long, in ns, recovery from `begin` on may take: the remaining work and the time that the host takes
    meanwhile, divided by the share of the CPU that the calm application leaves, plus one hyperperiod. None if it would
    never end."""
    if utilisation > 1 - _FULL:
        return None
    length = 0
    while True:
        lost_time = stalled_time(stalls, begin, begin + length)
        longer_bound = int((backlog + lost_time) / (1 - utilisation)) + hyperperiod
        if longer_bound <= length:
            return length
        length = longer_bound


def overload_summary(run: OverloadRun) -> OverloadSummary:
    """Return all figures with a verdict."""
    analysis, record, application = run.run_analysis, run.run_analysis.result.record, run.application
    out = analysis.outcomes
    overloaded = (out.release >= run.begin) & (out.release < run.end)
    is_of_held_task = np.isin(out.task, run.held)
    gauges = analysis.result.gauges
    assert gauges is not None
    gauges_in_overload = gauges[(gauges["at"] >= run.begin) & (gauges["at"] < run.end)]
    figures = OverloadFigures(
        policy=application.policy,
        policy_in_use=policy_in_use(record),
        rmw=record.rmw,
        utilisation=Utilisation(application.utilisation, application.peak_utilisation),
        overload_s=(run.end - run.begin) / _S,
        held=_held_figures(run, is_of_held_task, overloaded),
        others=_counts(analysis, ~is_of_held_task & overloaded),
        calm=_counts(analysis, _releases_at_normal_load(run, out)),
        recovery=_recovery(run),
        gauges=gauge_figures(gauges_in_overload),
        throttling=_throttling(run),
        stalls=StalledTime(len(run.stalls), stalled_time(run.stalls, run.window.t0, run.window.end) / _MS),
        messages=message_counts(analysis.result.processes),
        dispatch_us=analysis.totals.dispatch_us.per_job,
        tasks=[_task(run, number, overloaded) for number in range(len(application.tasks))],
        stress=run.origin.conditions.load if run.origin.conditions else None,
        refused=refused_requests(record),
        host=run.origin.host,
    )
    return extended(figures, OverloadSummary, verdict=_verdict(figures, run))


def _releases_at_normal_load(run: OverloadRun, out: Outcomes) -> Mask:
    """Return the releases before the overload and after the recovery."""
    recovery_instant = run.window.end if run.recovered is None else run.recovered
    mask: Mask = (out.release < run.begin) | (out.release >= recovery_instant)
    return mask


def _counts(analysis: RunAnalysis, mask: Mask) -> JobCounts:
    fate = analysis.outcomes.fate[mask]
    return JobCounts(
        jobs=int(mask.sum()),
        late=int(np.isin(fate, (Fate.late, Fate.unfinished)).sum()),
        skipped=int((fate == Fate.skipped).sum()),
        host=int((analysis.host & mask).sum()),
        unforced=int(((analysis.unforced | analysis.unforced_skips) & mask).sum()),
    )


def _held_figures(run: OverloadRun, is_of_held_task: Mask, overloaded: Mask) -> HeldFigures:
    analysis, out = run.run_analysis, run.run_analysis.outcomes
    missed = is_of_held_task & out.missed
    throttled = missed & _overlap(out, run.made_up(run.throttled))
    host = missed & ~throttled & (analysis.host | _overlap(out, run.made_up(run.stalls)))
    unforced = (analysis.unforced | analysis.unforced_skips) & missed & ~throttled & ~host
    is_finished = is_of_held_task & overloaded & (out.finish >= 0)
    share = (out.finish - out.release)[is_finished] / (out.deadline - out.release)[is_finished]
    counts = _counts(analysis, is_of_held_task)
    return extended(
        msgspec.structs.replace(counts, host=int(host.sum()), unforced=int(unforced.sum())),
        HeldFigures,
        tasks=[run.application.tasks[number].id for number in run.held],
        utilisation=run.held_utilisation,
        in_overload=int((is_of_held_task & overloaded).sum()),
        throttled=int(throttled.sum()),
        forced=int((missed & ~throttled & ~host & ~unforced).sum()),
        response_of_deadline=percentiles(share),
    )


def _overlap(out: Outcomes, stalls: Rows) -> Mask:
    return overlaps(out.release, np.where(out.finish >= 0, out.finish, out.deadline), stalls)


def _recovery(run: OverloadRun) -> Recovery:
    application, replay = run.application, run.run_analysis.result.replay
    assert replay is not None

    def modelled(jobs: Rows, begin: int, stalls: Rows) -> tuple[float | None, float | None, float | None]:
        """Return how long recovery took in the model, the work that was left at its beginning, and its bound, in ms."""
        if (idle := idle_from(jobs, begin)) is None:
            return None, None, None
        backlog = _backlog(jobs, begin, idle, stalls)
        bound = recovery_bound(backlog, application.utilisation, application.hyperperiod, stalls, begin)
        return (idle - begin) / _MS, backlog / _MS, None if bound is None else bound / _MS

    replayed, backlog, bound = modelled(replay, run.end, run.stalls)
    simulated, _, simulated_bound = modelled(run.model, run.overload.end, np.empty(0, STALLS))
    return Recovery(
        measured_ms=None if run.recovered is None else (run.recovered - run.end) / _MS,
        replayed_ms=replayed,
        simulated_ms=simulated,
        pending=int(pending_at(run.run_analysis.result.jobs, [run.end - 1])[0]),
        backlog_ms=backlog,
        bound_ms=bound,
        simulated_bound_ms=simulated_bound,
    )


def _backlog(jobs: Rows, begin: int, idle: int, stalls: Rows) -> int:
    """Return the work, in ns, that was left at `begin`. The model was busy with it, and with later releases, until
    `idle`."""
    released_jobs = jobs[(jobs["release"] >= begin) & (jobs["release"] < idle) & (jobs["finish"] >= 0)]
    return max(idle - begin - stalled_time(stalls, begin, idle) - int(released_jobs["cpu"].sum()), 0)


def _throttling(run: OverloadRun) -> Throttling:
    lengths = (run.throttled["to"] - run.throttled["from"]) / _MS
    host = run.run_analysis.result.host
    return Throttling(
        windows=len(lengths),
        total_ms=float(lengths.sum()),
        made_up_ms=stalled_time(run.made_up(run.throttled), run.begin, run.end) / _MS,
        length_ms=percentiles(lengths),
        rt_runtime_us=host.rt_runtime_us,
        rt_period_us=host.rt_period_us,
    )


def _task(run: OverloadRun, number: int, overloaded: Mask) -> TaskFigures:
    task, out = run.application.tasks[number], run.run_analysis.outcomes
    is_of_task = overloaded & (out.task == number)
    is_finished = is_of_task & (out.finish >= 0)
    return extended(
        _counts(run.run_analysis, is_of_task),
        TaskFigures,
        task=task.id,
        priority=task.callback.priority,
        period_ms=task.callback.period / _MS,
        utilisation=task.callback.utilisation * run.overload.factor,
        queue=task.callback.queue,
        held=number in run.held,
        response_ms=percentiles((out.finish - out.release)[is_finished] / _MS),
    )


def _verdict(figures: OverloadFigures, run: OverloadRun) -> Verdict:
    """Return the verdict: `pass` if the tasks that the policy can hold had no misses except by throttling and stalls of
    the host, nothing grew, recovery was within its bound, and there were no unforced misses after it."""
    result, held, calm, recovery = run.run_analysis.result, figures.held, figures.calm, figures.recovery
    faults = grown_gauges(figures.gauges)
    if recovery.measured_ms is None:
        faults.append("it had not recovered when the run ended")
    elif recovery.bound_ms is not None and recovery.measured_ms > recovery.bound_ms:
        faults.append(f"recovery took {recovery.measured_ms:.3g} ms, above its bound of {recovery.bound_ms:.3g}")
    misses = held.unforced + calm.unforced
    if held.unforced:
        faults.append(f"{held.unforced} unforced misses of tasks that the policy holds")
    if calm.unforced:
        faults.append(f"{calm.unforced} unforced misses before the overload and after recovery")
    # Throttling is part of the experiment: its cost is reported separately.
    reasons = unobserved_host_effects(
        False, result.origin, result.record.probes, run.window, result.record.dropped_events
    )
    if figures.gauges.heap.n < LEAST_SAMPLES:
        reasons.append("the overload was too short to see whether memory, files or threads grow")
    if (throttled_share := figures.throttling.made_up_ms / (figures.overload_s * _S / _MS)) > _LARGEST_LOSS:
        reasons.append(
            f"throttling left only {100 * (1 - throttled_share):.0f} % of the overload to judge the held tasks in"
        )
    if not held.tasks:
        reasons.append(f"{run.application.policy} holds no task through this overload in the simulator")
    evident = not reasons and misses > EVIDENT * (held.host + calm.host)
    evident |= any("unforced" not in fault for fault in faults)
    reasons += doubts_by_stalls(held.host, held.jobs, "jobs that the policy holds missed")
    good = "the tasks that the policy holds were on time, nothing grew, and it recovered"
    return judged(faults, reasons, good, evident)
