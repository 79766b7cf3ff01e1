# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of a traced run with the analysis: whether any response is above its bound, and what caused it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec
import numpy as np

from takt_cli.analysis.grants import policy_in_use, refused_requests, uses_other_policy
from takt_cli.analysis.intervals import Intervals, union
from takt_cli.analysis.result import Result
from takt_cli.analysis.stalls.host_time import HostTime
from takt_cli.analysis.verdict import HOST_MISS_LIMIT, unobserved_in_run
from takt_cli.results.sample_files import Ints
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, Verdict
from takt_cli.schedulability.check import Check, check
from takt_cli.schedulability.model import Costs, Demands, declared_wcets
from takt_cli.schedulability.processor import bound_with_disturbance
from takt_cli.schedulability.task import TaskSet
from takt_cli.spec.application import Application, Task
from takt_cli.traces.summary import TraceAnalysis

# The lab may disturb the jobs at the beginning of the measured part for this long, in ns.
_DISTURBED_EDGE = 10_000_000
# How many of a task's jobs above the bound are reported individually.
_MAX_REPORTED = 5


class Agreement(Enum):
    """The degree to which a run agrees with its bounds, in rising order of severity."""

    within = "within"
    """No response is above the bound."""
    host = "above by the host alone"
    """Some responses are above it, but none would be without the time that the host took."""
    unknown = "not judged"
    """The run or its trace does not give enough information."""
    above = "above"
    """The analysis or the runtime is wrong, or something costs more than is counted."""


WORST = list(Agreement)
_BOUNDED = (Agreement.within, Agreement.host)


class Part(msgspec.Struct, frozen=True):
    """A part of a response time, in words, and its length."""

    what: str
    ns: int


class JobAbove(msgspec.Struct, frozen=True, kw_only=True):
    """A job above its bound. `taken_ns` is what the host took, by how, and `bound_with_that_ns` the bound if that is
    counted in, None for infinite; `host` says that the job is below the latter."""

    job: int
    release_s: float
    response_ns: int
    above_ns: int
    taken_ns: dict[str, int]
    bound_with_that_ns: int | None
    host: bool
    parts: list[Part] = []


class BoundedTask(msgspec.Struct, frozen=True, kw_only=True):
    """The bound of a task's response times, and its longest responses in the model and in the run; None if there is
    none. `jobs_above` are the worst of the jobs above the bound."""

    task: str
    period_ns: int
    deadline_ns: int
    wcet_ns: int
    jobs: int
    bound_ns: int | None
    bound_without_costs_ns: int | None
    simulated_ns: int | None
    measured_ns: int | None
    measured_without_host_ns: int | None
    above: int
    above_by_host: int
    verdict: Agreement
    model_above: bool
    jobs_above: list[JobAbove]


class BoundedSet(msgspec.Struct, frozen=True, kw_only=True):
    """A task set, whose run is in `folder`. `groups` is the number of exclusive groups of several callbacks, `kernel`
    whether the kernel's context switches are known."""

    folder: str
    policy: str
    utilisation: float
    groups: int
    kernel: bool
    not_judged: list[str]
    verdict: Agreement
    tasks: list[BoundedTask]


class ShareOfBound(msgspec.Struct, frozen=True):
    """The longest responses of tasks as shares of their bounds."""

    median: float
    max: float


class BoundsTotals(msgspec.Struct, frozen=True, kw_only=True):
    """The sums over all task sets."""

    sets: int
    tasks: int
    jobs: int
    jobs_above: int
    jobs_above_by_host: int
    tasks_by_verdict: dict[str, int]
    of_bound: ShareOfBound | None


class BoundsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a measurement; `costs_not_known`: why the costs could not be measured."""

    seed: int
    duration_s: float
    costs_ns: Costs
    costs_not_known: list[str]
    totals: BoundsTotals
    verdict: Verdict
    runs: list[BoundedSet]


@dataclass(frozen=True)
class AnalysedRun:
    """A run and what the analysis and the model predict. `simulated_responses`: the longest response time in the model,
    in ns, by task."""

    trace_analysis: TraceAnalysis
    result: Result
    check: Check
    check_without_costs: Check
    """The check without any costs, whose bounds the model must meet."""
    simulated_responses: Mapping[int, int]


def analysed(application: Application, costs: Costs) -> Check:
    """Return the analysis of an application on one CPU."""
    return check(application, [0] * len(application.tasks), Demands(declared_wcets(application), costs))


def reasons_not_judged(analysis: TraceAnalysis, result: Result) -> list[str]:
    """Return why a run cannot be judged; empty if it can."""
    record = result.record
    reasons = []
    in_use = policy_in_use(record)
    if uses_other_policy(result.executor, result.settings.policy, in_use):
        refusal = "; ".join(refused_requests(record)) or "it did not have the rights"
        reasons.append(f"takt ran as {in_use} instead of {result.settings.policy}: {refusal}")
    reasons += [line for line in refused_requests(record) if line not in " ".join(reasons)]
    reasons += [line for line in unobserved_in_run(result) if line not in reasons]
    holes = analysis.trace.holes
    if holes and not any("of the trace were dropped" in line for line in reasons):
        reasons += holes
    return reasons


class _ComparisonWithBounds:
    """The comparison of one run with its bounds, task by task."""

    def __init__(self, run: AnalysedRun) -> None:
        self._run = run
        self._jobs = run.trace_analysis.jobs
        self._host = HostTime(run.trace_analysis, run.result, run.check.demands.costs.jitter)
        self._busy = _busy_intervals(run.trace_analysis)
        self.blind = reasons_not_judged(run.trace_analysis, run.result)

    def tasks(self) -> list[BoundedTask]:
        """Return the figures of each task; times in ns."""
        numbers = {task.name: number for number, task in self._run.trace_analysis.trace.tasks.items()}
        return [
            self._task(processor.answer.tasks, place, task, numbers.get(task.id, -1))
            for processor in self._run.check.processors
            for place, task in enumerate(processor.members)
        ]

    def _task(self, tasks: TaskSet, index: int, task: Task, number: int) -> BoundedTask:
        run, jobs = self._run, self._jobs
        bound, bound_without_costs = (
            each.responses[task.index].response for each in (run.check, run.check_without_costs)
        )
        places = self._judged(number)
        responses = jobs.finish[places] - jobs.release[places]
        simulated = run.simulated_responses.get(task.index)
        jobs_above: list[tuple[int, JobAbove]] = []
        is_judged = np.ones(len(places), bool)
        if bound is not None and not self.blind:
            for i in np.flatnonzero(responses > bound):
                job_above = self._job_above_bound(tasks, index, int(places[i]), bound)
                is_judged[i] = not job_above.host
                jobs_above.append((int(places[i]), job_above))
        faults = [each for each in jobs_above if not each[1].host]
        reported_jobs = sorted(faults or jobs_above, key=lambda each: -each[1].response_ns)[:_MAX_REPORTED]
        model_above = simulated is not None and bound_without_costs is not None and simulated > bound_without_costs
        verdict = Agreement.within
        if bound is None or self.blind or not len(places):
            verdict = Agreement.unknown
        elif jobs_above:
            verdict = Agreement.above if faults else Agreement.host
        return BoundedTask(
            task=task.id,
            period_ns=task.callback.period,
            deadline_ns=task.callback.deadline,
            wcet_ns=task.callback.wcet,
            jobs=len(places),
            bound_ns=bound,
            bound_without_costs_ns=bound_without_costs,
            simulated_ns=simulated,
            measured_ns=_longest(responses),
            measured_without_host_ns=_longest(responses[is_judged]),
            above=len(jobs_above),
            above_by_host=len(jobs_above) - len(faults),
            verdict=Agreement.above if model_above else verdict,
            model_above=model_above,
            jobs_above=[msgspec.structs.replace(each, parts=self._parts(place)) for place, each in reported_jobs],
        )

    def _judged(self, number: int) -> Ints:
        """Return the places of the task's jobs in the measured part, without those that the lab may have disturbed at
        both ends of it, where it reads the CPU clocks of all threads."""
        jobs, window = self._jobs, self._run.result.window
        is_finished = (jobs.finish >= 0) & (jobs.finish < window.end)
        places = np.flatnonzero((jobs.task == number) & (jobs.release >= window.start) & is_finished)
        return places[self._began(jobs.release[places]) >= window.start + _DISTURBED_EDGE]

    def _began(self, release: Ints | int) -> Ints:
        """Return the beginning of the busy period of each release."""
        return np.asarray(self._busy[np.searchsorted(self._busy[:, 0], release, side="right") - 1, 0])

    def _job_above_bound(self, tasks: TaskSet, index: int, job: int, bound: int) -> JobAbove:
        jobs = self._jobs
        release, finish = int(jobs.release[job]), int(jobs.finish[job])
        begin = int(self._began(release))
        host_time = self._host.time_taken(begin, finish)
        allowed = bound_with_disturbance(tasks, index, sum(host_time.values()))
        return JobAbove(
            job=int(jobs.index[job]),
            release_s=(release - self._run.result.window.start) / 1e9,
            response_ns=finish - release,
            above_ns=finish - release - bound,
            taken_ns=dict(host_time),
            bound_with_that_ns=allowed,
            host=allowed is None or finish - release <= allowed,
        )

    def _parts(self, job: int) -> list[Part]:
        shares: Counter[str] = Counter()
        for part in self._run.trace_analysis.causes.parts_of(job):
            shares[part.description()] += part.ns
        return [Part(words, ns) for words, ns in shares.most_common()]


def _busy_intervals(analysis: TraceAnalysis) -> Intervals:
    """Return the busy intervals, in which some job was pending: time that the host takes before such an interval
    has no effect in it."""
    jobs = analysis.jobs
    is_finished = (jobs.finish >= 0) & (jobs.release >= 0)
    return union(jobs.release[is_finished], jobs.finish[is_finished])


def _longest(responses: Ints) -> int | None:
    return int(responses.max()) if len(responses) else None


def bounded_set(run: AnalysedRun, folder: str) -> BoundedSet:
    """Return the figures of one task set: those of its tasks, and the worst of their verdicts."""
    comparison = _ComparisonWithBounds(run)
    application = run.check.application
    tasks = comparison.tasks()
    return BoundedSet(
        folder=folder,
        policy=application.policy,
        utilisation=application.utilisation,
        groups=sum(len(node.callbacks) > 1 and node.group == "exclusive" for node in application.nodes),
        kernel=run.trace_analysis.traced.kernel is not None,
        not_judged=comparison.blind,
        verdict=max((task.verdict for task in tasks), key=WORST.index, default=Agreement.unknown),
        tasks=tasks,
    )


def bounds_summary(
    runs: list[BoundedSet], seed: int, seconds: float, costs: Costs, unknown_costs: list[str]
) -> BoundsSummary:
    """Return the figures of all sets, whose runs have a length of `seconds`. `unknown_costs`: why the costs are
    unknown."""
    tasks = [task for run in runs for task in run.tasks]
    counted = Counter(task.verdict for task in tasks)
    shares_of_bound = sorted(
        task.measured_without_host_ns / task.bound_ns
        for task in tasks
        if task.verdict in _BOUNDED and task.measured_without_host_ns and task.bound_ns
    )
    totals = BoundsTotals(
        sets=len(runs),
        tasks=len(tasks),
        jobs=sum(task.jobs for task in tasks),
        jobs_above=sum(task.above for task in tasks),
        jobs_above_by_host=sum(task.above_by_host for task in tasks),
        tasks_by_verdict={each.value: counted[each] for each in Agreement},
        of_bound=ShareOfBound(shares_of_bound[len(shares_of_bound) // 2], shares_of_bound[-1])
        if shares_of_bound
        else None,
    )
    return BoundsSummary(
        seed=seed,
        duration_s=seconds,
        costs_ns=costs,
        costs_not_known=unknown_costs,
        totals=totals,
        verdict=_verdict(unknown_costs, runs, counted, totals),
        runs=runs,
    )


def _verdict(
    unknown_costs: list[str], runs: Sequence[BoundedSet], counted: Counter[Agreement], totals: BoundsTotals
) -> Verdict:
    above, unknown = counted[Agreement.above], counted[Agreement.unknown]
    if above:
        why = [f"{above} of {totals.tasks} tasks have responses above their bound that the host does not explain"]
        return Verdict(FAIL, why)
    if unknown_costs or unknown:
        reasons = list(dict.fromkeys(unknown_costs + [line for run in runs for line in run.not_judged]))
        return Verdict(INCONCLUSIVE, reasons or [f"{unknown} of {totals.tasks} tasks could not be judged"])
    jobs, excused = totals.jobs, totals.jobs_above_by_host
    if excused > HOST_MISS_LIMIT * jobs:
        share = f"{100 * excused / jobs:.2g} %"
        return Verdict(INCONCLUSIVE, [f"{excused} of {jobs} jobs were above by the host alone ({share})"])
    host = counted[Agreement.host]
    remarks = [f"{host} tasks were above by the host alone"] if host else []
    return Verdict(PASS, ["no response is above its bound", *remarks])
