# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All figures of one run, in total and per task: the content of summary.json."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from takt_cli.analysis.counters import AGES, BUDGETS, counters
from takt_cli.analysis.dispatch import (
    CpuSeconds,
    DispatchOverhead,
    decision_time_known,
    dispatch_overhead,
    dispatch_time_known,
    found_cpu_free,
    handover,
    seconds_by_class,
)
from takt_cli.analysis.freshness import Executions, data_age, executions_of, mean_share, reads_within, stale_by_node
from takt_cli.analysis.grants import policy_in_use, refused_requests
from takt_cli.analysis.grid import ANY_CPU, Fate, Outcomes, outcomes
from takt_cli.analysis.messages import message_counts, readers_without_messages
from takt_cli.analysis.misses import host_misses, unforced_misses, unforced_skips
from takt_cli.analysis.preemptions import preemption_figures, preemptions
from takt_cli.analysis.recording_cost import RecordingCost, recording_cost
from takt_cli.analysis.result import ProcessorResult, Result
from takt_cli.analysis.verdict import application_faults, unobserved_host_effects, verdict, was_throttled
from takt_cli.results.sample_files import Ints, Mask
from takt_cli.results.verdict import Verdict
from takt_cli.statistics.confidence import PercentilesWithIntervals, percentiles_with_intervals, share_interval
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

SCHEMA_VERSION = 4
_US, _MS, _S = 1e3, 1e6, 1e9


# The figures of totals and of tasks that are structures, in summaries that are otherwise dictionaries.
_OF_TOTALS: dict[str, Any] = {
    "data_age_ms": PercentilesWithIntervals,
    "dispatch_us": DispatchOverhead,
    "decision_us": PercentilesWithIntervals,
    "handover_us": Percentiles,
    "release_jitter_us": PercentilesWithIntervals,
    "response_ms": PercentilesWithIntervals,
    "cpu_by_class_s": CpuSeconds,
}
_OF_TASKS: dict[str, Any] = {"data_age_ms": Percentiles, "response_ms": Percentiles}


def with_structures(summary: dict[str, Any]) -> dict[str, Any]:
    """Return a summary that was read from JSON in the form in which `RunAnalysis.summary` gives it. Raises KeyError or
    msgspec.ValidationError if it is not one."""
    return summary | {
        "verdict": msgspec.convert(summary["verdict"], Verdict),
        "measuring": msgspec.convert(summary["measuring"], RecordingCost | None),
        "totals": _converted(summary["totals"], _OF_TOTALS),
        "tasks": [_converted(task, _OF_TASKS) for task in summary["tasks"]],
    }


def _converted(figures: dict[str, Any], kinds: dict[str, Any]) -> dict[str, Any]:
    return figures | {name: msgspec.convert(figures[name], kind) for name, kind in kinds.items()}


@dataclass(frozen=True)
class TimedSamples:
    """Samples in any order, each with its instant."""

    values: Samples
    instants: Ints


class RunAnalysis:
    """The samples behind the figures of one run, from which tables and plots are made."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.outcomes: Outcomes = outcomes(result.application, result.window, result.jobs, result.task_cpus)
        stalls = result.stalls if result.record.saw_stalls else result.stalls[:0]
        self.host: Mask = host_misses(self.outcomes, stalls)
        no_misses = np.zeros(len(self.outcomes), np.bool_)
        replay = result.replay
        self.unforced: Mask = no_misses if replay is None else unforced_misses(self.outcomes, replay, self.host)
        self.unforced_skips: Mask = no_misses if replay is None else unforced_skips(self.outcomes, replay, self.host)
        self.reads = reads_within(result.application, result.window, result.reads)
        self.executions: Executions = executions_of(result.application, self.reads, result.publishes)

    @cached_property
    def preemptions(self) -> Ints | None:
        """The number of preemptions of each release's job; None if it is unknown which job had which CPU."""
        return preemptions(self.outcomes, self.result.jobs, self.result.task_cpus, self.result.window.end)

    @cached_property
    def nodes(self) -> list[dict[str, Any]]:
        """The stale executions of each node."""
        return stale_by_node(self.result.application, self.outcomes, self.executions)

    def timed(self) -> dict[str, TimedSamples]:
        """Return the samples of which percentiles are given, by their name in the totals and in its unit."""
        out = self.outcomes
        finished, chosen = out.select(out.finish >= 0), decision_time_known(out)
        started, cpu_was_free = dispatch_time_known(out), found_cpu_free(out)
        return {
            "response_ms": TimedSamples(_in_unit(finished.finish - finished.release, _MS), finished.release),
            "data_age_ms": TimedSamples(data_age(self.reads) / _MS, self.reads["start"].astype(np.int64)),
            "decision_us": TimedSamples(_in_unit(chosen.decision, _US), chosen.begin),
            "dispatch_us": TimedSamples(_in_unit(started.dispatch_cpu, _US), started.begin),
            "release_jitter_us": TimedSamples(
                _in_unit(cpu_was_free.begin - cpu_was_free.release, _US), cpu_was_free.release
            ),
        }

    def totals(self) -> dict[str, Any]:
        """The figures over all tasks."""
        return self._totals

    @cached_property
    def _totals(self) -> dict[str, Any]:
        out, result = self.outcomes, self.result
        all_jobs = np.ones(len(out), np.bool_)
        spread = {
            name: percentiles_with_intervals(timed.values, timed.instants)
            for name, timed in self.timed().items()
            if name != "dispatch_us"
        }
        return {
            **self._counts(all_jobs),
            "miss_ratio_95": share_interval(out.missed, out.release),
            **self._staleness(np.ones(len(self.executions.task), np.bool_)),
            "stale_ratio_95": share_interval(self.executions.stale, self.executions.start),
            "stale_share_by_node": mean_share(self.nodes),
            "data_age_ms": spread["data_age_ms"],
            "ages": counters(result.processes, AGES),
            "budgets": counters(result.processes, BUDGETS),
            "dispatch_us": dispatch_overhead(result.processes, out),
            "decision_us": spread["decision_us"],
            "handover_us": percentiles(handover(out) / _US),
            "release_jitter_us": spread["release_jitter_us"],
            "response_ms": spread["response_ms"],
            "preemptions": preemption_figures(self.preemptions, all_jobs),
            "cpu_s": sum(each.process_cpu_ns for each in result.processes) / _S,
            "callback_cpu_s": sum(each.callback_cpu_ns for each in result.processes) / _S,
            "cpu_by_class_s": seconds_by_class(result.processes),
            "work_cpu_s": self._work() / _S,
            "messages": message_counts(result.processes),
            "unheard": readers_without_messages(result.processes, [task.id for task in result.application.tasks]),
            "processes": len(result.processes),
        }

    def summary(self) -> dict[str, Any]:
        """Return all figures, for JSON."""
        result, record, totals = self.result, self.result.record, self.totals()
        throttling = was_throttled(result.stalls, result.window, result.host)
        reasons_not_judged = unobserved_host_effects(
            throttling, result.envelope.origin, record.probes, result.window, record.dropped_events
        )
        if result.replay is None:
            reasons_not_judged.append("the run was not replayed in the simulator, so unforced misses are unknown")
        return {
            "schema_version": SCHEMA_VERSION,
            "application": result.application.name,
            "executor": result.executor,
            "policy": result.settings.policy,
            "policy_in_use": policy_in_use(record),
            "refused": refused_requests(record),
            "rmw": record.rmw,
            "duration_s": (result.window.end - result.window.start) / _S,
            "totals": totals,
            "nodes": self.nodes,
            "processors": [self._processor(place) for place in result.processors],
            "tasks": [self._task(task.index, task.id) for task in result.application.tasks],
            "stalls": self._stalls(),
            "throttling": throttling,
            "stress": record.stress,
            "measuring": recording_cost(result.processes),
            "verdict": verdict(
                totals,
                reasons_not_judged,
                application_faults(result.application, totals["forced_misses"], len(result.cpus)),
            ),
        }

    def _processor(self, processor: ProcessorResult) -> dict[str, Any]:
        """Return the figures of one CPU, or of several that tasks share, with the tasks that ran there."""
        result, is_on_processor = self.result, self.outcomes.task_cpu == processor.task_cpu
        tasks = [
            task
            for task, on in zip(result.application.tasks, result.task_cpus, strict=True)
            if on == processor.task_cpu
        ]
        cpu_times = self.outcomes.cpu[is_on_processor]
        length = result.window.end - result.window.start
        statistics = processor.statistics
        names = ("crossings", "longest_lock_wait_ns", "longest_lock_hold_ns")
        return {
            "cpu": None if processor.task_cpu == ANY_CPU else processor.task_cpu,
            "cpus": list(processor.cpus),
            "tasks": [task.id for task in tasks],
            "utilisation": sum(task.callback.utilisation for task in tasks),
            "used": float(cpu_times[cpu_times > 0].sum()) / length,
            **self._counts(is_on_processor),
            **{name: value for name in names if (value := getattr(statistics, name)) is not None},
        }

    def _task(self, number: int, id_: str) -> dict[str, Any]:
        is_of_task = self.outcomes.task == number
        reads = self.reads[self.reads["task"] == number]
        cpu = self.outcomes.cpu[is_of_task]
        callback = self.result.application.tasks[number].callback
        bounds = callback.bounds
        return {
            "task": id_,
            "cpu": None if (task_cpu := self.result.task_cpus[number]) == ANY_CPU else task_cpu,
            **self._counts(is_of_task),
            **self._staleness(self.executions.task == number),
            "data_age_ms": percentiles(data_age(reads) / _MS),
            "max_age_ms": min(bounds.values()) / _MS if bounds else None,
            "ages": counters(self.result.processes, AGES, number),
            "budget_ms": callback.budget / _MS if callback.budget else None,
            "budgets": counters(self.result.processes, BUDGETS, number),
            "response_ms": percentiles(self._responses(is_of_task) / _MS),
            "preemptions": preemption_figures(self.preemptions, is_of_task),
            "cpu_s": float(cpu[cpu > 0].sum()) / _S,
        }

    def _counts(self, mask: Mask) -> dict[str, Any]:
        fate, jobs = self.outcomes.fate[mask], int(mask.sum())
        missed = int(self.outcomes.missed[mask].sum())
        return {
            "jobs": jobs,
            "deadline_misses": missed,
            "miss_ratio": missed / jobs if jobs else None,
            "late": int((fate == Fate.late).sum()),
            "skipped": int((fate == Fate.skipped).sum()),
            "unfinished": int((fate == Fate.unfinished).sum()),
            "host_misses": int(self.host[mask].sum()),
            "host_skipped": int((self.host[mask] & (fate == Fate.skipped)).sum()),
            "unforced_misses": int(self.unforced[mask].sum()),
            "unforced_skipped": int(self.unforced_skips[mask].sum()),
            "forced_misses": self._forced(mask),
        }

    def _forced(self, mask: Mask) -> int | None:
        """Return the number of misses and skips that also occur in the replay; None without a replay."""
        if self.result.replay is None:
            return None
        return int((self.outcomes.missed & ~self.host & ~self.unforced & ~self.unforced_skips)[mask].sum())

    def _staleness(self, mask: Mask) -> dict[str, Any]:
        stale, n = int(self.executions.stale[mask].sum()), int(mask.sum())
        return {"stale": stale, "stale_n": n, "stale_ratio": stale / n if n else None}

    def _responses(self, mask: Mask) -> Samples:
        is_finished = mask & (self.outcomes.finish >= 0)
        return (self.outcomes.finish - self.outcomes.release)[is_finished].astype(np.float64)

    def _work(self) -> int:
        """Return the CPU time in ns that the spec requires of the finished jobs."""
        application, finished_jobs = self.result.application, self.outcomes.select(self.outcomes.finish >= 0)
        work = np.array([task.callback.wcet for task in application.tasks], np.int64)[finished_jobs.task]
        if (overload := application.overload) is not None:
            time_in_run = finished_jobs.release - self.result.window.t0
            work = np.where(
                (time_in_run >= overload.begin) & (time_in_run < overload.end), np.rint(work * overload.factor), work
            )
        return int(work.sum())

    def _stalls(self) -> dict[str, Any]:
        window = self.result.window
        stalls_in_window = self.result.stalls
        stalls_in_window = stalls_in_window[
            (stalls_in_window["to"] > window.start) & (stalls_in_window["from"] < window.end)
        ]
        lengths = (stalls_in_window["to"] - stalls_in_window["from"]).astype(np.float64)
        return {"length_us": percentiles(lengths / _US), "total_ms": float(lengths.sum()) / _MS}


def _in_unit(values: Ints, unit: float) -> Samples:
    return values.astype(np.float64) / unit
