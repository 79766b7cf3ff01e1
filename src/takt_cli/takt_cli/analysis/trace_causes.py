# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Why a job was late or shed: what had its processor between its release and its end, and by what right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.thefts import Thefts
from takt_cli.analysis.trace_file import Kind, Trace
from takt_cli.analysis.trace_jobs import NEVER, Doing, Jobs, Slices
from takt_cli.analysis.trace_misses import Missed, Part
from takt_cli.analysis.trace_waits import Wait, Waits

# Jobs of a task that its usual run is taken from.
_ENOUGH = 1000


class Causes:
    """The misses of a trace with their causes. `stalls`: those of the host, `kernel`: its switches between
    threads, if somebody looked; `workers`: those of them that run jobs."""

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
            first: Thefts(processor.cpu, stalls, kernel, workers) for first, processor in trace.processors.items()
        }
        events = trace.events
        self._waits = Waits(trace)
        self._deferrals = events["at"][events["kind"] == Kind.deferral]
        refreshes = events[np.isin(events["kind"], (Kind.refresh, Kind.raise_)) & (events["value"] >= 0)]
        self._refreshing = set(zip(*(refreshes[name].tolist() for name in ("task", "index", "value")), strict=True))
        self._usual: dict[int, int] = {}
        # At each place, the last job up to it that was not shed: of a stall of minutes very many were.
        self._accepted = np.maximum.accumulate(np.where(jobs.skipped < 0, np.arange(len(jobs)), -1))
        self._kept_by: dict[int, tuple[Part, ...]] = {}
        self._reach = np.maximum.accumulate(slices.end) if len(slices) else slices.end
        # Of a program that was killed, the rings of the workers may tell more than that with the finishes.
        told = events if trace.closed else events[np.isin(events["kind"], (Kind.release, Kind.choice, Kind.finish))]
        self._end = int(told["at"].max()) if len(told) else 0

    def misses(self, since: int = 0, until: int = NEVER) -> list[Missed]:
        """Of the jobs released between the two instants, in order of release. Of a trace that dropped events,
        those that are certain, without what kept them: who ran meanwhile may be what is missing."""
        jobs, end = self._jobs, self._end
        with_deadline = (jobs.deadline >= 0) & (jobs.deadline < NEVER)
        late = with_deadline & (jobs.finish > jobs.deadline)
        whole = self._trace.dropped == 0
        open_ = whole & with_deadline & (jobs.finish < 0) & (jobs.skipped < 0) & (jobs.deadline < end)
        shed = jobs.skipped >= 0
        found = (late | open_ | shed) & (jobs.release >= since) & (jobs.release < until)
        places = np.flatnonzero(found)
        return [self._missed(int(at)) for at in places[np.argsort(jobs.release[places], kind="stable")]]

    def parts_of(self, at: int) -> tuple[Part, ...]:
        """What the time of the job at a place of the trace's went by with, from its release to its finish."""
        finish = int(self._jobs.finish[at])
        return self._parts(at, int(self._jobs.release[at]), finish if finish >= 0 else self._end)

    def _missed(self, at: int) -> Missed:
        jobs = self._jobs
        task, index, release = int(jobs.task[at]), int(jobs.index[at]), int(jobs.release[at])
        finish, skipped = int(jobs.finish[at]), int(jobs.skipped[at])
        parts: tuple[Part, ...] = ()
        if skipped >= 0:
            how = "stale" if int(jobs.noticed[at]) >= 0 else "skipped"
        else:
            how = "late" if finish >= 0 else "unfinished"
        if self._trace.dropped == 0:
            if how == "skipped":
                parts = self._of_previous(at)
            elif how != "stale":
                parts = self._parts(at, release, finish if finish >= 0 else self._end)
        deadline = int(jobs.deadline[at])
        transition = bool(jobs.transition[at])
        return Missed(task, index, release, deadline if deadline >= 0 else NEVER, finish, how, transition, parts)

    def _of_previous(self, at: int) -> tuple[Part, ...]:
        """Of a release that was shed: what kept the job that it found unfinished."""
        jobs = self._jobs
        before = int(self._accepted[at])
        if before < 0 or jobs.task[before] != jobs.task[at]:
            return ()
        finish = int(jobs.finish[before])
        if finish < 0:
            return self._parts(before, int(jobs.release[before]), max(int(jobs.release[at]), 0))
        if before not in self._kept_by:
            self._kept_by[before] = self._parts(before, int(jobs.release[before]), finish)
        return self._kept_by[before]

    def _parts(self, at: int, begin: int, end: int) -> tuple[Part, ...]:
        """What the time from `begin` to `end` of a job went by with."""
        jobs, slices = self._jobs, self._slices
        task = int(jobs.task[at])
        shares: Counter[tuple[str, str, str]] = Counter()
        first = self._trace.processor_of(task)
        thefts = self._thefts_of(first)
        noticed = max(min(int(jobs.noticed[at]), end), begin)

        def gap(left: int, right: int) -> None:
            known = min(max(left, noticed), right)
            shares["late release", "", ""] += thefts.take(shares, left, known)
            shares["nobody", "", ""] += thefts.take(shares, known, right)

        covered = begin
        if self._preempts(first):
            # Whoever ran meanwhile would have been preempted: it is not what the job waited for.
            gap(begin, noticed)
            covered = noticed
        for i in range(int(np.searchsorted(self._reach, covered, side="right")), len(slices)):
            left, right = max(int(slices.begin[i]), covered), min(int(slices.end[i]), end)
            if int(slices.begin[i]) >= end:
                break
            if left >= right or int(slices.first_task[i]) != first:
                continue
            gap(covered, left)
            for a, b, wait in self._split(i, left, right):
                role = self._role(at, i) if wait is None else self._role_of_wait(at, i, wait)
                shares[role] += thefts.take(shares, a, b, self._runner(i) if wait is None else "")
            covered = right
        gap(covered, end)
        run = shares.get(("ran", "", ""), 0)
        usual = self._usual_run(task)
        if jobs.finish[at] >= 0 and run > 1.1 * usual:
            shares["ran", "", ""] = usual
            shares["longer", self._trace.task_name(task), ""] = run - usual
        parts = [Part(what, ns, who, why) for (what, who, why), ns in shares.items() if ns > 0]
        return tuple(sorted(parts, key=lambda part: (part.what == "ran", -part.ns)))

    def _thefts_of(self, first: int) -> Thefts:
        return self._thefts.get(first, Thefts(-1, None, None))

    def _preempts(self, first: int) -> bool:
        processor = self._trace.processors.get(first)
        return processor is None or processor.preempts

    def _runner(self, i: int) -> str:
        """Whose job runs in the slice; empty while it only comes."""
        return "" if self._slices.doing[i] == Doing.comes else self._trace.task_name(int(self._slices.task[i]))

    def _role(self, at: int, i: int) -> tuple[str, str, str]:
        """By what right the slice `i` goes before the job `at`."""
        jobs, slices = self._jobs, self._slices
        task, other = int(jobs.task[at]), int(slices.task[i])
        mine = task == other and int(slices.index[i]) == int(jobs.index[at])
        if slices.doing[i] == Doing.comes:
            return ("hand-over", "", "")
        if mine:
            return ("ran", "", "")
        if other == task:
            return ("behind", "", "")
        who = self._trace.task_name(other)
        if 0 <= int(jobs.start[at]) <= int(slices.begin[i]):
            return ("preempted", who, "")
        why = self._right(at, i)
        return ("blocked", who, why) if why else ("waited", who, "")

    def _split(self, i: int, left: int, right: int) -> Iterator[tuple[int, int, Wait | None]]:
        """A stretch of the slice `i` in pieces, in each of which its job waited for an entity or did not."""
        return self._waits.split(int(self._slices.task[i]), int(self._slices.index[i]), left, right)

    def _role_of_wait(self, at: int, i: int, wait: Wait) -> tuple[str, str, str]:
        """What it is for the job `at` that the one of the slice `i` waits: who uses what it waits for runs."""
        role = self._role(at, i)
        if role[0] == "ran":
            return ("entity", wait.name, self._waits.user(wait))
        if role[0] == "preempted" and wait.user == int(self._jobs.task[at]):
            return ("ran", "", "")
        return role

    def _right(self, at: int, i: int) -> str:
        """What lets the slice `i` of a less urgent job go before the job `at`, which has not started; empty where
        the other is the more urgent one, as far as one can tell."""
        jobs, slices = self._jobs, self._slices
        task, other, index = int(jobs.task[at]), int(slices.task[i]), int(slices.index[i])
        if (other, index, task) in self._refreshing:
            return "to refresh its data"
        place = jobs.place(other, index)
        if place < 0:
            return ""
        if not self._preempts(self._trace.processor_of(task)):
            return "" if self._goes_first(place, at) else "which is not preempted"
        if int(jobs.level[place]) >= int(jobs.level[at]) or self._due_first(place, at):
            return ""
        shared = self._shared(task, other)
        return shared or ("in a middleware section" if self._deferred_within(i) else "")

    def _goes_first(self, one: int, two: int) -> bool:
        """Whether the first of two jobs is as urgent as the second or more, where levels do not tell: all are
        alike where nothing preempts."""
        first = self._trace.processor_of(int(self._jobs.task[two]))
        policy = self._trace.processors[first].policy.removeprefix("np-")
        tasks = self._trace.tasks
        a, b = tasks.get(int(self._jobs.task[one])), tasks.get(int(self._jobs.task[two]))
        if a is None or b is None:
            return True
        match policy:
            case "fp":
                return a.priority >= b.priority
            case "rm":
                return (a.period or NEVER) <= (b.period or NEVER)
            case "dm":
                return (a.deadline or NEVER) <= (b.deadline or NEVER)
            case "edf":
                return self._due_first(one, two)
        return True

    def _due_first(self, one: int, two: int) -> bool:
        """Under EDF a job may go first although its level is lower, which stands for a length of time."""
        processor = self._trace.processors.get(self._trace.processor_of(int(self._jobs.task[two])))
        if processor is None or not processor.policy.endswith("edf"):
            return False
        return 0 <= int(self._jobs.deadline[one]) <= int(self._jobs.deadline[two])

    def _shared(self, task: int, other: int) -> str:
        """The exclusive group by which the job of one task keeps that of another from starting."""
        tasks = self._trace.tasks
        one, two = tasks.get(task), tasks.get(other)
        if two is None or two.group is None or not self._trace.groups.get((two.first_task, two.group), False):
            return ""
        members = [t.name for t in tasks.values() if (t.first_task, t.group) == (two.first_task, two.group)]
        name = _common(members) or two.name
        if one is not None and one.group == two.group:
            return f"both in the group of {name}"
        return f"the group of {name} is busy" if len(members) > 1 else ""

    def _deferred_within(self, i: int) -> bool:
        """Whether a middleware section put a start off during the slice."""
        first, behind = np.searchsorted(self._deferrals, (self._slices.begin[i], self._slices.end[i]))
        return bool(behind > first)

    def _usual_run(self, task: int) -> int:
        """How long a job of the task usually has the processor, ns: the median of some of its jobs."""
        if task not in self._usual:
            slices, thefts = self._slices, self._thefts_of(self._trace.processor_of(task))
            mine = np.flatnonzero((slices.task == task) & (slices.doing != Doing.comes))
            indices, job = np.unique(slices.index[mine], return_inverse=True)
            runs: Counter[int] = Counter()
            for i in mine[job % max(len(indices) // _ENOUGH, 1) == 0].tolist():
                for a, b, wait in self._split(i, int(slices.begin[i]), int(slices.end[i])):
                    if wait is None:
                        runs[int(slices.index[i])] += thefts.take(Counter(), a, b, self._runner(i))
            self._usual[task] = int(np.median(list(runs.values()))) if runs else 0
        return self._usual[task]


def _common(names: list[str]) -> str:
    """The node of callbacks that are all of one."""
    nodes = {name.rpartition("/")[0] for name in names}
    return nodes.pop() if len(nodes) == 1 else ""


def deferrals(trace: Trace) -> int:
    """How often a middleware section put a start off."""
    return int((trace.events["kind"] == Kind.deferral).sum())
