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
    topic_reads = []
    for task in application.tasks:
        for topic in task.callback.reads:
            producer = application.producers.get(topic)
            if producer is None:
                continue
            latency = _latency(producer, bounds)
            age = None if latency is None else producer.callback.period + latency
            topic_reads.append(TopicRead(task, topic, producer, age, task.callback.bounds.get(topic)))
    return topic_reads


def chains(application: Application, bounds: Mapping[int, Bound]) -> tuple[list[Chain], bool]:
    """Return the chains from every task that reads from no other to every task from which no other reads, with each
    task at most once in a chain; and whether these are all. Cycles are left out, and more than MOST_CHAINS chains."""
    readers_of_task: dict[int, list[Task]] = {}
    has_source = set()
    for task in application.tasks:
        for topic in task.callback.reads:
            if topic in application.producers:
                readers_of_task.setdefault(application.producers[topic].index, []).append(task)
                has_source.add(task.index)
    starts = [task for task in application.tasks if task.index in readers_of_task and task.index not in has_source]
    search = _Search(readers_of_task)
    paths = search.paths(starts)
    listed_paths = list(islice(paths, MOST_CHAINS))
    is_complete = next(paths, None) is None and not search.circle and has_source <= search.reached
    return [_chain(path, bounds) for path in listed_paths], is_complete


class _Search:
    """A depth-first search along the data flow, with each task at most once on a path."""

    def __init__(self, readers_of_task: Mapping[int, Sequence[Task]]) -> None:
        self._readers_of_task = readers_of_task
        self.reached: set[int] = set()
        self.circle = False

    def paths(self, starts: Sequence[Task]) -> Iterator[tuple[Task, ...]]:
        """Yield every path that cannot be extended, from each of `starts`."""
        path: dict[int, Task] = {}
        stack = [iter(starts)]
        while stack:
            task = next(stack[-1], None)
            if task is None:
                stack.pop()
                if path:
                    path.popitem()
                continue
            path[task.index] = task
            self.reached.add(task.index)
            readers = self._readers_of_task.get(task.index, ())
            next_tasks = [each for each in readers if each.index not in path]
            self.circle = self.circle or len(next_tasks) < len(readers)
            if not next_tasks:
                yield tuple(path.values())
            stack.append(iter(next_tasks))


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
