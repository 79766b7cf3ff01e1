# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of a traced run with the analysis: whether any response is above its bound, and what caused it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from takt_cli.analysis.grants import policy_in_use, refused_requests, uses_other_policy
from takt_cli.analysis.host_time import HostTime
from takt_cli.analysis.intervals import Intervals, union
from takt_cli.analysis.result import Result
from takt_cli.analysis.verdict import HOST_MISS_LIMIT, unobserved_host_effects, was_throttled
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, Verdict
from takt_cli.schedulability.check import Check
from takt_cli.schedulability.processor import bound_with_disturbance
from takt_cli.traces.summary import TraceAnalysis

SCHEMA_VERSION = 1
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


def reasons_not_judged(analysis: TraceAnalysis, result: Result) -> list[str]:
    """Return why a run cannot be judged; empty if it can."""
    record = result.record
    reasons = []
    in_use = policy_in_use(record)
    if uses_other_policy(result.executor, result.settings.policy, in_use):
        refusal = "; ".join(refused_requests(record)) or "it did not have the rights"
        reasons.append(f"takt ran as {in_use} instead of {result.settings.policy}: {refusal}")
    reasons += [line for line in refused_requests(record) if line not in " ".join(reasons)]
    throttling = was_throttled(result.stalls, result.window, result.host)
    effects = unobserved_host_effects(
        throttling, result.envelope.origin, record.probes, result.window, record.dropped_events
    )
    reasons += [line for line in effects if line not in reasons]
    holes = analysis.trace.holes
    if holes and not any("of the trace were dropped" in line for line in reasons):
        reasons += holes
    return reasons


class Comparison:
    """The comparison of one run with its bounds, task by task."""

    def __init__(self, run: AnalysedRun) -> None:
        self._run = run
        self._jobs = run.trace_analysis.jobs
        self._host = HostTime(run.trace_analysis, run.result, run.check.demands.costs.jitter)
        self._busy = _busy_intervals(run.trace_analysis)
        self.blind = reasons_not_judged(run.trace_analysis, run.result)

    def tasks(self) -> list[dict[str, Any]]:
        """Return the figures of each task; times in ns."""
        numbers = {task.name: number for number, task in self._run.trace_analysis.trace.tasks.items()}
        return [
            self._task(processor.answer.tasks, place, task, numbers.get(task.id, -1))
            for processor in self._run.check.processors
            for place, task in enumerate(processor.members)
        ]

    def _task(self, tasks: Any, index: int, task: Any, number: int) -> dict[str, Any]:
        run, jobs = self._run, self._jobs
        bound, bound_without_costs = (
            run.check.responses[task.index].response,
            run.check_without_costs.responses[task.index].response,
        )
        places = self._judged(number)
        responses = jobs.finish[places] - jobs.release[places]
        simulated = run.simulated_responses.get(task.index)
        jobs_above: list[dict[str, Any]] = []
        is_judged = np.ones(len(places), bool)
        if bound is not None and not self.blind:
            for i in np.flatnonzero(responses > bound):
                job_above = self._job_above_bound(tasks, index, int(places[i]), bound)
                is_judged[i] = not job_above["host"]
                jobs_above.append(job_above)
        faults = [each for each in jobs_above if not each["host"]]
        reported_jobs = sorted(faults or jobs_above, key=lambda each: -int(each["response_ns"]))[:_MAX_REPORTED]
        model_above = simulated is not None and bound_without_costs is not None and simulated > bound_without_costs
        verdict = Agreement.within
        if bound is None or self.blind or not len(places):
            verdict = Agreement.unknown
        elif jobs_above:
            verdict = Agreement.above if faults else Agreement.host
        return {
            "task": task.id,
            "period_ns": task.callback.period,
            "deadline_ns": task.callback.deadline,
            "wcet_ns": task.callback.wcet,
            "jobs": len(places),
            "bound_ns": bound,
            "bound_without_costs_ns": bound_without_costs,
            "simulated_ns": simulated,
            "measured_ns": _longest(responses),
            "measured_without_host_ns": _longest(responses[is_judged]),
            "above": len(jobs_above),
            "above_by_host": len(jobs_above) - len(faults),
            "verdict": (Agreement.above if model_above else verdict).value,
            "model_above": model_above,
            "jobs_above": [each | {"parts": self._parts(each.pop("at"))} for each in reported_jobs],
        }

    def _judged(self, number: int) -> Any:
        """Return the places of the task's jobs in the measured part, without those that the lab may have disturbed at
        both ends of it, where it reads the CPU clocks of all threads."""
        jobs, window = self._jobs, self._run.result.window
        in_window = (
            (jobs.task == number) & (jobs.release >= window.start) & (jobs.finish >= 0) & (jobs.finish < window.end)
        )
        places = np.flatnonzero(in_window)
        return places[self._began(jobs.release[places]) >= window.start + _DISTURBED_EDGE]

    def _began(self, release: Any) -> Any:
        """Return the beginning of the busy period of each release."""
        return self._busy[np.searchsorted(self._busy[:, 0], release, side="right") - 1, 0]

    def _job_above_bound(self, tasks: Any, index: int, job: int, bound: int) -> dict[str, Any]:
        jobs = self._jobs
        release, finish = int(jobs.release[job]), int(jobs.finish[job])
        begin = int(self._began(release))
        host_time = self._host.time_taken(begin, finish)
        allowed = bound_with_disturbance(tasks, index, sum(host_time.values()))
        return {
            "at": job,
            "job": int(jobs.index[job]),
            "release_s": (release - self._run.result.window.start) / 1e9,
            "response_ns": finish - release,
            "above_ns": finish - release - bound,
            "taken_ns": dict(host_time),
            "bound_with_that_ns": allowed,
            "host": allowed is None or finish - release <= allowed,
        }

    def _parts(self, job: int) -> list[dict[str, Any]]:
        shares: Counter[str] = Counter()
        for part in self._run.trace_analysis.causes.parts_of(job):
            shares[part.description()] += part.ns
        return [{"what": words, "ns": ns} for words, ns in shares.most_common()]


def _busy_intervals(analysis: TraceAnalysis) -> Intervals:
    """Return the busy intervals, in which some job was pending: time that the host takes before such an interval
    has no effect in it."""
    jobs = analysis.jobs
    is_finished = (jobs.finish >= 0) & (jobs.release >= 0)
    return union(jobs.release[is_finished], jobs.finish[is_finished])


def _longest(responses: Any) -> int | None:
    return int(responses.max()) if len(responses) else None


def run_summary(run: AnalysedRun, folder: str) -> dict[str, Any]:
    """Return the figures of one task set: those of its tasks, and the worst of their verdicts."""
    comparison = Comparison(run)
    application = run.check.application
    tasks = comparison.tasks()
    verdicts = [Agreement(task["verdict"]) for task in tasks]
    return {
        "folder": folder,
        "policy": application.policy,
        "utilisation": application.utilisation,
        "groups": sum(len(node.callbacks) > 1 and node.group == "exclusive" for node in application.nodes),
        "kernel": run.trace_analysis.traced.kernel is not None,
        "not_judged": comparison.blind,
        "verdict": max(verdicts, key=WORST.index, default=Agreement.unknown).value,
        "tasks": tasks,
    }


def bounds_summary(runs: list[dict[str, Any]], context: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of all sets. `context`: the seed, the length of each run, the costs and why they are
    unknown."""
    tasks = [task for run in runs for task in run["tasks"]]
    counted = Counter(task["verdict"] for task in tasks)
    judged_tasks = [t for t in tasks if t["verdict"] in (Agreement.within.value, Agreement.host.value)]
    shares_of_bound = sorted(
        t["measured_without_host_ns"] / t["bound_ns"] for t in judged_tasks if t["measured_without_host_ns"]
    )
    return {
        "schema_version": SCHEMA_VERSION,
        **context,
        "totals": {
            "sets": len(runs),
            "tasks": len(tasks),
            "jobs": sum(task["jobs"] for task in tasks),
            "jobs_above": sum(task["above"] for task in tasks),
            "jobs_above_by_host": sum(task["above_by_host"] for task in tasks),
            "tasks_by_verdict": {each.value: counted[each.value] for each in Agreement},
            "of_bound": {"median": shares_of_bound[len(shares_of_bound) // 2], "max": shares_of_bound[-1]}
            if shares_of_bound
            else None,
        },
        "verdict": _verdict(context["costs_not_known"], runs, counted),
        "runs": runs,
    }


def _verdict(unknown_costs: list[str], runs: list[dict[str, Any]], counted: Counter[str]) -> Verdict:
    above, unknown = counted[Agreement.above.value], counted[Agreement.unknown.value]
    tasks = sum(counted.values())
    if above:
        why = [f"{above} of {tasks} tasks have responses above their bound that the host does not explain"]
        return Verdict(FAIL, why)
    if unknown_costs or unknown:
        reasons = list(dict.fromkeys(unknown_costs + [line for run in runs for line in run["not_judged"]]))
        return Verdict(INCONCLUSIVE, reasons or [f"{unknown} of {tasks} tasks could not be judged"])
    jobs, excused = (sum(task[name] for run in runs for task in run["tasks"]) for name in ("jobs", "above_by_host"))
    if excused > HOST_MISS_LIMIT * jobs:
        share = f"{100 * excused / jobs:.2g} %"
        return Verdict(INCONCLUSIVE, [f"{excused} of {jobs} jobs were above by the host alone ({share})"])
    host = counted[Agreement.host.value]
    remarks = [f"{host} tasks were above by the host alone"] if host else []
    return Verdict(PASS, ["no response is above its bound", *remarks])
