# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What bounded data age costs: a job whose input is too old has the producer's job go before it.

Source: decision 17, by which a job waits for at most one job of each producer, and for one more for each
of their groups, at its own level; and so on where the producer reads bounded data itself. All of that is
counted as work of the reader: whoever waits for the reader waits for it, too. What is only brought
forward is counted twice, once there and once on its own: a bound.

A read is never refreshed where its data is always young enough: the newest was published at most the
producer's period and response ago, or is that of a more urgent producer's own release. Such a proof holds
although its responses were found with the refresh counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from takt_cli.schedulability.task import Bound, Task, TaskSet
from takt_cli.spec.application import Application
from takt_cli.spec.application import Task as SpecTask
from takt_cli.spec.checks import AGE_MARGIN


@dataclass(frozen=True)
class Refresh:
    """A read on one processor that may be refreshed; places in the processor's task set."""

    reader: int
    producer: int
    topic: int
    max_age: int
    extra: bool
    """The producer may be released once more."""
    skips: bool
    """The reader's job is skipped where it does not help."""


def refreshes(application: Application, members: Sequence[SpecTask]) -> list[Refresh]:
    """Every read with a bound whose producer is on the same processor."""
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
    """The task set whose readers do the work of those who go before them. `groups`: the exclusive group
    of each task."""
    added = _added(tasks, reads, groups)

    def with_them(index: int, task: Task) -> Task:
        if index not in added:
            return task
        work, ceiling = added[index]
        return replace(task, wcet=task.wcet + work, ceiling=max(task.ceiling, ceiling), brings=True)

    return replace(tasks, tasks=tuple(with_them(i, t) for i, t in enumerate(tasks.tasks)))


def _added(tasks: TaskSet, reads: Sequence[Refresh], groups: Sequence[int | None]) -> dict[int, tuple[int, int]]:
    """Of each reader: the work of all jobs that go before one of its own, and the highest of their ceilings."""
    of = _by_reader(reads)
    holders = _Holders(tasks, groups)
    found: dict[int, tuple[int, int]] = {}
    # Who is read before whoever reads it.
    open_ = list(of)
    while open_:
        reader = open_[-1]
        missing = [read.producer for read in of[reader] if read.producer in of and read.producer not in found]
        if missing and reader not in found:
            open_ += missing
            continue
        open_.pop()
        work, ceiling = 0, 0
        for read in of[reader]:
            producer, before = tasks.tasks[read.producer], found.get(read.producer, (0, 0))
            work += producer.wcet + holders.longest_beside(read.producer) + before[0]
            ceiling = max(ceiling, producer.ceiling, before[1])
        found[reader] = work, ceiling
    return found


class _Holders:
    """The longest jobs of each exclusive group."""

    def __init__(self, tasks: TaskSet, groups: Sequence[int | None]) -> None:
        self._groups = groups
        self._longest: dict[int, list[tuple[int, int]]] = {}
        for index, (task, group) in enumerate(zip(tasks.tasks, groups, strict=True)):
            if group is not None:
                two = [*self._longest.get(group, ()), (task.wcet, index)]
                self._longest[group] = sorted(two, reverse=True)[:2]

    def longest_beside(self, index: int) -> int:
        """Of the others of its group, 0 where it has none."""
        group = self._groups[index]
        return next((wcet for wcet, i in self._longest[group] if i != index), 0) if group is not None else 0


def _by_reader(reads: Sequence[Refresh]) -> dict[int, list[Refresh]]:
    found: dict[int, list[Refresh]] = {}
    for read in reads:
        found.setdefault(read.reader, []).append(read)
    return found


def needed(tasks: TaskSet, reads: Sequence[Refresh], bounds: Sequence[Bound]) -> list[Refresh]:
    """Those of `reads` of which it is not shown that the data is always young enough."""
    starting = _Starting(reads)
    old = {read for read in reads if not _always_young(tasks, read, bounds[read.producer], starting.of(read.reader))}
    of: dict[int, list[Refresh]] = {}
    for read in reads:
        of.setdefault(read.producer, []).append(read)
    open_ = list(old)
    while open_:
        read = open_.pop()
        # An extra job may cost its task a release of its own, and a reader's job may be skipped: others
        # that read from it cannot count on its releases.
        shaken = ([read.producer] if read.extra else []) + ([read.reader] if read.skips else [])
        more = {other for producer in shaken for other in of.get(producer, ())} - old
        old |= more
        open_ += more
    return [read for read in reads if read in old]


class _Starting:
    """A reader, and whose jobs may bring one of its forward, before its own phase or above its urgency."""

    def __init__(self, reads: Sequence[Refresh]) -> None:
        self._readers: dict[int, set[int]] = {}
        for read in reads:
            self._readers.setdefault(read.producer, set()).add(read.reader)

    @lru_cache(None)  # noqa: B019 - it lives no longer than one question
    def of(self, reader: int) -> set[int]:
        found, further = {reader}, {reader}
        while further := set().union(*(self._readers.get(each, set()) for each in further)) - found:
            found |= further
        return found


def _always_young(tasks: TaskSet, read: Refresh, producer: Bound, starting: set[int]) -> bool:
    source = tasks.tasks[read.producer]
    if producer.response is None or producer.response > source.patience:
        return False
    if source.period + producer.response > read.max_age - AGE_MARGIN:
        return False
    # The first job of the reader must find data, too, whoever has it start.
    return all(
        source.phase + producer.response <= first.phase
        or (not tasks.by_deadline and source.urgency > first.urgency and source.phase <= first.phase)
        for first in (tasks.tasks[index] for index in starting)
    )


def refusals(tasks: TaskSet, reads: Sequence[Refresh], bounds: Sequence[Bound]) -> dict[int, str]:
    """Of which tasks nothing can be said because of these refreshes, and why."""
    found: dict[int, str] = {}
    for read in reads:
        reader, producer = tasks.tasks[read.reader], tasks.tasks[read.producer]
        own = bounds[read.producer].response
        if read.extra and (own is None or own > producer.queue * producer.period):
            found[read.producer] = (
                f"an extra job for {reader.name} may be unfinished at a release, which is then skipped: "
                f"'overrun: queue({producer.queue + 1})' would have it wait"
            )
        elif read.extra and reader.level <= producer.level:
            found[read.producer] = (
                f"an extra job for {reader.name} runs at that one's level, which is not above its own"
            )
        response = bounds[read.reader].response
        if read.skips and not (read.extra and response is not None and response <= read.max_age - AGE_MARGIN):
            found[read.reader] = f"its jobs are skipped where what {producer.name} publishes is too old, and it may be"
    return found
