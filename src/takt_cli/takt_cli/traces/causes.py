# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Causes of late and shed jobs: what had the processor between a job's release and its end, and for what reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from takt_cli.results.sample_files import Rows
from takt_cli.results.trace_file import Kind, Trace
from takt_cli.traces.jobs import NEVER, Activity, Jobs, Slices
from takt_cli.traces.misses import MissedJob, ResponseTimePart
from takt_cli.traces.stolen_time import StolenTime
from takt_cli.traces.waits import Wait, Waits

# The number of jobs of a task from which its usual execution is computed.
_ENOUGH = 1000


class MissCauses:
    """The misses of a trace with their causes. `stalls`: those of the host; `kernel`: the kernel's context switches, if
    recorded; `workers`: the ids of the threads that run jobs."""

    def __init__(
        self,
        trace: Trace,
        jobs: Jobs,
        slices: Slices,
        stalls: Rows | None,
        kernel: Rows | None = None,
        workers: frozenset[int] = frozenset(),
    ) -> None:
        self._trace, self._jobs, self._slices = trace, jobs, slices
        self._thefts = {
            first: StolenTime(processor.cpu, stalls, kernel, workers) for first, processor in trace.processors.items()
        }
        events = trace.events
        self._waits = Waits(trace)
        self._deferrals = events["at"][events["kind"] == Kind.deferral]
        refreshes = events[np.isin(events["kind"], (Kind.refresh, Kind.raise_)) & (events["value"] >= 0)]
        self._refreshing = set(zip(*(refreshes[name].tolist() for name in ("task", "index", "value")), strict=True))
        self._usual_runs: dict[int, int] = {}
        # For each job, the last one up to it that was not shed: a stall of minutes may shed very many in a row.
        self._accepted = np.maximum.accumulate(np.where(jobs.skipped < 0, np.arange(len(jobs)), -1))
        self._parts_by_previous: dict[int, tuple[ResponseTimePart, ...]] = {}
        self._latest_ends = np.maximum.accumulate(slices.end) if len(slices) else slices.end
        # After a program was killed, the workers' rings may reach further than the ring with the finishes.
        reliable_events = (
            events if trace.closed else events[np.isin(events["kind"], (Kind.release, Kind.choice, Kind.finish))]
        )
        self._end = int(reliable_events["at"].max()) if len(reliable_events) else 0

    def misses(self, begin: int = 0, end_of_window: int = NEVER) -> list[MissedJob]:
        """Return the misses of jobs released between the two instants, in order of release. If the trace dropped
        events, only certain misses are returned, without parts, because the job that ran meanwhile may have been
        dropped."""
        jobs, end = self._jobs, self._end
        with_deadline = (jobs.deadline >= 0) & (jobs.deadline < NEVER)
        late = with_deadline & (jobs.finish > jobs.deadline)
        is_complete = self._trace.dropped == 0
        is_unfinished = is_complete & with_deadline & (jobs.finish < 0) & (jobs.skipped < 0) & (jobs.deadline < end)
        is_skipped = jobs.skipped >= 0
        is_missed = (late | is_unfinished | is_skipped) & (jobs.release >= begin) & (jobs.release < end_of_window)
        places = np.flatnonzero(is_missed)
        return [self._missed(int(at)) for at in places[np.argsort(jobs.release[places], kind="stable")]]

    def parts_of(self, job: int) -> tuple[ResponseTimePart, ...]:
        """Return the parts of the time, from release to finish, of the job at a place in `jobs`."""
        finish = int(self._jobs.finish[job])
        return self._parts(job, int(self._jobs.release[job]), finish if finish >= 0 else self._end)

    def _missed(self, job: int) -> MissedJob:
        jobs = self._jobs
        task, index, release = int(jobs.task[job]), int(jobs.index[job]), int(jobs.release[job])
        finish, skipped = int(jobs.finish[job]), int(jobs.skipped[job])
        parts: tuple[ResponseTimePart, ...] = ()
        if skipped >= 0:
            kind = "stale" if int(jobs.noticed[job]) >= 0 else "skipped"
        else:
            kind = "late" if finish >= 0 else "unfinished"
        if self._trace.dropped == 0:
            if kind == "skipped":
                parts = self._parts_behind_previous(job)
            elif kind != "stale":
                parts = self._parts(job, release, finish if finish >= 0 else self._end)
        deadline = int(jobs.deadline[job])
        transition = bool(jobs.transition[job])
        return MissedJob(task, index, release, deadline if deadline >= 0 else NEVER, finish, kind, transition, parts)

    def _parts_behind_previous(self, job: int) -> tuple[ResponseTimePart, ...]:
        """Return what delayed the previous job, which was unfinished when this release was shed."""
        jobs = self._jobs
        previous_job = int(self._accepted[job])
        if previous_job < 0 or jobs.task[previous_job] != jobs.task[job]:
            return ()
        finish = int(jobs.finish[previous_job])
        if finish < 0:
            return self._parts(previous_job, int(jobs.release[previous_job]), max(int(jobs.release[job]), 0))
        if previous_job not in self._parts_by_previous:
            self._parts_by_previous[previous_job] = self._parts(previous_job, int(jobs.release[previous_job]), finish)
        return self._parts_by_previous[previous_job]

    def _parts(self, job: int, begin: int, end: int) -> tuple[ResponseTimePart, ...]:
        """Return the parts of a job's time from `begin` to `end`."""
        jobs, slices = self._jobs, self._slices
        task = int(jobs.task[job])
        shares: Counter[tuple[str, str, str]] = Counter()
        first = self._trace.processor_of(task)
        thefts = self._thefts_of(first)
        noticed_at = max(min(int(jobs.noticed[job]), end), begin)

        def gap(begin_of_gap: int, end_of_gap: int) -> None:
            noticed_in_gap = min(max(begin_of_gap, noticed_at), end_of_gap)
            shares["late release", "", ""] += thefts.add_shares(shares, begin_of_gap, noticed_in_gap)
            shares["nobody", "", ""] += thefts.add_shares(shares, noticed_in_gap, end_of_gap)

        covered = begin
        if self._preempts(first):
            # Until the release was noticed the job waited for no other job: it would have preempted that one.
            gap(begin, noticed_at)
            covered = noticed_at
        for i in range(int(np.searchsorted(self._latest_ends, covered, side="right")), len(slices)):
            slice_begin, slice_end = max(int(slices.begin[i]), covered), min(int(slices.end[i]), end)
            if int(slices.begin[i]) >= end:
                break
            if slice_begin >= slice_end or int(slices.first_task[i]) != first:
                continue
            gap(covered, slice_begin)
            for a, b, wait in self._split(i, slice_begin, slice_end):
                role = self._role(job, i) if wait is None else self._role_of_wait(job, i, wait)
                shares[role] += thefts.add_shares(shares, a, b, self._runner(i) if wait is None else "")
            covered = slice_end
        gap(covered, end)
        run = shares.get(("ran", "", ""), 0)
        usual_run = self._usual_run(task)
        if jobs.finish[job] >= 0 and run > 1.1 * usual_run:
            shares["ran", "", ""] = usual_run
            shares["longer", self._trace.task_name(task), ""] = run - usual_run
        parts = [ResponseTimePart(what, ns, who, why) for (what, who, why), ns in shares.items() if ns > 0]
        return tuple(sorted(parts, key=lambda part: (part.kind == "ran", -part.ns)))

    def _thefts_of(self, first: int) -> StolenTime:
        return self._thefts.get(first, StolenTime(-1, None, None))

    def _preempts(self, first: int) -> bool:
        processor = self._trace.processors.get(first)
        return processor is None or processor.preempts

    def _runner(self, i: int) -> str:
        """Return the name of the task that runs in the slice; empty while its thread has not started the job."""
        return "" if self._slices.activity[i] == Activity.comes else self._trace.task_name(int(self._slices.task[i]))

    def _role(self, job: int, i: int) -> tuple[str, str, str]:
        """Return in which role slice `i` delayed the job `job`, as (what, who, why)."""
        jobs, slices = self._jobs, self._slices
        task, other = int(jobs.task[job]), int(slices.task[i])
        is_same_job = task == other and int(slices.index[i]) == int(jobs.index[job])
        if slices.activity[i] == Activity.comes:
            return ("wake-up", "", "")
        if is_same_job:
            return ("ran", "", "")
        if other == task:
            return ("behind", "", "")
        other_name = self._trace.task_name(other)
        if 0 <= int(jobs.start[job]) <= int(slices.begin[i]):
            return ("preempted", other_name, "")
        reason = self._precedence_reason(job, i)
        return ("blocked", other_name, reason) if reason else ("waited", other_name, "")

    def _split(self, i: int, begin: int, end: int) -> Iterator[tuple[int, int, Wait | None]]:
        """Yield the part of slice `i` in pieces, with the wait for an entity that covers the piece, or None."""
        return self._waits.split(int(self._slices.task[i]), int(self._slices.index[i]), begin, end)

    def _role_of_wait(self, job: int, i: int, wait: Wait) -> tuple[str, str, str]:
        """Return the role for the job `job` if the job of slice `i` is waiting for an entity: the user of that entity
        runs meanwhile."""
        role = self._role(job, i)
        if role[0] == "ran":
            return ("entity", wait.name, self._waits.user(wait))
        if role[0] == "preempted" and wait.user == int(self._jobs.task[job]):
            return ("ran", "", "")
        return role

    def _precedence_reason(self, job: int, i: int) -> str:
        """Return the reason for which slice `i` of a less urgent job goes before the job `job`, which has not started;
        empty if the other job is the more urgent one, as far as is known."""
        jobs, slices = self._jobs, self._slices
        task, other, index = int(jobs.task[job]), int(slices.task[i]), int(slices.index[i])
        if (other, index, task) in self._refreshing:
            return "to refresh its data"
        place = jobs.index_of(other, index)
        if place < 0:
            return ""
        if not self._preempts(self._trace.processor_of(task)):
            return "" if self._goes_first(place, job) else "which is not preempted"
        if int(jobs.level[place]) >= int(jobs.level[job]) or self._due_first(place, job):
            return ""
        shared = self._shared(task, other)
        return shared or ("in a middleware section" if self._deferred_within(i) else "")

    def _goes_first(self, job: int, other_job: int) -> bool:
        """Return whether the first of two jobs is at least as urgent as the second, under a non-preemptive policy,
        where all levels are equal."""
        first = self._trace.processor_of(int(self._jobs.task[other_job]))
        policy = self._trace.processors[first].policy.removeprefix("np-")
        tasks = self._trace.tasks
        task, other_task = tasks.get(int(self._jobs.task[job])), tasks.get(int(self._jobs.task[other_job]))
        if task is None or other_task is None:
            return True
        if policy == "edf":
            return self._due_first(job, other_job)
        # A smaller value is more urgent; under other policies all are equal.
        urgency = {
            "fp": (-task.priority, -other_task.priority),
            "rm": (task.period or NEVER, other_task.period or NEVER),
            "dm": (task.deadline or NEVER, other_task.deadline or NEVER),
        }
        own, other = urgency.get(policy, (0, 0))
        return own <= other

    def _due_first(self, job: int, other_job: int) -> bool:
        """Return whether the policy is EDF and the first job is due no later. It may then go first although its level,
        which stands for a relative deadline, is lower."""
        processor = self._trace.processors.get(self._trace.processor_of(int(self._jobs.task[other_job])))
        if processor is None or not processor.policy.endswith("edf"):
            return False
        return 0 <= int(self._jobs.deadline[job]) <= int(self._jobs.deadline[other_job])

    def _shared(self, task: int, other: int) -> str:
        """Return in words the exclusive group because of which a job of `other` blocks one of `task`; empty if none."""
        tasks = self._trace.tasks
        definition, other_definition = tasks.get(task), tasks.get(other)
        if other_definition is None or other_definition.group is None:
            return ""
        group = (other_definition.first_task, other_definition.group)
        if not self._trace.groups.get(group, False):
            return ""
        members = [each.name for each in tasks.values() if (each.first_task, each.group) == group]
        name = _common_node(members) or other_definition.name
        if definition is not None and definition.group == other_definition.group:
            return f"both in the group of {name}"
        return f"the group of {name} is busy" if len(members) > 1 else ""

    def _deferred_within(self, i: int) -> bool:
        """Return whether a middleware section deferred a start during the slice."""
        first, first_and_end = np.searchsorted(self._deferrals, (self._slices.begin[i], self._slices.end[i]))
        return bool(first_and_end > first)

    def _usual_run(self, task: int) -> int:
        """Return how long a job of the task usually has the processor, in ns: the median of some of its jobs."""
        if task not in self._usual_runs:
            slices, thefts = self._slices, self._thefts_of(self._trace.processor_of(task))
            slices_of_task = np.flatnonzero((slices.task == task) & (slices.activity != Activity.comes))
            indices, job = np.unique(slices.index[slices_of_task], return_inverse=True)
            runs: Counter[int] = Counter()
            for i in slices_of_task[job % max(len(indices) // _ENOUGH, 1) == 0].tolist():
                for a, b, wait in self._split(i, int(slices.begin[i]), int(slices.end[i])):
                    if wait is None:
                        runs[int(slices.index[i])] += thefts.add_shares(Counter(), a, b, self._runner(i))
            self._usual_runs[task] = int(np.median(list(runs.values()))) if runs else 0
        return self._usual_runs[task]


def _common_node(names: list[str]) -> str:
    """Return the node of the callbacks, if they all belong to one; else an empty string."""
    nodes = {name.rpartition("/")[0] for name in names}
    return nodes.pop() if len(nodes) == 1 else ""
