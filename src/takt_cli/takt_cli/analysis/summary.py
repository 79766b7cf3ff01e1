# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All figures of one run, in total and per task: the content of summary.json."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.bootstrap import ratio_interval
from takt_cli.analysis.counters import AGES, BUDGETS, counters
from takt_cli.analysis.dispatch import decisions, dispatch_overhead, handover, release_jitter
from takt_cli.analysis.freshness import Executions, data_age, executions, reads_within
from takt_cli.analysis.grants import policy_in_use, refused
from takt_cli.analysis.grid import Fate, Outcomes, outcomes
from takt_cli.analysis.messages import messages
from takt_cli.analysis.misses import Mask, host_misses, unforced_misses, unforced_skips
from takt_cli.analysis.percentiles import percentiles
from takt_cli.analysis.result import Result
from takt_cli.analysis.verdict import blindness, overload, throttled, verdict, watched

SCHEMA_VERSION = 2
_US, _MS, _S = 1e3, 1e6, 1e9


class Figures:
    """The samples behind the figures of one run: what tables and plots are made from."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.outcomes: Outcomes = outcomes(result.application, result.window, result.jobs, result.on)
        stalls = result.stalls if watched(result.record["probes"]) else result.stalls[:0]
        self.host: Mask = host_misses(self.outcomes, stalls)
        none = np.zeros(len(self.outcomes), np.bool_)
        replay = result.replay
        self.unforced: Mask = none if replay is None else unforced_misses(self.outcomes, replay, self.host)
        self.unforced_skips: Mask = none if replay is None else unforced_skips(self.outcomes, replay, self.host)
        self.reads = reads_within(result.application, result.window, result.reads)
        self.executions: Executions = executions(result.application, self.reads, result.publishes)

    def totals(self) -> dict[str, Any]:
        """The figures over all tasks."""
        out, result = self.outcomes, self.result
        block = max(result.application.hyperperiod, 10**8)
        return {
            **self._counts(np.ones(len(out), np.bool_)),
            "miss_ratio_95": ratio_interval(out.missed, out.release, block),
            **self._staleness(np.ones(len(self.executions.task), np.bool_)),
            "stale_ratio_95": ratio_interval(self.executions.stale, self.executions.start, block),
            "data_age_ms": percentiles(data_age(self.reads) / _MS),
            "ages": counters(result.processes, AGES),
            "budgets": counters(result.processes, BUDGETS),
            "dispatch_us": dispatch_overhead(result.processes, out),
            "decision_us": percentiles(decisions(out) / _US),
            "handover_us": percentiles(handover(out) / _US),
            "release_jitter_us": percentiles(release_jitter(out) / _US),
            "response_ms": percentiles(self._responses(np.ones(len(out), np.bool_)) / _MS),
            "cpu_s": sum(int(p["process_cpu_ns"]) for p in result.processes) / _S,
            "callback_cpu_s": sum(int(p["callback_cpu_ns"]) for p in result.processes) / _S,
            "work_cpu_s": self._work() / _S,
            "messages": messages(result.processes),
            "processes": len(result.processes),
        }

    def summary(self) -> dict[str, Any]:
        """Everything, as JSON."""
        result, record, totals = self.result, self.result.record, self.totals()
        throttling = throttled(result.stalls, result.window, record["host"])
        blind = blindness(throttling, record, result.window)
        if result.replay is None:
            blind.append("the run was not replayed in the model, so unforced misses are unknown")
        return {
            "schema_version": SCHEMA_VERSION,
            "application": result.application.name,
            "executor": result.executor,
            "policy": record["policy"],
            "policy_in_use": policy_in_use(record),
            "refused": refused(record),
            "rmw": record["rmw"],
            "duration_s": (result.window.end - result.window.start) / _S,
            "totals": totals,
            "processors": [self._processor(i, cpu) for i, cpu in enumerate(result.cpus)],
            "tasks": [self._task(task.index, task.id) for task in result.application.tasks],
            "stalls": self._stalls(),
            "throttling": throttling,
            "stress": record.get("stress"),
            "verdict": verdict(totals, blind, overload(result.application, totals["forced_misses"], len(result.cpus))),
        }

    def _processor(self, place: int, cpu: int) -> dict[str, Any]:
        """A CPU with the tasks that ran there, and what its jobs had of it."""
        result, mine = self.result, self.outcomes.on == cpu
        tasks = [task for task, on in zip(result.application.tasks, result.on, strict=True) if on == cpu]
        used = self.outcomes.cpu[mine]
        length = result.window.end - result.window.start
        statistics = result.processes[0]["processors"][place].get("statistics") or {}
        names = ("crossings", "longest_lock_wait_ns", "longest_lock_hold_ns")
        return {
            "cpu": cpu,
            "tasks": [task.id for task in tasks],
            "utilisation": sum(task.callback.utilisation for task in tasks),
            "used": float(used[used > 0].sum()) / length,
            **self._counts(mine),
            **{name: statistics[name] for name in names if name in statistics},
        }

    def _task(self, number: int, id_: str) -> dict[str, Any]:
        mine = self.outcomes.task == number
        reads = self.reads[self.reads["task"] == number]
        cpu = self.outcomes.cpu[mine]
        callback = self.result.application.tasks[number].callback
        bounds = callback.bounds
        return {
            "task": id_,
            "cpu": self.result.on[number],
            **self._counts(mine),
            **self._staleness(self.executions.task == number),
            "data_age_ms": percentiles(data_age(reads) / _MS),
            "max_age_ms": min(bounds.values()) / _MS if bounds else None,
            "ages": counters(self.result.processes, AGES, number),
            "budget_ms": callback.budget / _MS if callback.budget else None,
            "budgets": counters(self.result.processes, BUDGETS, number),
            "response_ms": percentiles(self._responses(mine) / _MS),
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
        """Misses and skips that the model has, too: neither the host's nor the executor's; None without a replay."""
        if self.result.replay is None:
            return None
        return int((self.outcomes.missed & ~self.host & ~self.unforced & ~self.unforced_skips)[mask].sum())

    def _staleness(self, mask: Mask) -> dict[str, Any]:
        stale, n = int(self.executions.stale[mask].sum()), int(mask.sum())
        return {"stale": stale, "stale_n": n, "stale_ratio": stale / n if n else None}

    def _responses(self, mask: Mask) -> Any:
        done = mask & (self.outcomes.finish >= 0)
        return (self.outcomes.finish - self.outcomes.release)[done].astype(np.float64)

    def _work(self) -> int:
        """CPU time that the spec asks for in the jobs that finished."""
        application, done = self.result.application, self.outcomes.select(self.outcomes.finish >= 0)
        work = np.array([task.callback.wcet for task in application.tasks], np.int64)[done.task]
        if (overload := application.overload) is not None:
            at = done.release - self.result.window.t0
            work = np.where((at >= overload.begin) & (at < overload.end), np.rint(work * overload.factor), work)
        return int(work.sum())

    def _stalls(self) -> dict[str, Any]:
        window = self.result.window
        inside = self.result.stalls
        inside = inside[(inside["to"] > window.start) & (inside["from"] < window.end)]
        lengths = (inside["to"] - inside["from"]).astype(np.float64)
        return {"length_us": percentiles(lengths / _US), "total_ms": float(lengths.sum()) / _MS}
