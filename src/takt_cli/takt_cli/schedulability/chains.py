# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Data age and reaction time along chains of tasks that read each other's topics.

Source: A. Davare, Q. Zhu, M. Di Natale, C. Pinello, S. Kanajan, A. Sangiovanni-Vincentelli, "Period
optimization for hard real-time distributed automotive systems", DAC 2007 (the sum of periods and
responses), for jobs that read at their start and publish at their end; the age as in N. Feiertag, K.
Richter, J. Nordlander, J. Jonsson, "A compositional framework for end-to-end path delay calculation of
automotive systems under different path semantics", CRTS 2008.

With T and R for period and worst response time of the tasks 1 to n of a chain:
- data age at a read: when the reader starts, the newest message is at most T + R of its producer old;
- age at the end: from the release of the first job to the end of the last job that used its data, the sum of
  T + R of all but the last, and R of the last;
- reaction: from an event just after the first task has read its input to the end of the last job that
  depends on it, the sum of T + R of all.

Assumes: every job keeps its bound and none is skipped; a message is available when its publisher's job ends: between
processors and processes the transport delay must be added. All results are upper bounds, in ns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from takt_cli.schedulability.task import Bound
from takt_cli.spec.application import Application, Task

MOST_CHAINS = 200


@dataclass(frozen=True)
class TopicRead:
    """A topic that a task reads and another task of the application publishes."""

    reader: Task
    topic: int
    producer: Task
    age: int | None
    """The upper bound of the data age at the start of a job, in ns; None if there is none."""
    max_age: int | None


@dataclass(frozen=True)
class Chain:
    """A sequence of tasks, each of which reads from the one before, with its age at the end and reaction in ns; None if
    they are not bounded."""

    tasks: tuple[Task, ...]
    age: int | None
    reaction: int | None


def reads(application: Application, bounds: Mapping[int, Bound]) -> list[TopicRead]:
    """Return every read of a topic that is published within the application."""
    found = []
    for task in application.tasks:
        for topic in task.callback.reads:
            producer = application.producers.get(topic)
            if producer is None:
                continue
            latency = _latency(producer, bounds)
            age = None if latency is None else producer.callback.period + latency
            found.append(TopicRead(task, topic, producer, age, task.callback.bounds.get(topic)))
    return found


def chains(application: Application, bounds: Mapping[int, Bound]) -> tuple[list[Chain], bool]:
    """Return the chains from every task that reads from no other to every task from which no other reads, with each
    task at most once in a chain; and whether these are all. Cycles are left out, and more than MOST_CHAINS chains."""
    after: dict[int, list[Task]] = {}
    has_source = set()
    for task in application.tasks:
        for topic in task.callback.reads:
            if topic in application.producers:
                after.setdefault(application.producers[topic].index, []).append(task)
                has_source.add(task.index)
    starts = [task for task in application.tasks if task.index in after and task.index not in has_source]
    search = _Search(after)
    paths = search.paths(starts)
    found = list(islice(paths, MOST_CHAINS))
    whole = next(paths, None) is None and not search.circle and has_source <= search.reached
    return [_chain(path, bounds) for path in found], whole


class _Search:
    """A depth-first search along the data flow, with each task at most once on a path."""

    def __init__(self, after: Mapping[int, Sequence[Task]]) -> None:
        self._after = after
        self.reached: set[int] = set()
        self.circle = False

    def paths(self, starts: Sequence[Task]) -> Iterator[tuple[Task, ...]]:
        """Yield every path that cannot be extended, from each of `starts`."""
        path: dict[int, Task] = {}
        open_ = [iter(starts)]
        while open_:
            task = next(open_[-1], None)
            if task is None:
                open_.pop()
                if path:
                    path.popitem()
                continue
            path[task.index] = task
            self.reached.add(task.index)
            every = self._after.get(task.index, ())
            following = [each for each in every if each.index not in path]
            self.circle = self.circle or len(following) < len(every)
            if not following:
                yield tuple(path.values())
            open_.append(iter(following))


def _chain(path: Sequence[Task], bounds: Mapping[int, Bound]) -> Chain:
    latencies = [_latency(task, bounds) for task in path]
    if any(latency is None for latency in latencies):
        return Chain(tuple(path), None, None)
    reaction = sum(task.callback.period + (latency or 0) for task, latency in zip(path, latencies, strict=True))
    return Chain(tuple(path), reaction - path[-1].callback.period, reaction)


def _latency(task: Task, bounds: Mapping[int, Bound]) -> int | None:
    """Return the bound of the response time, in ns, or None if there is none or jobs of the task may be skipped."""
    response = bounds[task.index].response if task.index in bounds else None
    if response is None or response > (task.callback.queue + 1) * task.callback.period:
        return None
    return response
