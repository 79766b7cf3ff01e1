# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Why a job was late or shed: what had its processor between its release and its end, and by what right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.files import Rows
from takt_cli.analysis.thefts import Thefts
from takt_cli.analysis.trace_file import Kind, Trace
from takt_cli.analysis.trace_jobs import NEVER, Doing, Jobs, Slices


@dataclass(frozen=True)
class Part:
    """A share of the time from a job's release to its end. `what`: `ran` itself, `longer` than it usually
    does, `late release`, `preempted` (after its start), `waited` (before, for one that goes first),
    `blocked` (by one that does not), `behind` (its own task's previous job), `hand-over`, `stalled` (by the
    host), `thread` (one that runs no jobs had the CPU, as the kernel says) or `nobody` (no job of takt had
    the processor)."""

    what: str
    ns: int
    who: str = ""
    """The task, or the thread."""
    why: str = ""
    """Of `blocked`: by what."""

    def words(self) -> str:
        match self.what:
            case "preempted":
                return f"preempted by {self.who}"
            case "waited":
                return f"waited for {self.who}"
            case "blocked":
                return f"blocked by {self.who} ({self.why})"
            case "behind":
                return "its own previous job"
            case "longer":
                return "ran longer than usual"
            case "stalled":
                return "stalled by the host"
            case "thread":
                return f"thread {self.who} had the CPU"
            case "nobody":
                return "no job had the CPU"
        return self.what


@dataclass(frozen=True)
class Missed:
    """A job that missed its deadline or was shed, with what kept it, the most first; the job's own usual run
    is last."""

    task: int
    index: int
    release: int
    deadline: int
    """NEVER where it is not known."""
    finish: int
    """-1: it never did."""
    how: str
    """`late`, `unfinished`, `skipped` (its previous job was unfinished) or `stale` (its data was too old)."""
    transition: bool
    parts: tuple[Part, ...]

    @property
    def culprit(self) -> Part | None:
        """What kept it most, its own usual run aside."""
        others = [part for part in self.parts if part.what != "ran"]
        return others[0] if others else (self.parts[0] if self.parts else None)


class Causes:
    """The misses of a trace with their causes. `stalls`: those of the host, `kernel`: its switches between
    threads, if somebody looked."""

    def __init__(
        self, trace: Trace, jobs: Jobs, slices: Slices, stalls: Rows | None, kernel: Rows | None = None
    ) -> None:
        self._trace, self._jobs, self._slices = trace, jobs, slices
        self._thefts = {first: Thefts(processor.cpu, stalls, kernel) for first, processor in trace.processors.items()}
        events = trace.events
        self._deferrals = events["at"][events["kind"] == Kind.deferral]
        refreshes = events[np.isin(events["kind"], (Kind.refresh, Kind.raise_)) & (events["value"] >= 0)]
        self._refreshing = set(zip(*(refreshes[name].tolist() for name in ("task", "index", "value")), strict=True))
        self._own = {int(task): self._median_run(int(task)) for task in np.unique(jobs.task)}
        self._reach = np.maximum.accumulate(slices.end) if len(slices) else slices.end
        self._end = int(trace.events["at"].max()) if len(trace.events) else 0

    def misses(self, since: int = 0, until: int = NEVER) -> list[Missed]:
        """Of the jobs released between the two instants, in order of release."""
        jobs, end = self._jobs, self._end
        with_deadline = (jobs.deadline >= 0) & (jobs.deadline < NEVER)
        late = with_deadline & (jobs.finish > jobs.deadline)
        open_ = with_deadline & (jobs.finish < 0) & (jobs.skipped < 0) & (jobs.deadline < end)
        shed = jobs.skipped >= 0
        found = (late | open_ | shed) & (jobs.release >= since) & (jobs.release < until)
        places = np.flatnonzero(found)
        return [self._missed(int(at)) for at in places[np.argsort(jobs.release[places], kind="stable")]]

    def _missed(self, at: int) -> Missed:
        jobs = self._jobs
        task, index, release = int(jobs.task[at]), int(jobs.index[at]), int(jobs.release[at])
        finish, skipped = int(jobs.finish[at]), int(jobs.skipped[at])
        if skipped >= 0:
            stale = int(jobs.noticed[at]) >= 0
            how = "stale" if stale else "skipped"
            parts = () if stale else self._of_previous(at)
        else:
            how = "late" if finish >= 0 else "unfinished"
            parts = self._parts(at, release, finish if finish >= 0 else self._end)
        deadline = int(jobs.deadline[at])
        transition = bool(jobs.transition[at])
        return Missed(task, index, release, deadline if deadline >= 0 else NEVER, finish, how, transition, parts)

    def _of_previous(self, at: int) -> tuple[Part, ...]:
        """Of a release that was shed: what kept the job that it found unfinished."""
        jobs, release = self._jobs, int(self._jobs.release[at])
        before = at - 1
        while before >= 0 and jobs.task[before] == jobs.task[at]:
            if jobs.skipped[before] < 0:
                finish = int(jobs.finish[before])
                return self._parts(before, int(jobs.release[before]), finish if finish >= 0 else max(release, 0))
            before -= 1
        return ()

    def _parts(self, at: int, begin: int, end: int) -> tuple[Part, ...]:
        """What the time from `begin` to `end` of a job went by with."""
        jobs, slices = self._jobs, self._slices
        task = int(jobs.task[at])
        shares: Counter[tuple[str, str, str]] = Counter()
        noticed = int(jobs.noticed[at])
        first = self._trace.processor_of(task)
        thefts = self._thefts.get(first, Thefts(-1, None, None))
        covered = begin
        if noticed > begin:
            covered = min(noticed, end)
            shares["late release", "", ""] += thefts.take(shares, begin, covered)
        for i in range(int(np.searchsorted(self._reach, covered, side="right")), len(slices)):
            left, right = max(int(slices.begin[i]), covered), min(int(slices.end[i]), end)
            if int(slices.begin[i]) >= end:
                break
            if left >= right or int(slices.first_task[i]) != first:
                continue
            shares["nobody", "", ""] += thefts.take(shares, covered, left)
            shares[self._role(at, i)] += thefts.take(shares, left, right)
            covered = right
        shares["nobody", "", ""] += thefts.take(shares, covered, end)
        run = shares.get(("ran", "", ""), 0)
        usual = self._own.get(task, 0)
        if jobs.finish[at] >= 0 and run > 1.1 * usual:
            shares["ran", "", ""] = usual
            shares["longer", self._trace.task_name(task), ""] = run - usual
        parts = [Part(what, ns, who, why) for (what, who, why), ns in shares.items() if ns > 0]
        return tuple(sorted(parts, key=lambda part: (part.what == "ran", -part.ns)))

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
        processor = self._trace.processors.get(self._trace.processor_of(task))
        if processor is not None and not processor.preempts:
            began_before = 0 <= int(jobs.start[place]) <= int(jobs.noticed[at])
            return "which is not preempted" if began_before else ""
        if int(jobs.level[place]) >= int(jobs.level[at]) or self._due_first(place, at):
            return ""
        shared = self._shared(task, other)
        return shared or ("in a middleware section" if self._deferred_within(i) else "")

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

    def _median_run(self, task: int) -> int:
        """How long a job of the task usually has the processor, ns."""
        slices = self._slices
        mine = (slices.task == task) & (slices.doing != Doing.comes)
        if not mine.any():
            return 0
        _, job = np.unique(slices.index[mine], return_inverse=True)
        return int(np.median(np.bincount(job, (slices.end - slices.begin)[mine])))


def _common(names: list[str]) -> str:
    """The node of callbacks that are all of one."""
    nodes = {name.rpartition("/")[0] for name in names}
    return nodes.pop() if len(nodes) == 1 else ""


def deferrals(trace: Trace) -> int:
    """How often a middleware section put a start off."""
    return int((trace.events["kind"] == Kind.deferral).sum())


def by_culprit(missed: list[Missed]) -> list[dict[str, Any]]:
    """How many misses each cause had, the most frequent first."""
    found = Counter((each.task, each.how, each.culprit.words() if each.culprit is not None else "") for each in missed)
    return [{"task": t, "how": how, "mostly": words, "misses": n} for (t, how, words), n in found.most_common()]
