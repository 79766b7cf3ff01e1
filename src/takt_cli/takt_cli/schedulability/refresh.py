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

    def going_before(reader: int) -> list[tuple[int, int]]:
        """Length and ceiling of each job that goes before one of the reader."""
        found = []
        for read in reads:
            if read.reader != reader:
                continue
            producer = tasks.tasks[read.producer]
            group = groups[read.producer]
            sharing = (t.wcet for i, t in enumerate(tasks.tasks) if i != read.producer and groups[i] == group)
            holder = 0 if group is None else max(sharing, default=0)
            found += [(producer.wcet + holder, producer.ceiling), *going_before(read.producer)]
        return found

    def with_them(index: int, task: Task) -> Task:
        others = going_before(index)
        if not others:
            return task
        wcet = task.wcet + sum(work for work, _ in others)
        return replace(task, wcet=wcet, ceiling=max(task.ceiling, *(c for _, c in others)), brings=True)

    return replace(tasks, tasks=tuple(with_them(i, t) for i, t in enumerate(tasks.tasks)))


def needed(tasks: TaskSet, reads: Sequence[Refresh], bounds: Sequence[Bound]) -> list[Refresh]:
    """Those of `reads` of which it is not shown that the data is always young enough."""
    old = {
        read for read in reads if not _always_young(tasks, read, bounds[read.producer], _starting(reads, read.reader))
    }
    while True:
        # An extra job may cost its task a release of its own, and a reader's job may be skipped: others
        # that read from it cannot count on its releases.
        shaken = {read.producer for read in old if read.extra} | {read.reader for read in old if read.skips}
        more = {read for read in reads if read.producer in shaken} - old
        if not more:
            return [read for read in reads if read in old]
        old |= more


def _starting(reads: Sequence[Refresh], reader: int) -> set[int]:
    """Itself, and whose jobs may bring one of its forward, before its own phase or above its urgency."""
    found, further = {reader}, {reader}
    while further := {read.reader for read in reads if read.producer in further} - found:
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
