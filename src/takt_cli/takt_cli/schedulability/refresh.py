# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The cost of bounded data age: a job whose input is too old has the producer's job run before it.

Source: decision 17. A job waits for at most one job of each producer, and for one more job of each producer's
exclusive group, at its own level; the same applies where the producer itself reads data of bounded age. All of that is
counted as work of the reader, because a job that waits for the reader waits for it as well. A producer's job that is
only brought forward is counted twice, in the reader and in its own task, so the result is an upper bound.

A read is never refreshed if its data is always young enough: the newest message was published at most one period
plus one response time of the producer ago. The reader's first job must find data, too: either published before, or by
a more urgent producer that is released no later. The response times in this proof are computed with those refreshes
counted that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import TopologicalSorter

from takt_cli.schedulability.task import Bound, Task, TaskSet
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask
from takt_cli.spec.checks import AGE_MARGIN


@dataclass(frozen=True)
class Refresh:
    """A read on one processor that may be refreshed. `reader` and `producer` are places in the processor's task set,
    `max_age` is in ns."""

    reader: int
    producer: int
    topic: int
    max_age: int
    extra: bool
    """The producer may be released additionally."""
    skips: bool
    """The reader's job is skipped where refreshing does not help."""


def refreshes(application: Application, members: Sequence[SpecTask]) -> list[Refresh]:
    """Return every read with a `max_age` whose producer is on the same processor."""
    place = {task.index: i for i, task in enumerate(members)}
    return [
        Refresh(
            i, place[producer.index], topic, age, producer.callback.extra_releases, task.callback.on_stale == "skip"
        )
        for i, task in enumerate(members)
        for topic, age in task.callback.bounds.items()
        if (producer := application.producers.get(topic)) is not None and producer.index in place
    ]


def with_refreshes(tasks: TaskSet, reads: Sequence[Refresh], groups: Sequence[int | None]) -> TaskSet:
    """Return the task set in which the work of the jobs that run before a reader is added to the reader. `groups`:
    the exclusive group of each task, None for none."""
    added = _added_work(tasks, reads, groups)

    def with_them(index: int, task: Task) -> Task:
        if index not in added:
            return task
        work, ceiling = added[index]
        return replace(task, wcet=task.wcet + work, ceiling=max(task.ceiling, ceiling), runs_other_jobs_first=True)

    return replace(tasks, tasks=tuple(with_them(i, t) for i, t in enumerate(tasks.tasks)))


def _added_work(tasks: TaskSet, reads: Sequence[Refresh], groups: Sequence[int | None]) -> dict[int, tuple[int, int]]:
    """Return for each reader the work, in ns, of all jobs that run before one of its own, and their highest ceiling."""
    reads_by_reader = _grouped(reads, lambda read: read.reader)
    holders = _GroupHolders(tasks, groups)
    added: dict[int, tuple[int, int]] = {}
    # A producer that is itself a reader comes before its own readers.
    producers = {
        reader: [read.producer for read in each if read.producer in reads_by_reader]
        for reader, each in reads_by_reader.items()
    }
    for reader in TopologicalSorter(producers).static_order():
        work, ceiling = 0, 0
        for read in reads_by_reader[reader]:
            producer, before = tasks.tasks[read.producer], added.get(read.producer, (0, 0))
            work += producer.wcet + holders.longest_beside(read.producer) + before[0]
            ceiling = max(ceiling, producer.ceiling, before[1])
        added[reader] = work, ceiling
    return added


class _GroupHolders:
    """The longest jobs of each exclusive group: those that may hold it."""

    def __init__(self, tasks: TaskSet, groups: Sequence[int | None]) -> None:
        self._groups = groups
        self._longest: dict[int, list[tuple[int, int]]] = {}
        for index, (task, group) in enumerate(zip(tasks.tasks, groups, strict=True)):
            if group is not None:
                candidates = [*self._longest.get(group, ()), (task.wcet, index)]
                self._longest[group] = sorted(candidates, reverse=True)[:2]

    def longest_beside(self, index: int) -> int:
        """Return the longest WCET, in ns, of the other members of the task's group; 0 if there are none."""
        group = self._groups[index]
        return next((wcet for wcet, i in self._longest[group] if i != index), 0) if group is not None else 0


def _grouped(reads: Sequence[Refresh], key: Callable[[Refresh], int]) -> dict[int, list[Refresh]]:
    groups: dict[int, list[Refresh]] = {}
    for read in reads:
        groups.setdefault(key(read), []).append(read)
    return groups


def reads_that_need_refreshing(tasks: TaskSet, reads: Sequence[Refresh], bounds: Sequence[Bound]) -> list[Refresh]:
    """Return those of `reads` for which it is not shown that the data is always young enough."""
    starting = _StartCauses(reads)
    may_be_old = {
        read for read in reads if not _always_young(tasks, read, bounds[read.producer], starting.of(read.reader))
    }
    reads_of_producer = _grouped(reads, lambda read: read.producer)
    pending = list(may_be_old)
    while pending:
        read = pending.pop()
        # An extra job may make its task skip a regular release, and a reader's job may be skipped: other
        # readers of these tasks cannot rely on their releases.
        affected_producers = ([read.producer] if read.extra else []) + ([read.reader] if read.skips else [])
        newly_old = {
            other for producer in affected_producers for other in reads_of_producer.get(producer, ())
        } - may_be_old
        may_be_old |= newly_old
        pending += newly_old
    return [read for read in reads if read in may_be_old]


class _StartCauses:
    """The tasks that can make a job of a given task start before its own phase or above its urgency: the task itself,
    and its readers, directly or through others."""

    def __init__(self, reads: Sequence[Refresh]) -> None:
        self._reads = _grouped(reads, lambda read: read.producer)

    @lru_cache(None)  # noqa: B019 - an instance lives only for one call of `reads_that_need_refreshing`
    def of(self, reader: int) -> set[int]:
        """Return the tasks, `reader` included, whose jobs can cause the start of one of its jobs."""
        causes, unexplored = {reader}, {reader}
        while unexplored := {read.reader for each in unexplored for read in self._reads.get(each, ())} - causes:
            causes |= unexplored
        return causes


def _always_young(tasks: TaskSet, refresh: Refresh, producer: Bound, starting: set[int]) -> bool:
    source = tasks.tasks[refresh.producer]
    if producer.response is None or producer.response > source.longest_without_skips:
        return False
    if source.period + producer.response > refresh.max_age - AGE_MARGIN:
        return False
    # The reader's first job must find data, too, whichever task causes it to start.
    return all(
        source.phase + producer.response <= first.phase
        or (not tasks.by_deadline and source.urgency > first.urgency and source.phase <= first.phase)
        for first in (tasks.tasks[index] for index in starting)
    )


def refusals(tasks: TaskSet, reads: Sequence[Refresh], bounds: Sequence[Bound]) -> dict[int, str]:
    """Return the tasks for which these refreshes make a bound impossible, by their places, each with the reason."""
    reasons: dict[int, str] = {}
    for read in reads:
        reader, producer = tasks.tasks[read.reader], tasks.tasks[read.producer]
        own_response = bounds[read.producer].response
        if read.extra and (own_response is None or own_response > producer.queue * producer.period):
            reasons[read.producer] = (
                f"an extra job for {reader.name} may be unfinished at a regular release, which is then skipped: "
                f"'overrun: queue({producer.queue + 1})' would make that release wait instead"
            )
        elif read.extra and reader.level <= producer.level:
            reasons[read.producer] = (
                f"an extra job for {reader.name} runs at the level of {reader.name}, which is not above its own"
            )
        response = bounds[read.reader].response
        if read.skips and not (read.extra and response is not None and response <= read.max_age - AGE_MARGIN):
            reasons[read.reader] = (
                f"its jobs are skipped when the data that {producer.name} publishes is too old, which may happen"
            )
    return reasons
