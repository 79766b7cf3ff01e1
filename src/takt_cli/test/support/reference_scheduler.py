# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A small reference scheduler with features that the model lacks: late releases, middleware sections and overhead."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from takt_cli.schedulability.model import Costs
from takt_cli.schedulability.task import Task, TaskSet


@dataclass
class Job:
    task: Task
    index: int
    release: int
    arrival: int
    left: int
    section: tuple[int, int]
    """The bounds of the middleware section: the job is inside while `left` is below the first and above the second."""

    @property
    def inside(self) -> bool:
        return self.section[1] < self.left < self.section[0]

    def key(self, by_deadline: bool) -> tuple[int, ...]:
        urgency = 0 if by_deadline else -self.task.urgency
        return urgency, self.release + self.task.deadline, self.release, self.index


def responses(
    tasks: TaskSet, wcets: Sequence[int], costs: Costs, phases: Sequence[int], end: int, chance: random.Random
) -> list[int]:
    """Return each task's longest response time over the jobs released before `end`. Releases are noticed late at
    random, but in their order."""
    waiting: list[list[Job]] = [[] for _ in phases]
    releases = ((r, i) for i, t in enumerate(tasks.tasks) for r in range(phases[i], end, t.period))
    before = 0
    for release, i in sorted(releases):
        task, wcet = tasks.tasks[i], wcets[i]
        before = max(before, release + chance.choice((0, task.jitter, chance.randint(0, task.jitter))))
        to = chance.choice((0, chance.randint(0, wcet)))
        inside = (min(to + task.section, wcet), to) if task.section else (0, 0)
        waiting[i].append(Job(task, i, release, before, wcet + costs.job, inside))
    worst = [0] * len(waiting)
    stack: list[Job] = []
    now = 0
    while stack or any(waiting):
        _start(stack, waiting, tasks.by_deadline, now, costs.preemption)
        arrivals = [jobs[0].arrival for jobs in waiting if jobs and jobs[0].arrival > now]
        if not stack:
            now = min(arrivals)
            continue
        job = stack[-1]
        edges = [edge for edge in job.section if edge < job.left]
        length = min(job.left - max(edges, default=0), *(arrival - now for arrival in arrivals), job.left)
        now += length
        job.left -= length
        if not job.left:
            stack.pop()
            worst[job.index] = max(worst[job.index], now - job.release)
    return worst


def _start(stack: list[Job], waiting: list[list[Job]], by_deadline: bool, now: int, preemption: int) -> None:
    """Start ready jobs, the most urgent first and one of each task at a time. A job only starts if it is more urgent
    than the running job, if that one is not inside a middleware section, and if its level is above the ceilings of all
    started jobs."""
    while not (stack and stack[-1].inside):
        started = {job.index for job in stack}
        ready = [jobs[0] for i, jobs in enumerate(waiting) if jobs and jobs[0].arrival <= now and i not in started]
        if not ready:
            return
        first = min(ready, key=lambda job: job.key(by_deadline))
        if stack:
            if first.key(by_deadline) > stack[-1].key(by_deadline):
                return
            if first.task.level <= max(job.task.ceiling for job in stack):
                return
            first.left += preemption
        waiting[first.index].pop(0)
        stack.append(first)
