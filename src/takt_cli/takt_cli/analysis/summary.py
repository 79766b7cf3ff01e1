# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Computes all figures of one run, in total and per task, from its samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from takt_cli.analysis.counters import (
    AgeCounters,
    BudgetCounters,
    counters,
    message_counts,
    readers_without_messages,
)
from takt_cli.analysis.dispatch import (
    decision_time_known,
    dispatch_overhead,
    dispatch_time_known,
    found_cpu_free,
    handover,
    seconds_by_class,
)
from takt_cli.analysis.freshness import (
    Executions,
    NodeFreshness,
    data_age,
    executions_of,
    mean_share,
    reads_within,
    stale_by_node,
)
from takt_cli.analysis.grants import policy_in_use, refused_requests
from takt_cli.analysis.grid import ANY_CPU, Fate, Outcomes, outcomes
from takt_cli.analysis.misses import JudgedCounts, host_misses, miss_counts, unforced_misses, unforced_skips
from takt_cli.analysis.preemptions import preemption_figures, preemptions
from takt_cli.analysis.recording_cost import recording_cost
from takt_cli.analysis.result import ProcessorResult, Result
from takt_cli.analysis.run_summary import (
    ProcessorFigures,
    RunCounts,
    RunSummary,
    RunTotals,
    StalledTotal,
    TaskFigures,
)
from takt_cli.analysis.verdict import application_faults, unobserved_host_effects, verdict, was_throttled
from takt_cli.results.sample_files import Ints, Mask
from takt_cli.results.structures import extended
from takt_cli.spec.application import Task
from takt_cli.statistics.confidence import percentiles_with_intervals, share_interval
from takt_cli.statistics.percentiles import Samples, percentiles

_US, _MS, _S = 1e3, 1e6, 1e9


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
    def nodes(self) -> list[NodeFreshness]:
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

    @cached_property
    def totals(self) -> RunTotals:
        """The figures over all tasks."""
        out, result = self.outcomes, self.result
        spread = {
            name: percentiles_with_intervals(timed.values, timed.instants)
            for name, timed in self.timed().items()
            if name != "dispatch_us"
        }
        return extended(
            self._counts_of(None),
            RunTotals,
            **spread,
            miss_ratio_95=share_interval(out.missed, out.release),
            stale_ratio_95=share_interval(self.executions.stale, self.executions.start),
            stale_share_by_node=mean_share(self.nodes),
            dispatch_us=dispatch_overhead(result.processes, out),
            handover_us=percentiles(handover(out) / _US),
            cpu_s=sum(each.process_cpu_ns for each in result.processes) / _S,
            callback_cpu_s=sum(each.callback_cpu_ns for each in result.processes) / _S,
            cpu_by_class_s=seconds_by_class(result.processes),
            work_cpu_s=self._work() / _S,
            messages=message_counts(result.processes),
            unheard=readers_without_messages(result.processes, [task.id for task in result.application.tasks]),
            processes=len(result.processes),
        )

    @cached_property
    def summary(self) -> RunSummary:
        """All figures."""
        result, record, totals = self.result, self.result.record, self.totals
        throttling = was_throttled(result.stalls, result.window, result.host)
        reasons_not_judged = unobserved_host_effects(
            throttling, result.origin, record.probes, result.window, record.dropped_events
        )
        if result.replay is None:
            reasons_not_judged.append("the run was not replayed in the simulator, so unforced misses are unknown")
        faults = application_faults(result.application, totals.forced_misses, len(result.cpus))
        return RunSummary(
            application=result.application.name,
            executor=result.executor,
            policy=result.settings.policy,
            policy_in_use=policy_in_use(record),
            refused=refused_requests(record),
            rmw=record.rmw,
            duration_s=(result.window.end - result.window.start) / _S,
            totals=totals,
            nodes=self.nodes,
            processors=[self._processor(place) for place in result.processors],
            tasks=[self._task(task) for task in result.application.tasks],
            stalls=self._stalls(),
            throttling=throttling,
            stress=record.stress,
            measuring=recording_cost(result.processes),
            verdict=verdict(totals, reasons_not_judged, faults),
        )

    def counts(self, mask: Mask) -> JudgedCounts:
        """Return the misses among some releases, by their cause."""
        is_skipped = self.outcomes.fate == Fate.skipped
        # Those that also occur in the replay.
        forced = self.outcomes.missed & ~self.host & ~self.unforced & ~self.unforced_skips
        return extended(
            miss_counts(self.outcomes.select(mask)),
            JudgedCounts,
            host_misses=int(self.host[mask].sum()),
            host_skipped=int((self.host & is_skipped)[mask].sum()),
            unforced_misses=int(self.unforced[mask].sum()),
            unforced_skipped=int(self.unforced_skips[mask].sum()),
            forced_misses=None if self.result.replay is None else int(forced[mask].sum()),
        )

    def _processor(self, processor: ProcessorResult) -> ProcessorFigures:
        """Return the figures of one CPU, or of several that tasks share, with the tasks that ran there."""
        result, is_on_processor = self.result, self.outcomes.task_cpu == processor.task_cpu
        tasks = [
            task
            for task, on in zip(result.application.tasks, result.task_cpus, strict=True)
            if on == processor.task_cpu
        ]
        cpu_times = self.outcomes.cpu[is_on_processor]
        length = result.window.end - result.window.start
        return extended(
            self.counts(is_on_processor),
            ProcessorFigures,
            cpu=_known_cpu(processor.task_cpu),
            cpus=list(processor.cpus),
            tasks=[task.id for task in tasks],
            utilisation=sum(task.callback.utilisation for task in tasks),
            used=float(cpu_times[cpu_times > 0].sum()) / length,
            crossings=processor.statistics.crossings,
            longest_lock_wait_ns=processor.statistics.longest_lock_wait_ns,
            longest_lock_hold_ns=processor.statistics.longest_lock_hold_ns,
        )

    def _task(self, task: Task) -> TaskFigures:
        is_of_task = self.outcomes.task == task.index
        reads = self.reads[self.reads["task"] == task.index]
        cpu, callback = self.outcomes.cpu[is_of_task], task.callback
        return extended(
            self._counts_of(task.index),
            TaskFigures,
            task=task.id,
            cpu=_known_cpu(self.result.task_cpus[task.index]),
            data_age_ms=percentiles(data_age(reads) / _MS),
            max_age_ms=min(callback.bounds.values()) / _MS if callback.bounds else None,
            budget_ms=callback.budget / _MS if callback.budget else None,
            response_ms=percentiles(self._responses(is_of_task) / _MS),
            cpu_s=float(cpu[cpu > 0].sum()) / _S,
        )

    def _counts_of(self, task: int | None) -> RunCounts:
        """Return the counts of one task, or over all tasks."""
        of_task, of_reader = (
            np.ones(len(tasks), np.bool_) if task is None else tasks == task
            for tasks in (self.outcomes.task, self.executions.task)
        )
        stale, n = int(self.executions.stale[of_reader].sum()), int(of_reader.sum())
        return extended(
            self.counts(of_task),
            RunCounts,
            stale=stale,
            stale_n=n,
            stale_ratio=stale / n if n else None,
            ages=counters(self.result.processes, AgeCounters, task),
            budgets=counters(self.result.processes, BudgetCounters, task),
            preemptions=preemption_figures(self.preemptions, of_task),
        )

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

    def _stalls(self) -> StalledTotal:
        window, stalls = self.result.window, self.result.stalls
        in_window = stalls[(stalls["to"] > window.start) & (stalls["from"] < window.end)]
        lengths = (in_window["to"] - in_window["from"]).astype(np.float64)
        return StalledTotal(length_us=percentiles(lengths / _US), total_ms=float(lengths.sum()) / _MS)


def _known_cpu(task_cpu: int) -> int | None:
    return None if task_cpu == ANY_CPU else task_cpu


def _in_unit(values: Ints, unit: float) -> Samples:
    return values.astype(np.float64) / unit
